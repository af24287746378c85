#!/usr/bin/env python3
"""Data races by declared orders: random C programs against brute force.

    orders.py HEDDLE [--seed N] [--count N] [--keep FOLDER] [--mutant NAME]

A program is two or three threads of a few statements: plain accesses to two variables, atomic ones of every order to two others, fences,
read-modify-write operations, a mutex and a semaphore with attempts that may fail, conditions on what was read last, and an object that is
handed to another thread. The reference
executes every interleaving and then says by the definitions of C++20, over the events of the finished execution and their transitive closure,
what happens before what; it knows no clocks. Engine dpor must find a race exactly where there is one, and only between lines that race; engine
search may say unknown, and never anything wrong. A disagreement is printed and makes the exit status 1.

With --mutant the reference is wrong in one respect, which must lead to a disagreement: the exit status is 1 if it does not.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

LOADS, STORES = ("relaxed", "acquire", "seq_cst"), ("relaxed", "release", "seq_cst")
BOTH = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
FENCES = ("acquire", "release", "acq_rel", "seq_cst")
ACQUIRES, RELEASES = ("acquire", "acq_rel", "seq_cst"), ("release", "acq_rel", "seq_cst")
MUTANTS = ("attempts-acquire", "stores-continue", "own-stores-continue", "no-fences", "relaxed-releases", "modifications-end")
MOST_EXECUTIONS = 4000


class Maker:
    """Statements are lists: a kind and what it needs; `line` is where the printer has put it."""

    def __init__(self, dice):
        self.dice = dice

    def data(self):
        kind = self.dice.choice(("write", "read"))
        return {"kind": kind, "cell": self.dice.choice("de")}

    def atomic(self):
        pick = self.dice.choice
        kind = pick(("load", "load", "store", "store", "store", "add", "count", "cas", "fence", "fence"))
        s = {"kind": kind, "cell": pick("xxy"), "value": pick((1, 2)), "order": pick(BOTH)}
        if kind == "load":
            s["order"] = pick(LOADS)
        if kind == "store":
            s["order"] = pick(STORES)
        if kind == "fence":
            s["order"] = pick(FENCES)
        if kind == "cas":
            s["expected"], s["failure"] = pick((0, 1)), pick(LOADS)
        return s

    def branch(self, room):
        """What was read decides."""
        tests = [s for s in (self.atomic() for _ in range(8)) if s["kind"] in ("load", "add", "cas")]
        test = self.dice.choice(tests) if tests else {"kind": "load", "cell": "x", "order": "relaxed"}
        inside = [self.data()]
        if room > 3 and self.dice.random() < 0.5:
            inside.insert(0, {"kind": "fence", "order": self.dice.choice(FENCES)})
        return [test, {"kind": "if", "value": self.dice.choice((0, 1, 1, 2)), "body": inside}]

    def attempt(self):
        kind = self.dice.choice(("trylock", "trywait"))
        got, failed = [self.data()], [self.data()]
        if kind == "trylock":
            got.append({"kind": "unlock"})
        return [{"kind": kind}, {"kind": "if", "value": 1, "body": got, "other": failed if self.dice.random() < 0.6 else []}]

    def some(self, room):
        chance = self.dice.random()
        if chance < 0.3:
            return [self.data()]
        if chance < 0.6:
            return [self.atomic()]
        if chance < 0.78:
            return self.branch(room)
        if chance < 0.84:
            return [{"kind": "post"}]
        if chance < 0.88:
            return [{"kind": "wait"}]
        if chance < 0.94:
            return [{"kind": "lock"}, self.data(), {"kind": "unlock"}]
        return self.attempt()

    def thread(self, length):
        body = []
        while len(body) < length:
            body += self.some(length - len(body))
        return body

    def message(self):
        """What was written is handed on, perhaps: by a flag, past fences, other writes of it and a third thread."""
        pick = self.dice.choice
        sender = [{"kind": "write", "cell": "d"}]
        if pick((True, False)):
            sender.append({"kind": "fence", "order": pick(FENCES)})
        sender.append({"kind": "store", "cell": "x", "value": 1, "order": pick(STORES)})
        if pick((True, False, False)):
            sender.append({"kind": "store", "cell": "x", "value": 2, "order": pick(STORES)})
        test = pick(({"kind": "load"}, {"kind": "load"}, {"kind": "add"}, {"kind": "cas", "expected": 0, "value": 3, "failure": pick(LOADS)}))
        test = {**test, "cell": "x", "order": pick(BOTH if test["kind"] != "load" else LOADS)}
        inside = [{"kind": "read", "cell": "d"}]
        if pick((True, False)):
            inside.insert(0, {"kind": "fence", "order": pick(FENCES)})
        wanted = 0 if test["kind"] == "cas" else pick((1, 2))
        receiver = [test, {"kind": "if", "value": wanted, "body": inside}]
        between = pick(([], [{"kind": "add", "cell": "x", "order": pick(BOTH)}], [{"kind": "count", "cell": "x", "order": pick(BOTH)}],
                        [{"kind": "load", "cell": "x", "order": pick(LOADS)},
                         {"kind": "if", "value": 1, "body": [{"kind": "store", "cell": "x", "value": 2, "order": pick(STORES)}]}]))
        return [sender, receiver] + ([between] if between else []), 0

    def failure(self):
        """What was written before a lock was taken is looked at by who got it, or did not."""
        kind = self.dice.choice(("trylock", "trywait"))
        first = {"kind": "write", "cell": "d"}
        second = {"kind": "lock" if kind == "trylock" else "wait"}
        owner = self.dice.choice(([first, second], [second, first])) + [{"kind": "unlock" if kind == "trylock" else "post"}][: self.dice.choice((0, 1))]
        look = [{"kind": "read", "cell": "d"}]
        yes, no = self.dice.choice(((look, []), ([], look)))
        return [owner, [{"kind": kind}, {"kind": "if", "value": 1, "body": yes, "other": no}]], 1

    def handed(self):
        """An object that its maker alone can reach at first is handed to another thread, which perhaps looks at what was done to it."""
        pick = self.dice.choice
        sender = [{"kind": "init"}] + [s for s in ({"kind": "write", "cell": "d"}, {"kind": "fill"}) if pick((True, False))]
        aside = pick((None, {"kind": "stamp", "order": pick(STORES)}, {"kind": "store", "cell": "x", "value": 1, "order": pick(STORES)}))
        sender += [aside] if aside else []
        sender += [{"kind": "fence", "order": pick(FENCES)}] if pick((True, False, False)) else []
        sender.append({"kind": "hand", "order": pick(STORES)})
        sender += [{"kind": "fill"}] if pick((True, False, False)) else []
        use = [pick(({"kind": "use"}, {"kind": "look"}, {"kind": "read", "cell": "d"}))]
        if aside and pick((True, True, False)):
            test = {"kind": "ask"} if aside["kind"] == "stamp" else {"kind": "load", "cell": "x"}
            use = [{**test, "order": pick(LOADS)}, {"kind": "if", "value": 1, "body": use}]
        elif pick((True, False)):
            use = [{"kind": "fence", "order": pick(FENCES)}] + use
        return [sender, [{"kind": "take", "order": pick(LOADS)}, {"kind": "if", "value": 1, "body": use}]], 0

    def program(self):
        chance = self.dice.random()
        if chance < 0.3:
            return self.message()
        if chance < 0.4:
            return self.handed()
        if chance < 0.5:
            return self.failure()
        lengths = self.dice.choice(((3, 3), (4, 3), (4, 4), (2, 2, 2), (3, 2, 3), (3, 3, 2)))
        return [self.thread(n) for n in lengths], self.dice.choice((0, 0, 1))


class Text:
    """The program in C; statements get their lines."""

    HEAD = ["#include <pthread.h>", "#include <semaphore.h>", "#include <stdatomic.h>", "int d, e;", "atomic_int x, y;",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "sem_t s;",
            "#include <stdlib.h>", "struct box { int v; atomic_int w; };", "struct box *_Atomic p;"]

    def __init__(self, threads, permits):
        self.lines = list(self.HEAD)
        for k, body in enumerate(threads):
            self.lines += [f"void *t{k}(void *unused) {{", "int r = 0;", "struct box *b = 0;"]
            if any(s["kind"] == "hand" for s in body):
                self.lines.append("b = malloc(sizeof *b);")
            self.body(body)
            self.lines += ["(void)r, (void)b;", "return unused;", "}"]
        count = len(threads)
        self.lines += ["int main(void) {", f"pthread_t h[{count}];", f"sem_init(&s, 0, {permits});"]
        self.lines += [f"pthread_create(&h[{k}], 0, t{k}, 0);" for k in range(count)]
        self.lines += [f"pthread_join(h[{k}], 0);" for k in range(count)]
        self.lines += ["return 0;", "}"]

    def body(self, statements):
        for s in statements:
            if s["kind"] == "if":
                self.lines.append(f"if (r == {s['value']}) {{")
                self.body(s["body"])
                if s.get("other"):
                    self.lines.append("} else {")
                    self.body(s["other"])
                self.lines.append("}")
                continue
            self.lines.append(self.statement(s))
            s["line"] = len(self.lines)

    @staticmethod
    def statement(s):
        cell, value, order = s.get("cell"), s.get("value"), f"memory_order_{s.get('order')}"
        failure = f"memory_order_{s.get('failure')}"
        return {
            "write": f"{cell} = 1;", "read": f"(void)*(volatile int *)&{cell};", "load": f"r = atomic_load_explicit(&{cell}, {order});",
            "store": f"atomic_store_explicit(&{cell}, {value}, {order});", "add": f"r = atomic_fetch_add_explicit(&{cell}, 1, {order});",
            "count": f"atomic_fetch_add_explicit(&{cell}, 1, {order});", "fence": f"atomic_thread_fence({order});",
            "cas": f"{{ int w = {s.get('expected')}; r = atomic_compare_exchange_strong_explicit(&{cell}, &w, {value}, {order}, {failure}); }}",
            "init": "atomic_init(&b->w, 0);", "fill": "b->v = 1;", "stamp": f"atomic_store_explicit(&b->w, 1, {order});",
            "hand": f"atomic_store_explicit(&p, b, {order});", "take": f"b = atomic_load_explicit(&p, {order}), r = b != 0;",
            "use": "b->v = 1;", "look": "(void)*(volatile int *)&b->v;", "ask": f"r = atomic_load_explicit(&b->w, {order});",
            "lock": "pthread_mutex_lock(&m);", "unlock": "pthread_mutex_unlock(&m);", "trylock": "r = pthread_mutex_trylock(&m) == 0;",
            "post": "sem_post(&s);", "wait": "sem_wait(&s);", "trywait": "r = sem_trywait(&s) == 0;",
        }[s["kind"]]


# What is done to the object, and to the pointer to it, in words of what is done to variables.
OF_OBJECT = {"init": ("write", "w"), "fill": ("write", "v"), "use": ("write", "v"), "look": ("read", "v"), "stamp": ("store", "w"), "hand": ("store", "p"),
             "take": ("load", "p"), "ask": ("load", "w")}


class Event:
    """One operation as it was executed."""

    def __init__(self, thread, s, cell=None, reads=False, writes=False, acquire=False, release=False, atomic=False, fence=False):
        self.thread, self.line, self.cell = thread, s["line"], cell
        self.reads, self.writes, self.acquire, self.release = reads, writes, acquire, release
        self.atomic, self.fence, self.source = atomic, fence, None
        self.plain = s["kind"] in ("write", "read") and not atomic


class State:
    """A prefix of an execution."""

    def __init__(self, threads, permits):
        self.stacks = [[(body, 0)] for body in threads]
        self.registers = [0] * len(threads)
        self.cells = {"d": 0, "e": 0, "x": 0, "y": 0, "p": 0, "v": 0, "w": 0, "m": None, "s": permits}
        self.last = {}
        self.events = []

    def copy(self):
        other = State.__new__(State)
        other.stacks = [list(stack) for stack in self.stacks]
        other.registers, other.cells, other.last = list(self.registers), dict(self.cells), dict(self.last)
        other.events = list(self.events)
        return other

    def next(self, thread):
        """The next statement, past conditions; None: the thread has ended."""
        stack = self.stacks[thread]
        while stack:
            body, at = stack[-1]
            if at == len(body):
                stack.pop()
            elif body[at]["kind"] == "if":
                s = body[at]
                stack[-1] = (body, at + 1)
                stack.append((s["body"] if self.registers[thread] == s["value"] else s.get("other", []), 0))
            else:
                return body[at]
        return None

    def may_go(self, thread):
        s = self.next(thread)
        return s and not (s["kind"] == "lock" and self.cells["m"] is not None) and not (s["kind"] == "wait" and not self.cells["s"])

    def add(self, event):
        if event.reads:
            event.source = self.last.get(event.cell)
        if event.writes:
            self.last[event.cell] = len(self.events)
        self.events.append(event)

    def step(self, thread):
        s = self.next(thread)
        body, at = self.stacks[thread][-1]
        self.stacks[thread][-1] = (body, at + 1)
        if s["kind"] in OF_OBJECT:
            kind, cell = OF_OBJECT[s["kind"]]
            s = {**s, "kind": kind, "cell": cell, "value": 1}
        kind, cell, order = s["kind"], s.get("cell"), s.get("order")
        acquire, release = order in ACQUIRES, order in RELEASES
        cells = self.cells
        if kind == "write":
            cells[cell] = 0 if cell == "w" else 1
            self.add(Event(thread, s, cell, writes=True))
        elif kind == "read":
            self.add(Event(thread, s, cell, reads=True))
        elif kind == "load":
            self.registers[thread] = cells[cell]
            self.add(Event(thread, s, cell, reads=True, acquire=acquire, atomic=True))
        elif kind == "store":
            cells[cell] = s["value"]
            self.add(Event(thread, s, cell, writes=True, release=release, atomic=True))
        elif kind in ("add", "count"):
            if kind == "add":
                self.registers[thread] = cells[cell]
            cells[cell] += 1
            self.add(Event(thread, s, cell, True, True, acquire, release, atomic=True))
        elif kind == "cas":
            done = cells[cell] == s["expected"]
            self.registers[thread] = int(done)
            if done:
                cells[cell] = s["value"]
                self.add(Event(thread, s, cell, True, True, acquire, release, atomic=True))
            else:
                self.add(Event(thread, s, cell, reads=True, acquire=s["failure"] in ACQUIRES, atomic=True))
        elif kind == "fence":
            self.add(Event(thread, s, acquire=acquire, release=release, fence=True))
        else:
            self.synchronise(thread, s, kind)

    def synchronise(self, thread, s, kind):
        """A lock is a release when it is left and an acquire when it is got; attempts that fail are neither."""
        cells = self.cells
        got = kind in ("lock", "wait") or (kind == "trylock" and cells["m"] is None) or (kind == "trywait" and cells["s"] > 0)
        if kind in ("trylock", "trywait"):
            self.registers[thread] = int(got)
        if kind == "unlock":
            cells["m"] = None
            self.add(Event(thread, s, "m", True, True, release=True))
        elif kind == "post":
            cells["s"] += 1
            self.add(Event(thread, s, "s", True, True, release=True))
        else:
            cell = "m" if "lock" in kind else "s"
            if got and cell == "m":
                cells["m"] = thread
            elif got:
                cells["s"] -= 1
            self.add(Event(thread, s, cell, True, got, acquire=got))
            self.events[-1].failed = not got


class Order:
    """What happens before what in a finished execution, by the definitions."""

    def __init__(self, events, mutant):
        self.events, self.mutant = events, mutant
        count = len(events)
        self.before = [[False] * count for _ in range(count)]
        for j in range(count):
            for i in range(j):
                if events[i].thread == events[j].thread:
                    self.before[i][j] = True
        for i in range(count):
            for j in range(count):
                if i != j and self.synchronises(i, j):
                    self.before[i][j] = True
        for k in range(count):
            for i in range(count):
                if self.before[i][k]:
                    for j in range(count):
                        self.before[i][j] = self.before[i][j] or self.before[k][j]

    def sequence(self, head):
        """The release sequence headed by a write, or what would be one."""
        chain = [head]
        for k in range(head + 1, len(self.events)):
            e = self.events[k]
            if not e.writes or e.cell != self.events[head].cell:
                continue
            continues = e.reads and self.mutant != "modifications-end"
            own = self.mutant == "own-stores-continue" and e.thread == self.events[head].thread
            if not (continues or own or self.mutant == "stores-continue"):
                break
            chain.append(k)
        return chain

    def releases(self, a):
        """The writes that hand on what event a has released."""
        e = self.events[a]
        if e.fence:
            if not e.release or self.mutant == "no-fences":
                return []
            return [x for x in range(a + 1, len(self.events)) if self.events[x].thread == e.thread and self.events[x].atomic and self.events[x].writes]
        release = e.release or (self.mutant == "relaxed-releases" and e.atomic) or (self.mutant == "attempts-acquire" and e.cell in "ms")
        return [a] if e.writes and release else []

    def acquires(self, b):
        """The reads whose values bring to event b what was released with them."""
        e = self.events[b]
        if e.fence:
            if not e.acquire or self.mutant == "no-fences":
                return []
            return [y for y in range(b) if self.events[y].thread == e.thread and self.events[y].atomic and self.events[y].reads]
        acquire = e.acquire or (self.mutant == "attempts-acquire" and getattr(e, "failed", False))
        return [b] if e.reads and acquire else []

    def synchronises(self, a, b):
        if self.events[a].thread == self.events[b].thread:
            return False
        sources = {self.events[y].source for y in self.acquires(b)}
        return any(k in sources for x in self.releases(a) for k in self.sequence(x))

    def races(self):
        for j, b in enumerate(self.events):
            for i in range(j):
                a = self.events[i]
                conflict = a.cell == b.cell and a.thread != b.thread and (a.plain or b.plain) and (a.writes or b.writes)
                if conflict and not self.before[i][j]:
                    yield frozenset((a.line, b.line))


class Reference:
    def __init__(self, threads, permits, mutant):
        self.threads, self.permits, self.mutant = threads, permits, mutant
        self.executions, self.races, self.too_large = 0, set(), False

    def run(self):
        stack = [State(self.threads, self.permits)]
        while stack:
            state = stack.pop()
            able = [t for t in range(len(self.threads)) if state.may_go(t)]
            if not able:
                self.executions += 1
                self.races |= set(Order(state.events, self.mutant).races())
                if self.executions > MOST_EXECUTIONS:
                    self.too_large = True
                    return
            for t in able:
                other = state.copy()
                other.step(t)
                stack.append(other)


def check(heddle, file, *options):
    command = [heddle, "check", "--json", "--property", "race", "--memory-model", "sc", "--time", "60s", *options, file]
    run = subprocess.run(command, capture_output=True, check=False)
    return json.loads(run.stdout)


def disagreements(heddle, file, reference):
    expected = "unsafe" if reference.races else "safe"
    for options in (("--engine", "dpor"), ("--engine", "dpor", "--por", "source"), ("--engine", "search")):
        result = check(heddle, file, *options)
        allowed = (expected, "unknown") if "search" in options else (expected,)
        if result["verdict"] not in allowed:
            yield options, f"{result['verdict']} {result['reason']} instead of {expected}; {[sorted(pair) for pair in reference.races]}"
        elif result["verdict"] == "unsafe":
            lines = frozenset(side["position"]["line"] for side in result["trace"]["race"])
            if lines not in reference.races:
                yield options, f"lines {sorted(lines)} do not race; {[sorted(pair) for pair in reference.races]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--keep", type=pathlib.Path, help="programs that are answered wrongly go there")
    parser.add_argument("--mutant", choices=MUTANTS, help="the reference is wrong")
    arguments = parser.parse_args()
    wrong = tried = unsafe = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            threads, permits = Maker(random.Random(seed)).program()
            if arguments.mutant and len(threads) * max(map(len, threads)) > 8:
                continue  # the small ones will do
            text = Text(threads, permits)
            reference = Reference(threads, permits, arguments.mutant)
            reference.run()
            if reference.too_large:
                continue
            if arguments.mutant:  # clang takes most of the time: only where the mutant says something else
                right = Reference(threads, permits, None)
                right.run()
                if bool(right.races) == bool(reference.races):
                    continue
            tried += 1
            unsafe += bool(reference.races)
            file = pathlib.Path(folder) / f"orders-{seed}.c"
            file.write_text("\n".join(text.lines) + "\n", encoding="utf-8")
            for options, what in disagreements(arguments.heddle, str(file), reference):
                wrong += 1
                print(f"seed {seed}: {' '.join(options)}: {what}", flush=True)
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
            if arguments.mutant and wrong:
                break
    print(f"{tried} programs, {unsafe} of them with races: {wrong} disagreements")
    return 0 if tried and bool(wrong) == bool(arguments.mutant) else 1


if __name__ == "__main__":
    sys.exit(main())
