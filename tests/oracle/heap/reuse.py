#!/usr/bin/env python3
"""Random C programs whose threads free memory, make some, and compare pointers, against brute force.

    reuse.py HEDDLE [--seed N] [--count N] [--keep FOLDER] [--mutant WHICH]

A program is main and one or two threads of a few operations on two global pointers, pointers of their own and a number. The reference is an
interpreter with an allocator: a new block lies at any address where no block lies now, one that was never used or one that was freed, and
every choice is followed, in every interleaving. Pointers are compared by their addresses; what is freed must be a live block. It says whether
some execution violates an assertion or frees something that is not there. Heddle, which has no addresses, must say the same. Only programs
are asked about whose answer depends on where blocks may lie.

Mutants make the reference wrong, in one respect each, and must lead to a disagreement: `never` (memory is never used again), `own` (only by
the thread that freed it), `early` (also while its block is there), `first` (always the lowest address).
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

GLOBALS, LOCALS = ("g", "h"), ("a", "b", "c")
SPACE = 150_000  # states of the reference; larger programs are left out
NULL = 0

# Options of `heddle check` that must give the verdict, whatever it costs.
EXACT = [
    [],
    ["--engine", "search"],
    ["--engine", "search", "--por", "none", "--order", "bfs"],
    ["--engine", "search", "--match", "none"],
    ["--engine", "dpor"],
    ["--engine", "dpor", "--por", "source"],
    ["--engine", "dpor", "--por", "persistent"],
    ["--engine", "lazypor"],
]
# Options that must give the right one, or none.
RIGHT = [["--engine", "cegar", "--time", "2s"], ["--engine", "esst", "--time", "2s"]]
MUTANTS = ("never", "own", "early", "first")


# --- programs --------------------------------------------------------------------------------------------------------------------------

class Maker:
    """Operations are tuples; those that decide something hold a list. Mostly a thread frees what it has taken away from a global pointer, or
    has made itself, and keeps a copy."""

    def __init__(self, rng):
        self.rng = rng

    def locals(self, count):
        return self.rng.sample(LOCALS, count)

    def pair(self):
        a, b = self.locals(2)
        return a, b

    def operations(self, depth):
        r = self.rng
        a, b = self.pair()
        g = r.choice(GLOBALS)
        kind = r.choices(("take", "make", "load", "store", "free", "renew", "grow", "cas", "if", "assert", "set", "expect"),
                         (4, 4, 4, 3, 1, 2, 1, 3 if depth else 0, 2 if depth else 0, 3, 2, 1))[0]
        if kind == "take":
            return [("swap", a, g), ("move", b, a), ("free", a)] if r.random() < 0.8 else [("swap", a, g)]
        if kind == "make":
            return [("new", a)] + ([("store", g, a)] if r.random() < 0.5 else [])
        if kind == "renew":
            return [("new", a), ("move", b, a), ("free", a), ("new", a)]
        if kind == "grow":
            return [("new", a), ("move", b, a), ("grow", a)]
        if kind in ("cas", "if"):
            return [(kind, g, a, b, self.body(r.randint(1, 2), depth - 1))]
        return [{"load": ("load", a, g), "store": ("store", g, a), "free": ("free", a), "assert": ("assert", a, b), "set": ("set", r.randint(1, 2)),
                 "expect": ("expect", r.randint(1, 2))}[kind]]

    def body(self, length, depth):
        return [operation for _ in range(length) for operation in self.operations(depth)]

    def program(self):
        threads = self.rng.choice((1, 1, 1, 2))
        bodies = [self.body(self.rng.randint(2, 3) if threads == 1 else self.rng.randint(1, 2), 1) for _ in range(threads)]
        begin = [("new", "a"), ("store", "g", "a")] + ([("new", "b"), ("store", "h", "b")] if self.rng.random() < 0.4 else [])
        main = self.body(self.rng.randint(1, 3), 1)
        end = self.body(self.rng.randint(0, 1), 0) + [("assert", *self.pair())]
        return begin, main, end, bodies


class Text:
    """The program as C, and as code of the reference: jumps by index."""

    def __init__(self, program):
        begin, main, end, bodies = program
        self.lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>",
                      "_Atomic(void *) g, h;", "atomic_int x;"]
        self.code = []
        declare = "void *" + ", *".join(f"{name} = NULL" for name in LOCALS) + ";"
        for number, body in enumerate(bodies, 1):
            self.now = []
            self.lines += [f"static void *thread{number}(void *argument) {{", declare]
            self.write(body)
            self.lines += ["(void)a, (void)b, (void)c;", "return argument;", "}"]
            self.code.append(self.now)
        self.now = []
        self.lines += ["int main(void) {", declare]
        self.write(begin)
        for number in range(1, len(bodies) + 1):
            self.lines += [f"pthread_t t{number};", f"pthread_create(&t{number}, NULL, thread{number}, NULL);"]
            self.now.append(("start", number))
        self.write(main)
        for number in range(1, len(bodies) + 1):
            self.lines.append(f"pthread_join(t{number}, NULL);")
            self.now.append(("join", number))
        self.write(end)
        self.lines += ["(void)c;", "return 0;", "}"]
        self.code.insert(0, self.now)

    def write(self, body):
        for operation in body:
            if operation[0] in ("cas", "if"):
                self.decide(operation)
                continue
            self.lines.append(self.spell(*operation))
            self.now.append(operation)

    def decide(self, operation):
        kind, g, a, b, then = operation
        if kind == "cas":
            self.lines += [f"{{ void *seen = {a};", f"if (atomic_compare_exchange_strong(&{g}, &seen, {b})) {{"]
        else:
            self.lines.append(f"{{ if ({a} == {b}) {{")
        at = len(self.now)
        self.now.append(None)
        self.write(then)
        self.lines.append("} }")
        self.now[at] = (kind, g, a, b, len(self.now))

    @staticmethod
    def spell(kind, *given):
        first, second = given[0], given[-1]
        return {"new": f"{first} = malloc(4);", "free": f"free({first});", "grow": f"{first} = realloc({first}, 8);", "load": f"{first} = {second};",
                "store": f"{first} = {second};", "move": f"{first} = {second};", "swap": f"{first} = atomic_exchange(&{second}, NULL);",
                "set": f"x = {first};", "expect": f"assert(x != {first});", "assert": f"assert({first} != {second} || !{first});"}[kind]


# --- the reference ---------------------------------------------------------------------------------------------------------------------

class Bad(Exception):
    pass


class Reference:
    """A state: program counters (None: not started), pointers of threads, global pointers, the number, blocks as (address, who freed it or
    None). A pointer is 0 or the number of a block."""

    def __init__(self, code, mutant):
        self.code = code
        self.mutant = mutant
        self.bad = self.too_large = False

    def run(self):
        count = len(self.code)
        first = ((0,) + (None,) * (count - 1), ((NULL,) * len(LOCALS),) * count, (NULL,) * len(GLOBALS), 0, ())
        seen, open_states = {first}, [first]
        while open_states and not self.bad and not self.too_large:
            state = open_states.pop()
            for thread, pc in enumerate(state[0]):
                if pc is None or pc >= len(self.code[thread]):
                    continue
                try:
                    for successor in self.step(state, thread):
                        if successor not in seen:
                            seen.add(successor)
                            open_states.append(successor)
                except Bad:
                    self.bad = True
            self.too_large = len(seen) > SPACE

    def places(self, blocks, thread):
        """Where a new block may lie."""
        fresh = 1 + max((address for address, _ in blocks), default=0)
        taken = {address for address, freed_by in blocks if freed_by is None}
        if self.mutant == "never":
            return [fresh]
        if self.mutant == "early":
            return range(1, fresh + 1)
        allowed = [place for place in range(1, fresh + 1) if place not in taken]
        if self.mutant == "own":
            others = {address for address, freed_by in blocks if freed_by not in (None, thread)}
            allowed = [place for place in allowed if place not in others]
        return allowed[:1] if self.mutant == "first" else allowed

    def step(self, state, thread):
        pcs, owned, shared, number, blocks = state
        kind, *given = self.code[thread][pcs[thread]]
        mine = dict(zip(LOCALS, owned[thread]))
        world = dict(zip(GLOBALS, shared))
        next_pc, started = pcs[thread] + 1, None

        def after(blocks=blocks, number=number):
            new = list(pcs)
            new[thread] = next_pc
            if started is not None:
                new[started] = 0
            all_owned = owned[:thread] + (tuple(mine[name] for name in LOCALS),) + owned[thread + 1:]
            return tuple(new), all_owned, tuple(world[name] for name in GLOBALS), number, blocks

        def same(one, other):
            return one == other or bool(one and other and blocks[one - 1][0] == blocks[other - 1][0])

        def without(pointer):
            if not pointer:
                return blocks
            if blocks[pointer - 1][1] is not None:
                raise Bad
            return blocks[:pointer - 1] + ((blocks[pointer - 1][0], thread),) + blocks[pointer:]

        def made(blocks):
            mine[given[0]] = len(blocks) + 1
            return [after(blocks + ((place, None),)) for place in self.places(blocks, thread)]

        if kind == "new":
            return made(blocks)
        if kind == "grow":
            return made(without(mine[given[0]]))
        if kind == "free":
            return [after(without(mine[given[0]]))]
        if kind == "set":
            return [after(number=given[0])]
        if kind == "join" and pcs[given[0]] < len(self.code[given[0]]):
            return []
        if kind == "expect" and number == given[0]:
            raise Bad
        if kind == "assert" and mine[given[0]] and same(mine[given[0]], mine[given[1]]):
            raise Bad
        if kind == "start":
            started = given[0]
        elif kind == "load":
            mine[given[0]] = world[given[1]]
        elif kind == "store":
            world[given[0]] = mine[given[1]]
        elif kind == "move":
            mine[given[0]] = mine[given[1]]
        elif kind == "swap":
            mine[given[0]], world[given[1]] = world[given[1]], NULL
        elif kind == "if" and not same(mine[given[1]], mine[given[2]]):
            next_pc = given[3]
        elif kind == "cas" and same(world[given[0]], mine[given[1]]):
            world[given[0]] = mine[given[2]]
        elif kind == "cas":
            next_pc = given[3]
        return [after()]


# --- Heddle ----------------------------------------------------------------------------------------------------------------------------

def ask(heddle, file, options):
    command = [heddle, "check", "--json", "--property", "assert,memory", *options, file]
    process = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    try:
        return json.loads(process.stdout)
    except json.JSONDecodeError:
        sys.exit(f"reuse.py: {' '.join(command)}: status {process.returncode}\n{process.stdout}{process.stderr}")


def disagreements(heddle, file, expected, configurations):
    for options in configurations:
        result = ask(heddle, file, options)
        allowed = (expected, "unknown") if options in RIGHT else (expected,)
        if result["verdict"] not in allowed:
            yield options, f"{result['verdict']} {result.get('reason') or ''} instead of {expected}"


def is_telling(code, mutant):
    """Whether it matters to the answer where blocks may lie."""
    answers = []
    for wrong in (None, mutant) if mutant else (None, *MUTANTS):
        reference = Reference(code, wrong)
        reference.run()
        if reference.too_large and not reference.bad:
            return False
        answers.append(reference.bad)
    return len(set(answers)) > 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="programs that are made")
    parser.add_argument("--keep", type=pathlib.Path, help="programs that are answered wrongly go there")
    parser.add_argument("--mutant", choices=MUTANTS, help="the reference is wrong")
    arguments = parser.parse_args()
    configurations = [["--engine", "dpor"]] if arguments.mutant else EXACT + RIGHT
    wrong = tried = unsafe = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text = Text(Maker(random.Random(seed)).program())
            if not is_telling(text.code, arguments.mutant):
                continue
            reference = Reference(text.code, arguments.mutant)
            reference.run()
            tried += 1
            unsafe += reference.bad
            file = pathlib.Path(folder) / f"reuse-{seed}.c"
            file.write_text("\n".join(text.lines) + "\n", encoding="utf-8")
            for options, what in disagreements(arguments.heddle, str(file), "unsafe" if reference.bad else "safe", configurations):
                wrong += 1
                print(f"seed {seed}: {' '.join(options) or 'auto'}: {what}", flush=True)
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
            if wrong and arguments.mutant:
                break
    print(f"{tried} programs, {unsafe} of them unsafe, {len(configurations)} configurations each: {wrong} disagreements")
    return 0 if tried and bool(wrong) == bool(arguments.mutant) else 1


if __name__ == "__main__":
    sys.exit(main())
