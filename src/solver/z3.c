#include "solver/z3.h"

#include "base/clock.h"
#include "base/map.h"
#include "term/smtlib.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- the child process ---------------------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    /* its standard input and output; a socket, because writing to a dead pipe would raise SIGPIPE */
    int socket;
} child;

/* Z3's own time limit is only a net below ours, for the case that this process is killed; its memory (in
 * megabytes) is limited by nobody else. */
static bool start_child(child *z3, double seconds) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
    text limit = {0};
    text_format(&limit, "-T:%d", seconds > 0 && seconds < 1e6 ? (int)seconds + 2 : 1000000);
    char *arguments[] = {"z3", "-in", "-smt2", "-memory:4096", (char *)text_cstr(&limit), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&z3->pid, "z3", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    text_free(&limit);
    close(ends[1]);
    z3->socket = ends[0];
    if (error) close(ends[0]);
    return !error;
}

static void end_child(child *z3) {
    close(z3->socket);
    kill(z3->pid, SIGKILL);
    while (waitpid(z3->pid, NULL, 0) < 0 && errno == EINTR) continue;
}

static bool send_some(child *z3, const char **script, size_t *left) {
    ssize_t sent = send(z3->socket, *script, *left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    *script += sent;
    *left -= (size_t)sent;
    if (!*left) shutdown(z3->socket, SHUT_WR);
    return true;
}

/* False at the end of the reply. */
static bool receive_some(child *z3, text *reply) {
    char block[4096];
    ssize_t got = recv(z3->socket, block, sizeof block, MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    text_add_bytes(reply, block, (size_t)got);
    return got > 0;
}

enum { POLL_MILLISECONDS = 20 };

static bool converse(child *z3, const char *script, const sat_limits *limits, text *reply) {
    size_t left = strlen(script);
    while (!sat_limits_are_over(limits)) {
        struct pollfd ready = {z3->socket, (short)(POLLIN | (left ? POLLOUT : 0)), 0};
        int events = poll(&ready, 1, POLL_MILLISECONDS);
        if (events < 0 && errno != EINTR) return false;
        if (events <= 0) continue;
        if (left && ready.revents & POLLOUT && !send_some(z3, &script, &left)) return false;
        if (ready.revents & (POLLIN | POLLHUP | POLLERR) && !receive_some(z3, reply)) return true;
    }
    return false;
}

solver_answer z3_run(const char *script, const sat_limits *limits, text *reply) {
    child z3;
    text own = {0};
    text *out = reply ? reply : &own;
    solver_answer answer = SOLVER_UNKNOWN;
    if (start_child(&z3, limits->deadline > 0 ? limits->deadline - clock_wall() : 0)) {
        if (converse(&z3, script, limits, out)) {
            if (!strncmp(text_cstr(out), "sat\n", 4)) answer = SOLVER_SAT;
            if (!strncmp(text_cstr(out), "unsat\n", 6)) answer = SOLVER_UNSAT;
        }
        end_child(&z3);
    }
    text_free(&own);
    return answer;
}

/* --- conjunctions --------------------------------------------------------------------------------------- */

typedef VEC(const term *) symbol_list;

static void collect_symbols(const term *const *conditions, size_t count, symbol_list *all) {
    map seen = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < conditions[i]->support->size; k++) {
            const term *symbol = conditions[i]->support->symbol[k];
            if (map_get(&seen, symbol->id) != MAP_NONE) continue;
            map_put(&seen, symbol->id, 1);
            vec_push(all, symbol);
        }
    map_free(&seen);
}

static void ask_for_values(const symbol_list *symbols, text *script) {
    if (!symbols->size) return;
    text_add(script, "(get-value (");
    for (size_t i = 0; i < symbols->size; i++) {
        smtlib_symbol_name(symbols->data[i], script);
        text_char(script, ' ');
    }
    text_add(script, "))\n");
}

/* The reply is ((name #x...) (name #b...) ...) in the order of the question; names contain no '#'. */
static bool read_values(const char *reply, const symbol_list *symbols, valuation *model) {
    for (size_t i = 0; i < symbols->size; i++) {
        reply = strchr(reply, '#');
        if (!reply || (reply[1] != 'x' && reply[1] != 'b')) return false;
        valuation_set(model, symbols->data[i], strtoull(reply + 2, NULL, reply[1] == 'x' ? 16 : 2));
        reply += 2;
    }
    return true;
}

solver_answer z3_check(terms *c, const term *const *conditions, size_t count, const sat_limits *limits,
                       valuation *model) {
    text script = {0}, reply = {0};
    symbol_list symbols = {0};
    term_print_smtlib(c, conditions, count, &script);
    if (model) {
        collect_symbols(conditions, count, &symbols);
        ask_for_values(&symbols, &script);
    }
    solver_answer answer = z3_run(text_cstr(&script), limits, &reply);
    if (answer == SOLVER_SAT && model && !read_values(text_cstr(&reply), &symbols, model))
        answer = SOLVER_UNKNOWN;
    vec_free(&symbols);
    text_free(&script);
    text_free(&reply);
    return answer;
}
