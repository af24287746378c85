#!/usr/bin/env python3
"""Comments in C, which clang-format leaves alone: lines have at most 112 columns, and comments stand where they belong.
Neither they nor texts are wrapped where the next word would have had plenty of room, and none ends with a line of one word.

    check-comments.py              prints `file:line: what is wrong` and fails if there is anything
    check-comments.py --self-test  plants mistakes of every kind in a file in memory, and fails if one goes unnoticed
"""

import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDERS = ("src", "include", "tests", "examples", "bench")
COLUMNS = 112
COLUMNS_OF_TABLES = 120  # between clang-format off and on
COLUMNS_OF_CODE = 110  # .clang-format
PLENTY = 20  # columns to spare behind the next word

SWITCH = re.compile(r"(?:/\*|//) clang-format (on|off)\b")
RULER = re.compile(r"/\* -{3}")  # ------ or --- name ---
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
ENDED = re.compile(r"([;{}:]|\*/)$|^(#|/|\*)|^$")  # a line behind which something new begins
SENTENCE_ENDS = re.compile(r"[.:;?!]\)?$")  # a line behind which a new one may well be meant
PROSE = re.compile(r"(/\*| \*|) (?=\S)(.*)$")  # of a comment, without what it is indented by
ASIDE = re.compile(r"[-*•|.…]|\d+[.)] |.*\S  ")  # items, tables
TORN = re.compile(r"\s*(?:\S.* )?\"(?:\\.|[^\"\\])* \"$")  # ends with a text that goes on with another word
GOES_ON = re.compile(r"\s*\"([^\s\"\\]+)")
LONELY = re.compile(r" \* (?=\S*[A-Za-z]{2})(\S{1,20}) \*/$")  # the last line of a comment
CONTROL = re.compile(r"(\} )?(if|else|for|while|do|case)\b")  # what they govern stands in a line of its own


def comments_of(text):
    """Block comments: where each begins and ends. What stands in strings is none."""
    for match in TOKEN.finditer(text):
        if match.group().startswith("/*"):
            yield match.start(), match.end()


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def lines_with_columns(text):
    """Each line with its number and how many columns it may have."""
    columns = COLUMNS
    for number, line in enumerate(text.split("\n"), 1):
        switch = SWITCH.search(line)
        if switch:
            columns = COLUMNS_OF_TABLES if switch.group(1) == "off" else COLUMNS
        yield number, line, columns


def long_lines(text):
    for number, line, columns in lines_with_columns(text):
        if len(line) > columns:
            yield number, f"{len(line)} columns, of {columns}"


def is_broken_for_comment(above, code):
    """Whether the code before a comment began in lines above, although it fits into one without the comment."""
    joined, lines = code.strip(), 0
    for line in reversed(above):
        if ENDED.search(line.strip()) or line.rstrip().endswith("\\"):
            break
        joined, lines = line.strip() + ("" if line.endswith("(") else " ") + joined, lines + 1
    if lines == 0 or CONTROL.match(joined) or not joined.endswith((";", ",")):
        return False
    before = " ".join(above[-lines:])
    is_list = above[-1].endswith(",") and before.count("(") == before.count(")")
    indentation = len(above[-lines]) - len(above[-lines].lstrip())
    return not is_list and indentation + len(joined) <= COLUMNS_OF_CODE


def misplaced(text):
    lines = text.split("\n")
    tables = {number for number, _, columns in lines_with_columns(text) if columns == COLUMNS_OF_TABLES}
    before = None  # the last comment that had its lines for itself
    for begin, end in comments_of(text):
        number = line_of(text, begin)
        code = text[text.rfind("\n", 0, begin) + 1:begin]
        is_last = text[end:end + 1] in ("\n", "")
        if number in tables:
            continue
        if code.strip():
            before = None
            if "\n" in text[begin:end]:
                yield number, "a comment behind code goes over more than one line"
            elif is_last and is_broken_for_comment(lines[:number - 1], code):
                yield number, "a declaration is broken before its comment"
        elif is_last:
            if before and text[before[1]:begin].strip(" ") == "\n":
                if not any(RULER.match(text[one:]) or SWITCH.match(text[one:]) for one in (before[0], begin)):
                    yield number, "two comments directly behind each other"
            before = (begin, end)


def has_room(line, word, columns):
    return len(line) + 1 + len(word) + PLENTY <= columns


def narrow(text):
    """Lines of comments and of texts that end although the next word would fit."""
    lines = text.split("\n")
    tables = {number for number, _, columns in lines_with_columns(text) if columns == COLUMNS_OF_TABLES}
    for begin, end in comments_of(text):
        indentation = begin - text.rfind("\n", 0, begin) - 1
        if text[begin - indentation:begin].strip():
            continue
        first = line_of(text, begin)
        for number in range(first, line_of(text, end - 1)):
            line, following = (PROSE.match(lines[k][indentation:]) for k in (number - 1, number))
            if not line or not following or number in tables or SENTENCE_ENDS.search(line.group(2)):
                continue
            aside = ASIDE.match(line.group(2)) or ASIDE.match(following.group(2))
            if not aside and has_room(lines[number - 1], following.group(2).split()[0], COLUMNS):
                yield number, "a comment is wrapped where the next word would fit"
    for number, (line, following) in enumerate(zip(lines, lines[1:]), 1):
        word = GOES_ON.match(following)
        if word and number not in tables and TORN.match(line) and has_room(line, word.group(1), COLUMNS_OF_CODE):
            yield number, "a text is torn where its next word would fit"


