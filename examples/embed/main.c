/* A program that verifies a model by itself, through libheddle: its own, or the file that is named. */
#include <heddle.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "int x = 0;\n"
                            "int limit = ?(int);\n"
                            "thread A { x = x + 1; }\n"
                            "thread B { x = x * 2; }\n"
                            "main { start; assert x != limit; }\n";

static void show_progress(void *data, const heddle_progress *p) {
    (void)data;
    fprintf(stderr, "%llu states after %.1f s\n", (unsigned long long)p->states, p->seconds);
}

int main(int argc, char **argv) {
    heddle *h = heddle_create();
    const char *error = heddle_set(h, "time", "10s"); /* any long option of `heddle check` */
    if (error) {
        fprintf(stderr, "%s\n", error);
        heddle_destroy(h);
        return 2;
    }
    heddle_on_progress(h, show_progress, NULL);
    if (argc > 1)
        heddle_add_file(h, argv[1]);
    else
        heddle_add_source(h, "model.ivl", model, strlen(model));
    heddle_result *r = heddle_check(h);
    heddle_verdict verdict = heddle_result_verdict(r);
    printf("heddle %s says: %s\n", heddle_version(), heddle_verdict_name(verdict));
    printf("%.0f transitions\n", heddle_result_statistic(r, "transitions"));
    fputs(verdict == HEDDLE_BAD_INPUT ? heddle_result_diagnostics(r) : heddle_result_text(r), stdout);
    heddle_result_destroy(r);
    heddle_destroy(h);
    return 0;
}
