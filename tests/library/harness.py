"""Calls of library functions with random arguments, written down once and run twice: natively, where what they
give is recorded, and in Heddle, which is asked whether its models give the same.

A row of the table is a function of the library and how to call it. Its cases are pieces of C in which

    exact(EXPRESSION)      the model gives what the C library gives, and nothing else
    possible(EXPRESSION)   what the C library gives is one of the values of the model
    promise(CONDITION)     holds whatever the model gives, since the standard says so; holds natively, too

are recorded in this order. Two questions are asked of the models then:
  only:      with every `exact` and `promise` as an assertion the program is safe;
  possible:  with every `exact` and `possible` as an assumption its end can be reached.

A row names a mutant of its model, a replacement in the body of the function. One of the two answers has to
change with it.
"""

import random
import re
import subprocess

NATIVE = r"""
#include <stdio.h>
static FILE *observations;
static void observe(int number, int step, long long value) {
    int saved = errno;
    fprintf(observations, "%d %d %lld\n", number, step, value);
    fflush(observations);
    errno = saved;
}
static void demand(int number, int step, int holds) {
    int saved = errno;
    if (!holds) fprintf(observations, "broken %d %d\n", number, step);
    fflush(observations);
    errno = saved;
}
"""


class Case:
    """One piece of C, made from random numbers."""

    def __init__(self, name, index, seed):
        self.name = name
        self.index = index  # among those of its row
        self.random = random.Random(f"{name} {index} {seed}")
        self.steps = []   # (kind, text)
        self.values = {}  # by numbers of steps: what the C library gives
        self.broken = []  # promises that it does not keep

    def line(self, text):
        self.steps.append(("line", text))

    def exact(self, expression):
        self.steps.append(("exact", expression))

    def possible(self, expression):
        self.steps.append(("possible", expression))

    def promise(self, condition):
        self.steps.append(("promise", condition))

    def exact_errno(self):
        self.exact("errno")

    def exact_bytes(self, name, count):
        """Bytes are packed by eight, which keeps programs short."""
        for start in range(0, count, 8):
            parts = [f"(unsigned long long)(unsigned char){name}[{k}] << {8 * (k - start)}" for k in range(start, min(start + 8, count))]
            self.exact(" | ".join(parts))

    # --- random arguments -----------------------------------------------------------------------------------------

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, low, high):
        return self.random.randint(low, high)

    def integer(self, bits=32):
        """Any number of so many bits, small ones and limits more often; as C writes it."""
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        kind = self.number(0, 3)
        value = (
            self.number(-3, 3) if kind == 0 else self.pick(low, low + 1, high, high - 1) if kind == 1 else
            self.number(-300, 300) if kind == 2 else self.number(low, high))
        return c_number(value, bits)

    def text(self, alphabet="abAB z", low=0, high=7):
        return "".join(self.random.choice(alphabet) for _ in range(self.number(low, high)))

    def buffer(self, name, content, size=None, char="char"):
        """An array that starts with the text or the bytes and is otherwise filled with a pattern."""
        data = list(content.encode("latin-1") if isinstance(content, str) else content)
        size = size if size is not None else len(data)
        data += [(0xA0 + k) & 0xFF for k in range(size - len(data))]
        self.line(f"{char} {name}[{max(size, 1)}] = {{{', '.join(f'({char}){byte}' for byte in data) or '0'}}};")

    def string(self, name, text, size=None):
        self.buffer(name, text + "\0", size)


def c_number(value, bits=32):
    if bits == 32:
        return f"({value})" if value != -(1 << 31) else "(-2147483647 - 1)"
    return f"({value}LL)" if value != -(1 << 63) else "(-9223372036854775807LL - 1)"


class Row:
    def __init__(self, name, write, mutant, own, prelude, cases, misuse, language):
        self.name = name        # of the function; or FUNCTION.MORE for further rows of one
        self.function = name.split(".")[0]
        self.alone = name != self.function  # in a program of its own: what else it calls may change a model
        self.write = write      # Case -> None
        self.mutant = mutant    # (old, new) in the body of the model; or (function, old, new) in what it calls
        self.own = own          # C instead of that, where the model is none: a definition of the program's
        self.prelude = prelude  # C that stands before the cases
        self.cases = cases      # how many, for the short test
        self.misuse = misuse    # cases do what is undefined, and nobody asks whether they do
        self.language = language  # as files end: c, cpp

    def make_cases(self, seed, factor):
        made = []
        for index in range(self.cases * factor):
            made.append(Case(self.name, index, seed))
            self.write(made[-1])
        return made