def lonely(text):
    """Comments whose last line is one word, which the line before could have shared some of its own with."""
    lines = text.split("\n")
    tables = {number for number, _, columns in lines_with_columns(text) if columns == COLUMNS_OF_TABLES}
    for begin, end in comments_of(text):
        indentation = begin - text.rfind("\n", 0, begin) - 1
        number = line_of(text, end - 1)
        if text[begin - indentation:begin].strip() or number == line_of(text, begin) or number in tables:
            continue
        before, last = PROSE.match(lines[number - 2][indentation:]), LONELY.match(lines[number - 1][indentation:])
        if before and last and not ASIDE.match(before.group(2)) and len(before.group(2).split()) > 4:
            yield number, "a comment ends with a line of one word"


def check(text):
    return sorted([*long_lines(text), *misplaced(text), *narrow(text), *lonely(text)])


def read_files():
    """path -> text."""
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [name for name in folders if name != "node_modules"]
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        yield os.path.relpath(path, ROOT), file.read()


# --- mistakes that must be noticed ----------------------------------------------------------------------------------

HONEST = """/* What this is:
 * two lines. */
#ifndef HONEST_H
#define HONEST_H

/* --- a ruler ---------------------------------------------------------------------------------- */
/* One function. */
bool honest(const char *text, /* a comment */ int more); /* behind it */
/* clang-format off */
/* A table. */
FIELD(a) /* %s */
         /* more of it */
/* clang-format on */
/* The other function, which has not got enough columns for what it is given, comment or not. */
const struct something *another_function_with_a_name(const struct something *one, const struct something *two,
                                                     const struct something *three); /* NULL: none */
enum {
    FIRST,
    SECOND /* the last */
};
uint32_t one, /* of them */
    two;      /* of the others */
static inline void f(int a) {
    if (a)
        g(a); /* in a line of its own */
}
const char *no_comment = "/* " "*/";
/* A sentence ends here, short as it is.
 *
 * What is a list:
 * - an item that ends early,
 * - another one
 * An item in a table    of two columns
 * another one           of two columns */
const char *text = "a line that ends\\n"
                   "and another one, which would go on with a word that has no room in the line, "
                   "unforeseeably";
#endif
""" % ("x" * 90)

MISTAKES = {  # what each is called, the mistake, and what is said of it
    "a long line": ("int x; /* " + "x" * 100 + " */", "113 columns"),
    "a long line of a table": ("/* clang-format off */\n/* " + "x" * 120 + " */\n/* clang-format on */", "126 columns"),
    "a long line behind a table": ("/* clang-format off */\n/* clang-format on */\nint x; /* " + "x" * 107 + " */", "120 columns"),
    "a comment that goes on": ("bool name; /* that goes\n            * on */", "more than one line"),
    "a name in a line of its own": ("struct x {\n    bool\n        name; /* broken */\n};", "is broken"),
    "an argument in a line of its own": ("bool name(int a,\n          int b); /* broken */", "is broken"),
    "a value in a line of its own": ("int name =\n    32; /* broken */", "is broken"),
    "an enumerator in two lines": ("enum {\n    FIRST = 1,\n    SECOND =\n        32, /* broken */\n    THIRD\n};", "is broken"),
    "two comments": ("int one; /* One. */\n/* Two. */\n/* Three. */\nint two;", "directly behind"),
    "a narrow comment": ("/* A comment that could go on\n * but does not. */", "wrapped where"),
    "a narrow comment, indented": ("struct x {\n    /* A comment that could go on\n     * but does not. */\n    int one;\n};", "wrapped where"),
    "a lonely word": ("/* A comment of which the last line is nothing but the one word that had no place in the line above it, by a\n * hair. */", "one word"),
    "a torn text": ('const char *torn = "a text that could go on, "\n                   "but does not";', "is torn"),
    "two comments, indented": ("struct x {\n    /* One:\n     * of two lines. */\n    /* Another. */\n    int one;\n};", "directly behind"),
}


def self_test():
    missed = [f"noticed without need: {number}: {what}" for number, what in check(HONEST)]
    for name, (mistake, what) in MISTAKES.items():
        for text, line in ((f"{mistake}\n\n{HONEST}", 0), (f"{HONEST}\n{mistake}\n", HONEST.count("\n") + 1)):
            found = check(text)
            if len(found) != 1 or what not in found[0][1] or not line < found[0][0] <= line + mistake.count("\n") + 1:
                missed.append(f"not noticed: {name}: {found}")
    return missed


def main():
    if "--self-test" in sys.argv[1:]:
        errors = self_test()
    else:
        errors = [f"{path}:{number}: {what}" for path, text in sorted(read_files()) for number, what in check(text)]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
