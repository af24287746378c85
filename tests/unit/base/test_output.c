/* Files written on request take the place of old ones as a whole, or not at all. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-output-XXXXXX";

static char *name_in_folder(const char *name) {
    text path = {0};
    text_format(&path, "%s/%s", folder, name);
    char *copy = mem_copy_string(text_cstr(&path));
    text_free(&path);
    return copy;
}

static void assert_content(const char *path, const char *expected) {
    char content[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    content[fread(content, 1, sizeof content - 1, f)] = 0;
    fclose(f);
    assert_string_equal(content, expected);
}

static size_t files_in_folder(void) {
    size_t count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void a_file_is_replaced_with_its_mode(void **unused) {
    (void)unused;
    char *path = name_in_folder("a");
    assert_null(output_write(path, "first"));
    chmod(path, 0600);
    assert_null(output_write(path, "second"));
    assert_content(path, "second");
    struct stat info;
    stat(path, &info);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
    mem_free(path);
}

static void a_link_stays_a_link(void **unused) {
    (void)unused;
    char *path = name_in_folder("target"), *to = name_in_folder("link");
    assert_null(output_write(path, "old"));
    assert_int_equal(symlink(path, to), 0);
    assert_null(output_write(to, "new"));
    assert_content(path, "new");
    struct stat info;
    lstat(to, &info);
    assert_true(S_ISLNK(info.st_mode));
    unlink(to);
    unlink(path);
    mem_free(to);
    mem_free(path);
}

static void devices_are_written_in_place(void **unused) {
    (void)unused;
    assert_null(output_write("/dev/null", "nothing"));
    struct stat info;
    stat("/dev/null", &info);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_full_disk_is_said(void **unused) {
    (void)unused;
    assert_non_null(output_write("/dev/full", "something"));
}

static void a_missing_folder_is_said_before_and_after(void **unused) {
    (void)unused;
    char *path = name_in_folder("none/file");
    assert_non_null(output_check(path));
    assert_non_null(output_write(path, "x"));
    mem_free(path);
}

static void a_folder_is_no_file(void **unused) {
    (void)unused;
    assert_non_null(output_check(folder));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_with_its_mode),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(devices_are_written_in_place),
        cmocka_unit_test(a_full_disk_is_said),
        cmocka_unit_test(a_missing_folder_is_said_before_and_after),
        cmocka_unit_test(a_folder_is_no_file),
    };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