class Table:
    def __init__(self):
        self.rows = {}
        self.exempt = {}        # name: reason
        self.exempt_files = {}  # of models, as `exceptions`: reason
        self.headers = []

    def include(self, *headers):
        """What the rows that follow include."""
        self.headers = headers

    def row(self, name, mutant=None, prelude="", own=None, cases=6, misuse=False, language="c"):
        """Decorator: the function writes one case."""
        assert (mutant is None) != (own is None), name
        before = "".join(f"#include <{header}>\n" for header in ("errno.h", *self.headers)) + prelude

        def add(write):
            assert name not in self.rows, name
            self.rows[name] = Row(name, write, mutant, own, before, cases, misuse, language)
            return write

        return add

    def leave_out(self, reason, *names):
        for name in names:
            assert name not in self.exempt and name not in self.rows, name
            self.exempt[name] = reason

    def leave_out_file(self, reason, *files):
        for file in files:
            self.exempt_files[file] = reason


class Batch:
    """Cases of some rows of one language as one program."""

    def __init__(self, rows, cases):
        self.preludes = list(dict.fromkeys(row.prelude for row in rows))
        self.cases = [case for row in rows for case in cases[row.name]]
        self.language = rows[0].language
        self.linkage = 'extern "C" ' if self.language == "cpp" else ""
        self.properties = "assert" if any(row.misuse for row in rows) else "assert,memory"

    def program(self, say, before="", first="", last=""):
        """`say(kind, case, step, text)` writes a step; lines of the result are known by the case they belong to."""
        lines = ("#define _GNU_SOURCE\n" + "\n".join(self.preludes) + before).split("\n")
        self.owner = {}
        for k, case in enumerate(self.cases):
            lines.append(f"static void case_{k}(void) {{ /* {case.name} */ errno = 0;")
            for step, (kind, text) in enumerate(case.steps):
                written = text if kind == "line" else say(kind, k, step, text)
                for piece in written.split("\n"):
                    lines.append("    " + piece)
                    self.owner[len(lines)] = case.name
            lines.append("}")
        lines += ["int main(int argc, char **argv) {", first]
        lines += [f"    case_{k}();" for k in range(len(self.cases))]
        return "\n".join(lines + [last, "    return 0;", "}", ""])

    def native(self):
        def say(kind, case, step, text):
            if kind == "promise":
                return f"demand({case}, {step}, ({text}) != 0);"
            return f"observe({case}, {step}, (long long)({text}));"

        return self.program(say, NATIVE, '    observations = fopen(argv[1], "w");', "    fclose(observations);")

    def native_value(self, case, step):
        return c_number(self.cases[case].values[step], 64)

    def only(self):
        def say(kind, case, step, text):
            if kind == "possible":
                return f"(void)({text});"
            if kind == "promise":
                return f"if (!({text})) reach_error();"
            return f"if ((long long)({text}) != {self.native_value(case, step)}) reach_error();"

        return self.program(say, f"\n{self.linkage}void reach_error(void);\n")

    def possible(self):
        def say(kind, case, step, text):
            if kind == "promise":
                return f"(void)({text});"
            return f"__VERIFIER_assume((long long)({text}) == {self.native_value(case, step)});"

        declared = f"\n{self.linkage}void reach_error(void);\n{self.linkage}void __VERIFIER_assume(int);\n"
        return self.program(say, declared, "", "    reach_error();")


def record(batch, folder, compiler):
    """Runs the cases natively: what the C library gives becomes part of them."""
    source, program, out = folder / f"native.{batch.language}", folder / "native", folder / "native.txt"
    source.write_text(batch.native())
    flags = ["-std=gnu++17" if batch.language == "cpp" else "-std=gnu17", "-O0", "-w", "-fno-builtin", "-lstdc++", "-lm", "-lpthread", "-latomic"]
    subprocess.run([compiler, str(source), "-o", str(program), *flags], check=True)
    nowhere = subprocess.DEVNULL
    done = subprocess.run([str(program), str(out)], stdin=nowhere, stdout=nowhere, stderr=nowhere, timeout=120)
    for line in out.read_text().split("\n"):
        words = line.split(" ")
        if words[0] == "broken":
            case = batch.cases[int(words[1])]
            case.broken.append(case.steps[int(words[2])][1])
        elif len(words) == 3:
            batch.cases[int(words[0])].values[int(words[1])] = int(words[2])
    if done.returncode:
        unfinished = [case.name for case in batch.cases if not case.values]
        raise SystemExit(f"the native program ended with status {done.returncode}, before {unfinished[:1]}: {source}")


# --- mutants ----------------------------------------------------------------------------------------------------------


def body_of(text, name):
    """Where the body of the function begins and ends; models may be called by their label."""
    found = re.search(rf"(?<![\w.>]){re.escape(name)}\([^;{{}}]*\)\s*{{", text)
    if not found:
        return None
    at, depth = found.end(), 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return found.end(), at - 1


def mutate(text, name, old, new):
    place = body_of(text, name)
    if not place:
        raise ValueError(f"{name}: its definition is not found")
    start, end = place
    body = text[start:end]
    if old not in body:
        raise ValueError(f"{name}: `{old}` is not in its body")
    return text[:start] + body.replace(old, new, 1) + text[end:]
