#include "frontend/llvm/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* HEDDLE_MODULE: its file name; HEDDLE_LIBDIR: the library folder below the prefix of an installation;
 * HEDDLE_FULL_LIBDIR: the same, absolute. All from the build. */
static const char *const beside[] = {"", "heddle/", "../" HEDDLE_LIBDIR "/heddle/"};

static bool is_there(text *path, const char *folder, size_t length, const char *below) {
    text_free(path);
    text_format(path, "%.*s%s" HEDDLE_MODULE, (int)length, folder, below);
    return !access(text_cstr(path), R_OK);
}

/* Looks around the folder in which `file` is. */
static bool find_beside(text *path, const char *file) {
    char real[PATH_MAX];
    if (!realpath(file, real)) return false;
    size_t length = (size_t)(strrchr(real, '/') + 1 - real);
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
        if (is_there(path, real, length, beside[k])) return true;
    return false;
}

bool module_find(text *path) {
    static const char installed[] = HEDDLE_FULL_LIBDIR "/heddle/";
    Dl_info self;
    return find_beside(path, "/proc/self/exe") ||
           (dladdr(beside, &self) && self.dli_fname && find_beside(path, self.dli_fname)) ||
           is_there(path, installed, strlen(installed), "");
}

void *module_function(const char *name, diagnostics *d) {
    static const position nowhere = {0, 0};
    text path = {0};
    void *function = NULL;
    if (module_find(&path)) { /* stays loaded: what it made lives on */
        void *module = dlopen(text_cstr(&path), RTLD_LAZY | RTLD_LOCAL);
        function = module ? dlsym(module, name) : NULL;
        if (!function) diag_report(d, DIAG_ERROR, nowhere, "the C front end cannot be loaded: %s", dlerror());
    } else {
        diag_report(d, DIAG_ERROR, nowhere,
                    "the C front end is missing: %s is neither beside the program nor in %s/heddle",
                    HEDDLE_MODULE, HEDDLE_FULL_LIBDIR);
    }
    text_free(&path);
    return function;
}
