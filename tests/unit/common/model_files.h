/* The bundled models, one by one, as a corpus for properties that must hold of every program; and the
 * listings by name. */
#ifndef HEDDLE_TESTS_MODEL_FILES_H
#define HEDDLE_TESTS_MODEL_FILES_H

#include "core_fixture.h"
#include "ivl_listings.h"

#include <dirent.h>

static inline const char *listing(const char *name) {
    for (int i = 0; i < IVL_LISTING_COUNT; i++)
        if (!strcmp(ivl_listings[i].name, name)) return ivl_listings[i].source;
    fail_msg("no listing %s", name);
    return NULL;
}

static inline int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void each_model_in(const char *folder, void (*visit)(const char *name, const char *source)) {
    char path[512];
    VEC(char *) names = {0};
    snprintf(path, sizeof path, "%s/models/ivl%s", HEDDLE_SOURCE_DIR, folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".ivl"))
            vec_push(&names, strdup(entry->d_name));
    }
    closedir(dir);
    assert_true(names.size > 0);
    qsort(names.data, names.size, sizeof *names.data, compare_names);
    for (size_t i = 0; i < names.size; i++) {
        snprintf(path, sizeof path, "%s/models/ivl%s/%s", HEDDLE_SOURCE_DIR, folder, names.data[i]);
        char *source = read_text_file(path);
        visit(names.data[i], source);
        free(source);
        free(names.data[i]);
    }
    vec_free(&names);
}

static inline void each_model(void (*visit)(const char *name, const char *source)) {
    each_model_in("", visit);
    each_model_in("/features", visit);
}

#endif
