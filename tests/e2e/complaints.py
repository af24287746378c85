#!/usr/bin/env python3
"""What users of verifiers complain of, and that Heddle does not do it. docs/complaints.md is the list.

    complaints.py HEDDLE [NUMBER...]
"""

import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ["search", "dpor", "lazypor", "cegar", "esst"]
SAFE, UNSAFE, REFUSED, UNKNOWN, FAILED = range(5)  # exit statuses

HEADERS = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n"
START_AND_JOIN = (
    "pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);"
    " pthread_join(a, 0); pthread_join(b, 0);"
)


class Folder:
    """A folder to work in, and the program under test."""

    def __init__(self, heddle, path):
        self.heddle, self.path, self.wrong = heddle, Path(path), []

    def write(self, name, text):
        (self.path / name).write_text(text)
        return name

    def run(self, *arguments, environment=None, stdout=subprocess.PIPE):
        return subprocess.run([self.heddle, "check", *arguments], cwd=self.path, stdin=subprocess.DEVNULL, text=True, timeout=100,
                              stdout=stdout, stderr=subprocess.PIPE, env=dict(os.environ, **(environment or {})))

    def require(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def expect(self, status, *arguments, **how):
        done = self.run(*arguments, **how)
        said = f"{done.stdout}{done.stderr}"[:400]
        self.require(done.returncode == status, f"status {done.returncode} instead of {status}: {' '.join(map(str, arguments))}\n{said}")
        return done

    def result(self, *arguments):
        return json.loads(self.run("--json", *arguments).stdout)


def two_threads(first, second, check, globals_):
    """A C program of two threads that main waits for."""
    return (
        f"{HEADERS}{globals_}\n"
        f"void *first(void *unused) {{ {first} return unused; }}\nvoid *second(void *unused) {{ {second} return unused; }}\n"
        f"int main(void) {{ {START_AND_JOIN} {check} return 0; }}\n"
    )


INCREMENTS = two_threads("x++;", "x++;", "assert(x == 2);", "int x;")
LOCKED = two_threads(*["pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"] * 2, "assert(x == 2);",
                     "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")


# --- 1 ------------------------------------------------------------------------------------------------------------------


def largest_of_triangular(rounds):
    """Two threads, `i = j + 1` and `j = i + 1`, `rounds` times each: the largest number under any schedule, by trying all."""
    largest = 0
    steps = 2 * rounds  # of each thread: read, write, read, write
    for chosen in itertools.combinations(range(2 * steps), steps):
        cell, register, done = [3, 6], [0, 0], [0, 0]
        for at in range(2 * steps):
            t = 0 if at in chosen else 1
            if done[t] % 2 == 0:
                register[t] = cell[1 - t]
            else:
                cell[t] = register[t] + 1
            done[t] += 1
        largest = max(largest, *cell)
    return largest


def complaint_1(f):
    """Wrong verdicts on trivial races; options that change the cost change the verdict."""
    f.write("increments.c", INCREMENTS)
    f.write("locked.c", LOCKED)
    for engine in ["auto", *ENGINES]:
        f.expect(UNSAFE, "--engine", engine, "increments.c")
    f.expect(UNSAFE, "--property", "race", "increments.c")
    f.expect(SAFE, "--property", "race,assert", "locked.c")
    f.write("read.c", two_threads("x = 1;", "int seen = x; (void)seen;", "", "int x;"))
    f.expect(UNSAFE, "--property", "race", "read.c")

    most = largest_of_triangular(2)
    loop = "for (int k = 0; k < 2; k++) %s;"
    for bound, verdict in ((most, SAFE), (most - 1, UNSAFE)):
        f.write("triangular.c", two_threads(loop % "i = j + 1", loop % "j = i + 1", f"assert(i <= {bound} && j <= {bound});",
                                            "int i = 3, j = 6;"))
        f.expect(verdict, "triangular.c")

    # an input, so that the solver has something to do
    asked = "int x, n; int __VERIFIER_nondet_int(void);"
    thread = "int k = n; if (k > 3 && k * k < 50) x = x + 1;"
    f.write("flips.c", two_threads(thread, thread, "assert(!(n > 3 && n < 8) || x == 2);", asked).replace(
        "int main(void) {", "int main(void) { n = __VERIFIER_nondet_int();"))
    f.write("keeps.c", (f.path / "flips.c").read_text().replace("|| x == 2", "|| x >= 1"))
    for switch in ("slicing", "simplify", "model-reuse", "query-cache", "incremental", "path-gc", "dead-clearing", "z3"):
        f.expect(UNSAFE, f"--no-{switch}", "flips.c")
        f.expect(SAFE, f"--no-{switch}", "keeps.c")


# --- 2 ------------------------------------------------------------------------------------------------------------------


def complaint_2(f):
    """Pointers and threads together are refused."""
    through = "int *p = where; (*p)++;"
    for safe in (False, True):
        step = f"pthread_mutex_lock(&m); {through} pthread_mutex_unlock(&m);" if safe else through
        # the cell is on the heap, on the stack of main, and behind a pointer that changes
        f.write("heap.c", two_threads(step, step, "assert(*where == 2); free(where);",
                                      "int *where; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;").replace(
            "int main(void) {", "int main(void) { where = calloc(1, sizeof *where); if (!where) return 0;"))
        f.expect(SAFE if safe else UNSAFE, "heap.c")
        f.write("stack.c", two_threads(step, step, "assert(cell == 2);", "int *where; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
                .replace("int main(void) {", "int main(void) { int cell = 0; where = &cell;"))
        f.expect(SAFE if safe else UNSAFE, "stack.c")
    f.write("moves.c", two_threads("where = &y;", "*where = 1;", "assert(x + y == 1); assert(x == 0);", "int x, y; int *where = &x;"))
    f.expect(UNSAFE, "moves.c")  # the second thread may still have the old pointer
    f.write("moves.c", (f.path / "moves.c").read_text().replace("assert(x == 0);", ""))
    f.expect(SAFE, "moves.c")
    f.expect(SAFE, ROOT / "models/c/lock-free-stack.c")


# --- 3 ------------------------------------------------------------------------------------------------------------------


def classes(threads):
    """How many executions of straight-line threads differ in more than the order of independent accesses; by trying all.

    A thread is a list of (variable, writes)."""
    found = set()
    order = [t for t, steps in enumerate(threads) for _ in steps]
    for schedule in set(itertools.permutations(order)):
        at, seen, pairs = [0] * len(threads), [], []
        for t in schedule:
            access = threads[t][at[t]]
            pairs += [((u, k), (t, at[t])) for u, k, other in seen if u != t and other[0] == access[0] and (other[1] or access[1])]
            seen.append((t, at[t], access))
            at[t] += 1
        found.add(frozenset(pairs))
    return len(found)


def straight_line(threads):
    """The same as a C program."""
    text = [HEADERS, "int v[8], sink[8][8];"]
    for t, steps in enumerate(threads):
        body = " ".join(f"v[{v}] = {t + 1};" if writes else f"sink[{t}][{k}] = v[{v}];" for k, (v, writes) in enumerate(steps))
        text.append(f"void *t{t}(void *p) {{ {body} return p; }}")
    make = "".join(f"pthread_create(&id[{t}], 0, t{t}, 0);" for t in range(len(threads)))
    wait = "".join(f"pthread_join(id[{t}], 0);" for t in range(len(threads)))
    return "\n".join(text) + f"\nint main(void) {{ pthread_t id[8]; {make} {wait} return 0; }}\n"


def complaint_3(f):
    """The number of interleavings grows from release to release and nobody notices."""
    read, write = False, True
    programs = [
        # (threads, closed formula)
        ([[(0, write)]] * 4, math.factorial(4)),  # four writes of one variable: every order
        ([[(t, write)] for t in range(5)], 1),  # each its own variable: all orders are the same
        ([[(0, write)]] + [[(0, read)]] * 4, 2**4),  # each reader before or after the write
        ([[(0, write), (0, write)]] * 2, math.comb(4, 2)),  # two writes each: merge two sequences
        ([[(0, read), (0, write)]] * 2, 4),  # x++ twice: one after the other (2), or both read first and either writes last (2)
        ([[(0, write), (1, read)], [(1, write), (0, read)]], 2 * 2 - 1),  # two races; that both read the old value would be a cycle
    ]
    for threads, formula in programs:
        counted = classes(threads)
        f.write("count.c", straight_line(threads))
        f.require(counted == formula, f"the formula says {formula}, trying all orders {counted}: {threads}")
        for options in (["--engine", "dpor", "--por", "optimal"], ["--engine", "lazypor"]):
            statistics = f.result(*options, "count.c")["statistics"]
            f.require(statistics["executions"] == counted,
                      f"{statistics['executions']} executions instead of {counted}: {' '.join(options)} {threads}")


# --- 4 ------------------------------------------------------------------------------------------------------------------


def complaint_4(f):
    """Success up to a bound is told as success; which loop? options override each other silently."""
    f.write("loop.c", "#include <assert.h>\nint main(void) {\n    int n = 0;\n    while (n < 10)\n        n++;\n    assert(n == 10);\n    return 0;\n}\n")
    for bound in (1, 9):
        done = f.expect(UNKNOWN, "--unwind", str(bound), "loop.c")
        f.require(re.match(r"unknown: loop bound \(--unwind\) \(loop\.c:4:", done.stdout), f"the loop is not named: {done.stdout[:200]}")
    f.expect(SAFE, "--unwind", "11", "loop.c")
    f.write("locked.c", LOCKED)
    peterson = ROOT / "models/c/peterson.c"
    for limit in (["--context-bound", "1"], ["--engine", "dpor", "--max-depth", "5"], ["--engine", "search", "--max-states", "3"],
                  ["--engine", "search", "--max-transitions", "3"]):
        done = f.expect(UNKNOWN, *limit, peterson)
        f.require(re.match(r"unknown: \w+ ", done.stdout), f"no reason: {done.stdout[:100]}")
    f.write("timed.ivl", "int x = 0;\nthread A { wait_time 100; x = 1; assert x == 1; }\nmain { start; }\n")
    f.expect(UNKNOWN, "--sim-time", "50", "timed.ivl")
    f.expect(SAFE, "--sim-time", "150", "timed.ivl")
    for first, second in (
        ("--deterministic", "--time=5s"), ("--order=bfs", "--visited-memory=10M"), ("--engine=dpor", "--match=ess"),
        ("--engine=dpor", "--por=ample"), ("--engine=search", "--por=optimal"), ("--engine=dpor", "--order=bfs"),
        ("--engine=lazypor", "--stops=loops"), ("--engine=dpor", "--certify"), ("--engine=search", "--domain=explicit"),
        ("--engine=search", "--state-tracking"), ("--engine=dpor", "--visited=compact"), ("--engine=lazypor", "--por=source"),
    ):
        done = f.expect(REFUSED, first, second, "locked.c")
        f.require(done.stdout == "" and "error" in done.stderr, f"not refused properly: {first} {second}: {done.stderr}")
    f.expect(REFUSED, "locked.c", second, first)


# --- 5 ------------------------------------------------------------------------------------------------------------------


def complaint_5(f):
    """Traces begin with insides of libraries and show bit strings; what is the input that triggers it?"""
    text = two_threads("pthread_mutex_lock(&m); total += amount; pthread_mutex_unlock(&m);",
                       "pthread_mutex_lock(&m); if (amount > 1000) total *= 2; pthread_mutex_unlock(&m);",
                       "assert(total != 4660);", "int total, amount; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint ask(void);")
    text = text.replace("int main(void) {", "int main(void) { amount = ask();")
    f.write("sum.c", text)
    f.write("ask.c", "int __VERIFIER_nondet_int(void);\nint ask(void) { return __VERIFIER_nondet_int(); }\n")
    done = f.expect(UNSAFE, "sum.c", "--stubs", "ask.c")
    report = done.stdout
    steps = report[report.index("How it happens:"):report.rindex("\n\n")]
    f.require(report.startswith("unsafe\n\nAssertion violated: total != 4660\n  at sum.c:"), f"the violation does not come first: {report[:200]}")
    f.require("\nInputs:\n" in report and report.index("\nInputs:\n") < report.index("How it happens:"), "inputs are not listed")
    for place in re.findall(r"^\s+\d+\. (\S+?):\d+:\d+", steps, re.M):
        f.require(place in ("sum.c", "ask.c"), f"a step of {place}")
    f.require(not re.search(r"llvm\.|__heddle|\b__pthread|\b[01]{12,}\b|0x[0-9a-f]{6,}", report), f"not for people:\n{steps}")

    # With these inputs in place of the unknown ones, the program fails as well; with others it need not.
    inputs = f.result("sum.c", "--stubs", "ask.c")["trace"]["steps"]
    values = [i["value"] for step in inputs for i in step["inputs"]]
    f.require(len(values) == 1 and re.fullmatch(r"-?\d+", str(values[0])), f"inputs are not plain numbers: {values}")
    f.write("ask.c", f"int ask(void) {{ return {values[0]}; }}\n")
    f.expect(UNSAFE, "sum.c", "--stubs", "ask.c")
    f.write("ask.c", "int ask(void) { return 7; }\n")
    f.expect(SAFE, "sum.c", "--stubs", "ask.c")

    f.write("increments.c", INCREMENTS)
    replayed = f.expect(UNSAFE, "--replay-binary", "increments.c").stdout
    f.require("the compiled program fails with this schedule" in replayed and "Assertion `x == 2' failed" in replayed, f"no replay: {replayed[-300:]}")


# --- 6 ------------------------------------------------------------------------------------------------------------------

WORK = ["states", "transitions", "executions", "solver_queries"]


def complaint_6(f):
    """Traces make runs many times slower, although nobody asked for them."""
    f.write("increments.c", INCREMENTS)
    f.write("locked.c", LOCKED)
    for program, verdict in (("increments.c", UNSAFE), ("locked.c", SAFE)):
        plain = f.result("--deterministic", program)["statistics"]
        for asked in (["--trace", "t.json"], ["--verbose"], ["--verdict-line"], ["--replay-binary"]):
            some = f.result("--deterministic", *asked, program)["statistics"]
            f.require(all(some[k] == plain[k] for k in WORK), f"{asked} changes the work: {some} instead of {plain}")
        f.require((f.path / "t.json").exists() == (verdict == UNSAFE), f"a trace of {program} is (not) written")
        (f.path / "t.json").unlink(missing_ok=True)
        before = set(f.path.iterdir())
        f.expect(verdict, program)
        f.require(set(f.path.iterdir()) == before, "files that nobody asked for")


# --- 7 ------------------------------------------------------------------------------------------------------------------


def protected(declaration, enter, leave, prepare=""):
    """x++ between `enter` and `leave` in two threads."""
    step = f"{enter} x++; {leave}"
    return two_threads(step, step, "assert(x == 2);", f"#include <threads.h>\nint x;\n{declaration}").replace(
        "int main(void) {", f"int main(void) {{ {prepare}")


def complaint_7(f):
    """Condition variables, recursive locks, barriers, spin locks are missing. Each is used rightly (safe) and wrongly (unsafe)."""
    recursive = "pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &k);"
    twice, unlocked = "pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);"
    monitor = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int busy;"
    wait = "pthread_mutex_lock(&m); while (busy) pthread_cond_wait(&c, &m); busy = 1; pthread_mutex_unlock(&m);"
    go = "pthread_mutex_lock(&m); busy = 0; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"
    barrier = two_threads("x = 1; pthread_barrier_wait(&b0);", "pthread_barrier_wait(&b0); assert(x == 1);", "", "int x; pthread_barrier_t b0;").replace(
        "int main(void) {", "int main(void) { pthread_barrier_init(&b0, 0, 2);")
    once = two_threads("pthread_once(&o, init);", "pthread_once(&o, init); assert(x == 1);", "assert(x == 1);",
                       "int x; pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x++; }")
    uses = {
        # name: (used rightly, used wrongly, properties)
        "recursive": (protected("pthread_mutex_t m;", twice, unlocked, recursive),
                      protected("pthread_mutex_t m;", twice, unlocked, recursive.replace("RECURSIVE", "NORMAL")), "assert,deadlock"),
        "condition": (protected(monitor, wait, go), protected(monitor, wait.replace("while", "if"), go), "assert"),
        "condition-deadlock": (protected(monitor, wait, go), protected(monitor, wait, go.replace("pthread_cond_signal(&c);", "")), "deadlock"),
        "barrier": (barrier, barrier.replace("&b0, 0, 2", "&b0, 0, 1"), "assert"),
        "spin lock": (protected("pthread_spinlock_t s;", "pthread_spin_lock(&s);", "pthread_spin_unlock(&s);", "pthread_spin_init(&s, 0);"),
                      protected("pthread_spinlock_t s;", "int r = pthread_spin_trylock(&s);", "if (!r) pthread_spin_unlock(&s);", "pthread_spin_init(&s, 0);"),
                      "assert"),
        "read-write lock": (protected("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_wrlock(&l);", "pthread_rwlock_unlock(&l);"),
                            protected("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_rdlock(&l);", "pthread_rwlock_unlock(&l);"), "assert"),
        "once": (once, once.replace("pthread_once(&o, init);", "init();"), "assert"),
        "semaphore": (protected("sem_t s;", "sem_wait(&s);", "sem_post(&s);", "sem_init(&s, 0, 1);"),
                      protected("sem_t s;", "sem_wait(&s);", "sem_post(&s);", "sem_init(&s, 0, 2);"), "assert"),
        "C11": (protected("mtx_t m;", "mtx_lock(&m);", "mtx_unlock(&m);", "mtx_init(&m, mtx_plain);"),
                protected("mtx_t m;", "int r = mtx_trylock(&m);", "if (r == thrd_success) mtx_unlock(&m);", "mtx_init(&m, mtx_plain);"), "assert"),
    }
    for name, (right, wrong, properties) in uses.items():
        f.write("right.c", right)
        f.write("wrong.c", wrong)
        before = len(f.wrong)
        f.expect(SAFE, "--property", properties, "right.c")
        f.expect(UNSAFE, "--property", properties, "wrong.c")
        f.wrong[before:] = [f"{name}: {text}" for text in f.wrong[before:]]


# --- 8 ------------------------------------------------------------------------------------------------------------------

PRIME = 2**62 - 57  # so the assertion below holds, and solvers take long to see it
HARD = f"u64 x = ?(u64);\nu64 y = ?(u64);\nthread A {{ assume x > 1 && y > 1 && x < 4294967296 && y < 4294967296; assert x * y != {PRIME}; }}\nmain {{ start; }}\n"


def complaint_8(f):
    """A solver that hangs, crashes or is not there takes the run with it."""
    f.write("hard.ivl", HARD)
    f.write("easy.c", two_threads("x++;", "", "assert(n != 7 || x == 2);", "int x, n; int __VERIFIER_nondet_int(void);").replace(
        "int main(void) {", "int main(void) { n = __VERIFIER_nondet_int();"))
    done = f.expect(UNKNOWN, "--query-time", "10ms", "hard.ivl")
    f.require(re.match(r"unknown: \S", done.stdout), f"no reason: {done.stdout[:100]}")
    solvers = {
        "hangs": "exec sleep 1000",
        "hangs in a process of its own": "sleep 60 & wait",
        "crashes": "kill -SEGV $$",
        "talks nonsense": "echo '(error perhaps)'",
        "answers with half a model": "echo sat; echo '((x #x'",
    }
    for name, script in solvers.items():
        folder = f.path / name
        folder.mkdir()
        (folder / "z3").write_text(f"#!/bin/sh\n: > '{folder}/was-asked'\n{script}\n")
        (folder / "z3").chmod(0o755)
        path = {"PATH": f"{folder}:{os.environ['PATH']}"}
        before = len(f.wrong)
        done = f.expect(UNKNOWN, "--jobs", "2", "--query-time", "50ms", "hard.ivl", environment=path)
        f.require("not finished" not in done.stdout, f"an explorer was held up: {done.stdout}")
        f.require(re.match(r"unknown: \S", done.stdout), f"no reason: {done.stdout[:100]}")
        f.require((folder / "was-asked").exists(), "the test is void: nobody asked this solver")
        f.wrong[before:] = [f"z3 {name}: {text}" for text in f.wrong[before:]]
    f.expect(UNSAFE, "easy.c", environment=path)
    f.expect(UNSAFE, "--no-z3", "easy.c")


# --- 9 ------------------------------------------------------------------------------------------------------------------


def complaint_9(f):
    """An engine or mode does not do what is asked, and nobody is told."""
    crossed = two_threads("pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                          "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);", "",
                          "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;")
    violating = {
        "assert": INCREMENTS,
        "race": INCREMENTS,
        "deadlock": crossed,
        "leak": two_threads("p = malloc(4);", "free(p);", "", "void *p;"),
        "memory": two_threads("p = 0;", "if (p) *p = 1;", "", "int x; int *p = &x;"),
        "overflow": two_threads("x++;", "x = 2147483647;", "", "int x;"),
    }
    cannot = {("lazypor", "race")} | {(e, p) for e in ("cegar", "esst") for p in ("race", "deadlock", "leak")}
    f.write("locked.c", LOCKED)
    for property_, text in violating.items():
        f.write("violating.c", text)
        f.require(f.run("--property", property_, "violating.c").returncode == UNSAFE, f"auto misses {property_}")
        for engine in ENGINES:
            gap = (engine, property_) in cannot
            status = f.run("--engine", engine, "--property", property_, "violating.c").returncode
            f.require(status == UNSAFE or gap and status == UNKNOWN, f"{engine} {property_}: status {status}")
            if gap:  # what it does not look for it does not prove
                done = f.expect(UNKNOWN, "--engine", engine, "--property", property_, "locked.c")
                f.require(re.match(r"unknown: .*(races|deadlocks|leaks)", done.stdout), f"{engine} {property_}: {done.stdout[:100]}")
    f.write("design.ivl", "int x = 0;\nthread A { x = 1; }\nthread B { x = 2; }\nmain { start; }\n")
    for engine in ("dpor", "lazypor"):
        f.expect(REFUSED, "--engine", engine, "design.ivl")
    done = f.expect(UNKNOWN, "--property", "race", "design.ivl")
    f.require("data races are not looked for" in done.stdout, f"races of processes: {done.stdout[:200]}")
    f.write("weak.c", "#include <stdatomic.h>\n" + two_threads("atomic_store_explicit(&x, 1, memory_order_relaxed);", "", "assert(x == 1);", "atomic_int x;"))
    done = f.expect(UNKNOWN, "weak.c")
    f.require("memory model" in done.stdout, f"weak memory: {done.stdout[:200]}")
    f.expect(SAFE, "--memory-model", "sc", "weak.c")


# --- 10 -----------------------------------------------------------------------------------------------------------------


def complaint_10(f):
    """`unknown` cannot be told from a crash or an error; there is no --version."""
    f.write("safe.c", LOCKED)
    f.write("unsafe.c", INCREMENTS)
    f.write("unknown.c", "int missing(void);\nint main(void) { return missing(); }\n")
    f.write("broken.c", "int main(void) { return 0 }\n")
    for name, status, verdict in (("safe", SAFE, "true"), ("unsafe", UNSAFE, "false(unreach-call)"), ("unknown", UNKNOWN, "unknown")):
        done = f.expect(status, "--verdict-line", f"{name}.c")
        lines = done.stdout.splitlines()
        f.require(lines[0].split(":")[0] == name, f"the first line is {lines[0]}")
        f.require(lines[-1] == f"Verdict: {verdict}" and done.stdout.count("Verdict:") == 1, f"the last line is {lines[-1]}")
        f.require(f.result(f"{name}.c")["verdict"] == name, f"the JSON verdict is not {name}")
    for name in ("broken.c", "absent.c"):
        done = f.expect(REFUSED, name)
        f.require(name in done.stderr and done.stdout == "", f"{name}: {done.stdout}{done.stderr}")
    done = f.expect(REFUSED, "--no-such-option", "safe.c")
    with open("/dev/full", "w") as full:
        done = f.expect(FAILED, "safe.c", stdout=full)
    f.require("cannot write" in done.stderr, f"a full disk: {done.stderr}")
    version = subprocess.run([f.heddle, "--version"], text=True, stdout=subprocess.PIPE)
    f.require(version.returncode == 0 and re.fullmatch(r"heddle \d+\.\d+\.\d+\S*\n", version.stdout), f"--version: {version.stdout}")


COMPLAINTS = [complaint_1, complaint_2, complaint_3, complaint_4, complaint_5, complaint_6, complaint_7, complaint_8, complaint_9, complaint_10]


def answer(heddle, test):
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(heddle, path)
        test(folder)
        return folder.wrong


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    chosen = [COMPLAINTS[int(number) - 1] for number in sys.argv[2:]] or COMPLAINTS
    failures = 0
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for test, wrong in zip(chosen, pool.map(lambda one: answer(heddle, one), chosen)):
            print(f"{'FAIL' if wrong else 'ok  '} {test.__name__[10:]:>2} {test.__doc__}")
            for text in wrong:
                print(f"     {text}")
            failures += len(wrong)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
