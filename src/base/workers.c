#include "base/workers.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker {
    pid_t pid; /* 0: it has ended, or never began */
    int from;  /* what it writes; -1: everything was read */
    bool told; /* that it has ended */
    bytes said;
} worker;

struct workers {
    unsigned count;
    worker *list;
    struct pollfd *polled; /* buffer */
};

unsigned workers_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    return (unsigned)CPU_COUNT(&set);
}

void *workers_share_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void workers_unshare_memory(void *memory, size_t size) {
    if (memory) munmap(memory, size);
}

/* --- in the worker -------------------------------------------------------------------------------------- */

static bool write_all(int to, const bytes *said) {
    for (size_t done = 0; done < said->size;) {
        ssize_t n = write(to, said->data + done, said->size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return true;
}

/* Leaves without what belongs to the end of the program: it is not this process that ends it. */
static _Noreturn void work(unsigned index, int to, pid_t parent, worker_task run, void *data) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* too late */
    signal(SIGPIPE, SIG_IGN);
    bytes said = {0};
    run(data, index, &said);
    _exit(write_all(to, &said) ? 0 : 1);
}

/* --- in this process ------------------------------------------------------------------------------------ */

static void start(workers *w, unsigned index, worker_task run, void *data) {
    worker *k = &w->list[index];
    int ends[2];
    k->from = -1;
    /* What a worker executes must not keep the pipe open: the end of the worker is the end of
     * what it says. */
    if (pipe2(ends, O_CLOEXEC)) return;
    pid_t parent = getpid();
    k->pid = fork();
    if (k->pid == 0) {
        close(ends[0]);
        for (unsigned i = 0; i < index; i++)
            if (w->list[i].from >= 0) close(w->list[i].from);
        work(index, ends[1], parent, run, data);
    }
    close(ends[1]);
    if (k->pid < 0) {
        k->pid = 0;
        close(ends[0]);
        return;
    }
    setpgid(k->pid, k->pid); /* whoever comes first */
    k->from = ends[0];
}

workers *workers_start(unsigned count, worker_task run, void *data) {
    workers *w = mem_zero(1, sizeof *w);
    w->count = count;
    w->list = mem_zero(count, sizeof *w->list);
    w->polled = mem_zero(count, sizeof *w->polled);
    memory_give_back(); /* it would be copied, page by page, when workers allocate it again */
    for (unsigned i = 0; i < count; i++) start(w, i, run, data);
    return w;
}

static void finish(worker *k) {
    if (k->from >= 0) close(k->from);
    k->from = -1;
    if (!k->pid) return;
    kill(-k->pid, SIGKILL);
    while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR) continue;
    k->pid = 0;
}

void workers_end(workers *w) {
    for (unsigned i = 0; i < w->count; i++) {
        finish(&w->list[i]);
        vec_free(&w->list[i].said);
    }
    mem_free(w->polled);
    mem_free(w->list);
    mem_free(w);
}

static void listen_to(worker *k) {
    enum { PIECE = 1 << 16 };
    vec_reserve(&k->said, k->said.size + PIECE);
    ssize_t n = read(k->from, k->said.data + k->said.size, PIECE);
    if (n > 0)
        k->said.size += (size_t)n;
    else if (n == 0 || errno != EINTR)
        finish(k);
}

unsigned workers_wait(workers *w, double seconds) {
    for (unsigned i = 0; i < w->count; i++) w->polled[i] = (struct pollfd){w->list[i].from, POLLIN, 0};
    if (workers_some_run(w) && poll(w->polled, w->count, (int)(1000 * seconds)) > 0)
        for (unsigned i = 0; i < w->count; i++)
            if (w->list[i].from >= 0 && w->polled[i].revents) listen_to(&w->list[i]);
    for (unsigned i = 0; i < w->count; i++) {
        worker *k = &w->list[i];
        if (k->from >= 0 || k->told) continue;
        k->told = true;
        return i;
    }
    return NO_WORKER;
}

const bytes *workers_said(const workers *w, unsigned index) {
    return &w->list[index].said;
}

bool workers_is_running(const workers *w, unsigned index) {
    return w->list[index].from >= 0;
}

bool workers_some_run(const workers *w) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].from >= 0) return true;
    return false;
}

void workers_interrupt(workers *w) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].pid) kill(w->list[i].pid, SIGINT);
}
