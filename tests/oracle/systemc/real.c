#include "real.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENDLESS = 124, ASSUMED_AWAY = 77 };

static const char helpers[] = "#include <stdlib.h>\n"
                              "extern \"C\" void __VERIFIER_assert(int) {}\n"
                              "extern \"C\" void __VERIFIER_assume(int holds) { if (!holds) _Exit(77); }\n";

static bool write_file(const char *folder, const char *name, const char *content) {
    text path = {0};
    text_format(&path, "%s/%s", folder, name);
    FILE *f = fopen(text_cstr(&path), "w");
    text_free(&path);
    if (!f) return false;
    bool written = fputs(content, f) >= 0;
    return fclose(f) == 0 && written;
}

/* The status of a command in the folder, or -1; what it says in `output`. */
static int run_there(const real_compiler *c, const char *command, text *output) {
    text line = {0};
    text_format(&line, "cd %s && { %s; } 2>&1", text_cstr(&c->folder), command);
    FILE *f = popen(text_cstr(&line), "r");
    text_free(&line);
    if (!f) return -1;
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) text_add_bytes(output, part, n);
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define COMPILER "g++ -std=c++17 -w -DNDEBUG -DHEDDLE_ORACLE_FINALS -I. "

bool real_open(real_compiler *c) {
    *c = (real_compiler){0};
    char name[] = "/tmp/heddle-real-XXXXXX";
    if (!mkdtemp(name)) return false;
    text_add(&c->folder, name);
    text said = {0};
    /* Headers are read in advance: they are what takes time. */
    bool good = write_file(name, "helpers.cpp", helpers) &&
                write_file(name, "systemc.h", "#include_next <systemc.h>\n") &&
                run_there(c, COMPILER "-c helpers.cpp && " COMPILER "-x c++-header systemc.h", &said) == 0;
    text_free(&said);
    return good;
}

void real_close(real_compiler *c) {
    text said = {0};
    if (c->folder.size)
        run_there(c, "rm -f helpers.cpp helpers.o systemc.h systemc.h.gch design.cpp design", &said);
    rmdir(text_cstr(&c->folder));
    text_free(&said);
    text_free(&c->folder);
}

/* Values as `finals` has them; "?" is one that the design does not have by itself. */
static bool is_row(const char *said, const int64_t *row, size_t cells) {
    for (size_t i = 0; i < cells; i++) {
        while (*said == ' ') said++;
        char *end;
        int64_t value = strtoll(said, &end, 10);
        if (*said == '?')
            end = (char *)said + 1;
        else if (end == said || value != row[i])
            return false;
        said = end;
    }
    return *said == '\n';
}

static bool is_some_end(const char *said, const reference_result *e) {
    if (!e->cells) return true;
    for (size_t row = 0; row + e->cells <= e->finals.size; row += e->cells)
        if (is_row(said, e->finals.data + row, e->cells)) return true;
    return false;
}

real_opinion real_run(real_compiler *c, const char *design, const reference_result *expected, text *why) {
    text said = {0};
    int status = -1;
    if (write_file(text_cstr(&c->folder), "design.cpp", design))
        status =
            run_there(c, COMPILER "design.cpp helpers.o -lsystemc -o design && timeout 1 ./design", &said);
    const char *finals = strstr(text_cstr(&said), "finals");
    real_opinion opinion = REAL_DISAGREES;
    if (status == ENDLESS || status == ASSUMED_AWAY)
        opinion = REAL_SAYS_NOTHING;
    else if (status != 0 || !finals)
        text_format(why, "Accellera's library: status %d: %s", status, text_cstr(&said));
    else if (is_some_end(finals + strlen("finals"), expected))
        opinion = REAL_AGREES;
    else
        text_format(why, "with Accellera's library the design ends otherwise: %s", finals);
    text_free(&said);
    return opinion;
}
