#!/usr/bin/env python3
"""Random SymC++ programs that make, link and delete objects, against brute force.

    heap.py HEDDLE [--seed N] [--count N] [--keep FOLDER] [--mutant]

A program is a few global pointers and numbers and one to three threads of straight statements with conditions. The reference is the plainest
interpreter there is: one statement is one step, every interleaving, every value of every input, objects never renamed. It says which lines
violate an assertion and which follow a null or dangling pointer. Heddle must say exactly the same lines with every way of storing and comparing
states, and the same verdict with every engine. The last line of main asks whether both numbers can have certain values there, so a wrong set of
states shows, too. A set that stores states in another way must have as many of them, and better places must not lead to more. A disagreement is printed with its program and makes the exit status 1.
With --mutant statements can be interrupted, which must lead to a disagreement: the exit status is 1 if it does not.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
POINTERS, NUMBERS, INPUTS = ("p", "q", "r"), ("x", "y"), (0, 2)
FAILS = -2  # FAILS - K: where a decision goes that violates an assertion; K is behind it, where --all goes on
EXPLICIT = "-DSYMCPP_EXPLICIT"
SPACE = 60_000  # states of the reference; larger programs are left out

# Options of `heddle check` that must give exactly the violated lines, whatever they cost.
EXACT = [
    ["--engine", "search"],
    ["--engine", "search", "--order", "bfs"],
    ["--stops", "statements", "--match", "ceq", "--heap", "none"],
    ["--stops", "statements", "--match", "ceq", "--heap", "typed"],
    ["--stops", "statements", "--match", "ceq", "--heap", "exact"],
    ["--stops", "statements", "--match", "esm", "--heap", "typed", "--order", "bfs"],
    ["--stops", "statements", "--match", "ess", "--heap", "none"],
    ["--stops", "statements", "--match", "auto", "--heap", "typed"],
    ["--por", "none", "--match", "pesm", "--heap", "typed"],
    ["--stops", "statements", "--match", "ceq", "--heap", "typed", "--order", "bfs", "--visited", "compact"],
    ["--stops", "statements", "--visited", "compact", "--chain", "100"],
    ["--stops", "statements", "--match", "ceq", "--por", "none", "--order", "bfs", "--visited", "compact", "--heap", "typed", "--chain", "100", EXPLICIT],
]
# Complete sets of states, from the plainest to the best, of explicit inputs: exact, too; each has at most as many as the one before, and
# as many if the flag says so.
COUNTED = [
    (["--heap", "none"], False),
    (["--heap", "typed"], False),
    (["--heap", "typed", "--visited", "compact"], True),
    (["--heap", "exact"], False),
    (["--heap", "exact", "--visited", "compact"], True),
]
ALL_STATES = [EXPLICIT, "--stops", "statements", "--match", "ceq", "--por", "none", "--order", "bfs"]
# Options that must give the right verdict, or none.
VERDICT = [
    ["--engine", "dpor"],
    ["--engine", "lazypor"],
    ["--engine", "cegar", "--time", "2"],
    ["--stops", "statements", "--match", "approximate"],
    ["--stops", "statements", "--visited", "compact-unconfirmed", "--chain", "3"],
    ["--stops", "statements", "--match", "approximate", "--heap", "typed", "--order", "bfs"],
]


# --- programs --------------------------------------------------------------------------------------------------------------------------

class Maker:
    """Statements are tuples; `if` holds two lists. Every statement has a line of its own. A careful program looks at pointers before it
    follows them and forgets what it deletes: what goes wrong then goes wrong between threads, or through a second pointer."""

    def __init__(self, rng):
        self.rng = rng
        self.careful = rng.random() < 0.7

    def condition(self):
        kind = self.rng.choice(("null", "value", "number", "guarded", "guarded"))
        pointer, number = self.rng.choice(POINTERS), self.rng.choice(NUMBERS)
        return (kind, pointer, number, self.rng.randint(0, 2))

    def statement(self, depth):
        r = self.rng
        kind = r.choices(("new", "link", "follow", "copy", "clear", "delete", "put", "get", "set", "input", "assert", "if"),
                         (5, 4, 4, 2, 1, 3, 3, 2, 2, 2, 3, 4 if depth else 0))[0]
        p, q, n = r.choice(POINTERS), r.choice(POINTERS), r.choice(NUMBERS)
        if kind == "if":
            return ("if", self.condition(), self.body(r.randint(1, 2), depth - 1), self.body(r.randint(0, 2), depth - 1))
        if kind == "assert":
            return ("assert", self.claim() if self.careful else self.condition())
        plain = (kind, p, q, n, r.randint(0, 2))
        if not self.careful or kind not in ("link", "follow", "delete", "put", "get"):
            return plain
        used = q if kind == "follow" else p
        return ("if", ("null", used, n, 0), [], [plain, ("clear", p, q, n, 0)] if kind == "delete" else [plain])

    def claim(self):
        """Mostly true."""
        p, n = self.rng.choice(POINTERS), self.rng.choice(NUMBERS)
        return (self.rng.choice(("small", "small", "open", "number")), p, n, self.rng.randint(0, 2))

    def body(self, length, depth):
        return [self.statement(depth) for _ in range(length)]

    def program(self):
        threads = self.rng.choice((1, 1, 2, 2, 3))
        length = {1: (4, 9), 2: (2, 4), 3: (1, 2)}[threads]
        bodies = [self.body(self.rng.randint(*length), 2 if threads < 3 else 1) for _ in range(threads)]
        bodies[0].append(("assert", ("both", POINTERS[0], NUMBERS[0], self.rng.randint(0, 8))))
        return bodies


def spell_condition(c):
    kind, p, n, k = c
    return {"null": f"{p} == 0", "value": f"{p}->v == {k}", "number": f"{n} == {k}", "guarded": f"{p} && {p}->v == {k}",
            "small": f"{n} <= 2", "both": f"x + 3 * y != {k}", "open": f"{p} == 0 || {p}->v <= 2"}[kind]


def spell(statement):
    kind = statement[0]
    if kind == "assert":
        return f"assert({spell_condition(statement[1])});"
    _, p, q, n, k = statement
    return {"new": f"{p} = new Node();", "link": f"{p}->n = {q};", "follow": f"{p} = {q}->n;", "copy": f"{p} = {q};", "clear": f"{p} = 0;",
            "delete": f"delete {p};", "put": f"{p}->v = {n};", "get": f"{n} = {p}->v;", "set": f"{n} = {k};",
            "input": f"{n} = symcpp_nondet({INPUTS[0]}, {INPUTS[1]});"}[kind]


class Text:
    """The program as C++, and as code of the reference: (line, statement), jumps by index."""

    def __init__(self, threads):
        self.lines = ["#include <cassert>", "#include <symcpp.h>", "class Node { public: int v; Node *n; };", "Node *p, *q, *r; int x, y;"]
        self.code = []
        for number, body in enumerate(threads):
            self.now = []
            if number == 0:
                continue
            self.lines.append(f"class Thread{number} : public Thread {{ void Run() override {{")
            self.write(body)
            self.lines.append(f"}} }}; Thread{number} t{number};")
            self.code.append(self.now)
        self.now = []
        self.lines.append("int main() {")
        for number in range(1, len(threads)):
            self.lines.append(f"t{number}.Start();")
            self.now.append((len(self.lines), ("start", number)))
        self.write(threads[0])
        self.lines.append("}")
        self.code.insert(0, self.now)

    def decide(self, line, condition, no):
        """Goes on behind if the condition holds, else to `no`, which is set later: returns where. What stands behind && or || is a
        statement of its own, because another thread may come in between."""
        kind, p, n, k = condition
        open_ends = []
        if kind in ("guarded", "open"):
            at = len(self.now)
            self.now.append((line, ["branch", ("null", p, n, k), no if kind == "guarded" else at + 2, at + 1]))
            if kind == "guarded":
                open_ends.append((at, 2))
            kind = "value" if kind == "guarded" else "low"
        open_ends.append((len(self.now), 3))
        self.now.append((line, ["branch", (kind, p, n, k), len(self.now) + 1, no]))
        return open_ends

    def write(self, body):
        for s in body:
            if s[0] == "assert":
                self.lines.append(spell(s))
                for at, which in self.decide(len(self.lines), s[1], None):
                    self.now[at][1][which] = FAILS - len(self.now)
                continue
            if s[0] != "if":
                self.lines.append(spell(s))
                self.now.append((len(self.lines), s))
                continue
            self.lines.append(f"if ({spell_condition(s[1])}) {{")
            line = len(self.lines)
            open_ends = self.decide(line, s[1], None)
            self.write(s[2])
            self.lines.append("} else {")
            over = len(self.now)
            self.now.append(None)
            for at, which in open_ends:
                self.now[at][1][which] = over + 1
            self.write(s[3])
            self.lines.append("}")
            self.now[over] = (line, ("jump", len(self.now)))


# --- the reference ---------------------------------------------------------------------------------------------------------------------

class Fail(Exception):
    pass


class Reference:
    """A state: program counters (None: not started, -1: over), numbers, pointers (0, or number of an object), objects by number
    (None: deleted)."""

    def __init__(self, code):
        self.code = code
        self.bad = set()  # (kind, line)
        self.too_large = False

    def run(self):
        first = ((0,) + (None,) * (len(self.code) - 1), (0, 0), (0, 0, 0), ())
        seen, open_states = {first}, [first]
        while open_states:
            state = open_states.pop()
            for thread, pc in enumerate(state[0]):
                if pc is None or pc < 0 or pc >= len(self.code[thread]):
                    continue
                for successor in self.step(state, thread):
                    if successor not in seen:
                        seen.add(successor)
                        open_states.append(successor)
            if len(seen) > SPACE:
                self.too_large = True
                return

    @staticmethod
    def node(heap, pointer):
        if pointer == 0 or heap[pointer - 1] is None:
            raise Fail
        return heap[pointer - 1]

    def holds(self, c, numbers, pointers, heap):
        kind, p, n, k = c
        pointer = pointers[POINTERS.index(p)]
        if kind == "null":
            return pointer == 0
        if kind == "both":
            return numbers[0] + 3 * numbers[1] != k  # numbers are 0, 1 or 2
        if kind in ("number", "small"):
            number = numbers[NUMBERS.index(n)]
            return number == k if kind == "number" else number <= 2
        value = self.node(heap, pointer)[0]
        return value == k if kind == "value" else value <= 2

    def step(self, state, thread):
        pcs, numbers, pointers, heap = state
        line, s = self.code[thread][pcs[thread]]

        def behind(pc, numbers=numbers, pointers=pointers, heap=heap, start=None):
            new = list(pcs)
            new[thread] = pc
            if start is not None and new[start] is None:
                new[start] = 0
            return (tuple(new), tuple(numbers), tuple(pointers), tuple(heap))

        here = pcs[thread]
        try:
            if s[0] == "start":
                return [behind(here + 1, start=s[1])]
            if s[0] == "jump":
                return [behind(s[1])]
            if s[0] == "branch":
                to = s[2] if self.holds(s[1], numbers, pointers, heap) else s[3]
                if to <= FAILS:
                    self.bad.add(("assert", line))
                return [behind(FAILS - to if to <= FAILS else to)]
            kind, p, q, n, k = s
            pi, qi, ni = POINTERS.index(p), POINTERS.index(q), NUMBERS.index(n)
            if kind == "input":
                return [behind(here + 1, numbers[:ni] + (v,) + numbers[ni + 1:]) for v in range(INPUTS[0], INPUTS[1] + 1)]
            numbers, pointers, heap = list(numbers), list(pointers), list(heap)
            if kind == "new":
                heap.append((0, 0))
                pointers[pi] = len(heap)
            elif kind == "link":
                heap[pointers[pi] - 1] = (self.node(heap, pointers[pi])[0], pointers[qi])
            elif kind == "follow":
                pointers[pi] = self.node(heap, pointers[qi])[1]
            elif kind == "copy":
                pointers[pi] = pointers[qi]
            elif kind == "clear":
                pointers[pi] = 0
            elif kind == "delete":
                if pointers[pi] != 0:
                    self.node(heap, pointers[pi])
                    heap[pointers[pi] - 1] = None
            elif kind == "put":
                heap[pointers[pi] - 1] = (numbers[ni], self.node(heap, pointers[pi])[1])
            elif kind == "get":
                numbers[ni] = self.node(heap, pointers[pi])[0]
            elif kind == "set":
                numbers[ni] = k
            return [behind(here + 1, numbers, pointers, heap)]
        except Fail:
            self.bad.add(("memory", line))
            return [behind(-1)]


# --- Heddle ----------------------------------------------------------------------------------------------------------------------------

def ask(heddle, file, options):
    command = [heddle, "check", "--json", "--all", "--property", "assert,memory", "--atomicity", "statements", *options, file]
    process = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    try:
        return json.loads(process.stdout)
    except json.JSONDecodeError:
        sys.exit(f"heap.py: {' '.join(command)}: status {process.returncode}\n{process.stdout}{process.stderr}")


def violated(result, deletes):
    """The check of `delete` is one for all places: it counts as one line."""
    lines = {("assert" if p["kind"] == "assert" else "memory", p["position"]["line"]) for p in result["properties"] if p["verdict"] == "unsafe"}
    return {("memory", 0) if line[1] in deletes else line for line in lines}


def interrupted(heddle, file, bad, deletes):
    options = ["--engine", "search", "--atomicity", "operations"]
    found = violated(ask(heddle, file, options), deletes)
    if found != bad:
        yield options, f"missed {sorted(bad - found)}, invented {sorted(found - bad)}"


def disagreements(heddle, file, bad, deletes):
    expected = "unsafe" if bad else "safe"
    for options in EXACT:
        result = ask(heddle, file, options)
        found = violated(result, deletes)
        if found != bad or result["verdict"] != expected:
            yield options, f"{result['verdict']} {result.get('reason') or ''}; missed {sorted(bad - found)}, invented {sorted(found - bad)}"
    before = None
    for more, equal in COUNTED:
        result = ask(heddle, file, [*ALL_STATES, *more])
        found, states = violated(result, deletes), result["statistics"]["states"]
        if found != bad or result["verdict"] != expected:
            yield more, f"{result['verdict']} {result.get('reason') or ''}; missed {sorted(bad - found)}, invented {sorted(found - bad)}"
        if before is not None and (states > before or (equal and states != before)):
            yield more, f"{states} states, {before} before"
        before = states
    for options in VERDICT:
        result = ask(heddle, file, options)
        if result["verdict"] not in (expected, "unknown") or not violated(result, deletes) <= bad:
            yield options, f"{result['verdict']} instead of {expected}; invented {sorted(violated(result, deletes) - bad)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--keep", type=pathlib.Path, help="programs that are answered wrongly go there")
    parser.add_argument("--mutant", action="store_true", help="statements can be interrupted")
    arguments = parser.parse_args()
    compare = interrupted if arguments.mutant else disagreements
    wrong = tried = unsafe = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text = Text(Maker(random.Random(seed)).program())
            reference = Reference(text.code)
            reference.run()
            if reference.too_large:
                continue
            tried += 1
            unsafe += bool(reference.bad)
            file = pathlib.Path(folder) / f"heap-{seed}.cpp"
            file.write_text("\n".join(text.lines) + "\n", encoding="utf-8")
            deletes = {k + 1 for k, line in enumerate(text.lines) if line.startswith("delete")}
            bad = {("memory", 0) if line in deletes else (kind, line) for kind, line in reference.bad}
            for options, what in compare(arguments.heddle, str(file), bad, deletes):
                wrong += 1
                print(f"seed {seed}: {' '.join(options)}: {what}", flush=True)
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    configurations = 1 if arguments.mutant else len(EXACT) + len(COUNTED) + len(VERDICT)
    print(f"{tried} programs, {unsafe} of them unsafe, {configurations} configurations each: {wrong} disagreements")
    return 0 if tried and bool(wrong) == arguments.mutant else 1


if __name__ == "__main__":
    sys.exit(main())
