#!/usr/bin/env python3
"""How much smaller counterexamples of the bundled unsafe models become.

    shrink.py [--heddle build/heddle] [--models '*'] [--time 10] [--first auto|depth] [--every K] [--markdown]

Each line `// expect: unsafe [OPTION...]` of a model is one run. `found` is the counterexample as the engine of that line found it, `shrunk` what was
made of it in the same run, `bfs` the one that a breadth-first search of at most --time seconds finds: the shortest there is. Columns are steps and
context switches. With --first depth the counterexample to be shrunk comes from a depth-first search without reduction, which
is what an explorer without any strategy finds.

Two things must hold. A shrunk counterexample has at most one context switch more than the breadth-first one, if that violates the same check.
It is never longer and never has more switches than the one found. The medians are printed; lengths cannot fall below what bfs says, so its median is
printed, too. Exit status 1 if one of the two does not hold.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import run_models  # noqa: E402

OF_ANOTHER_ORDER = ("--engine", "--order", "--por", "--weight", "--guide", "--chain", "--visited", "--domain", "--blocks", "--scope", "--prune")


class Counterexample:
    """Of one run; None stands for no violation within the time limit."""

    def __init__(self, result):
        self.steps, self.switches = cost(result["trace"]["shrunk"]["to"])
        self.first = cost(result["trace"]["shrunk"]["from"])
        self.violated = sorted((p["kind"], p["text"], str(p["position"])) for p in result["properties"] if p["verdict"] == "unsafe")
        self.race = sorted((a["thread"], str(a["position"])) for a in result["trace"]["race"])


def cost(said):
    return said["steps"], said["context_switches"]


def check(arguments, options, model):
    command = [arguments.heddle, "check", "--json", *options, str(model)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=arguments.time + 60, check=False)
    except subprocess.TimeoutExpired:
        return None
    return Counterexample(json.loads(done.stdout)) if done.returncode == 1 else None


def without_order(options):
    """The options of a run but for those that choose an explorer."""
    kept, skip = [], False
    for option in options:
        name, _, value = option.partition("=")
        if skip or name in OF_ANOTHER_ORDER:
            skip = not skip and not value
            continue
        kept.append(option)
    return kept


class Row:
    def __init__(self, arguments, model, options):
        self.name = " ".join([str(model.relative_to(ROOT / "models")), *options])
        first = ["--engine", "search", "--order", "dfs", "--por", "none"] if arguments.first == "depth" else []
        self.ours = check(arguments, [*(without_order(options) if first else options), *first, "--time", f"{arguments.time}s"], model)
        shortest = [*without_order(options), "--engine", "search", "--order", "bfs", "--time", f"{arguments.time}s"]
        self.bfs = check(arguments, shortest, model)

    def is_comparable(self):
        return self.ours and self.bfs and self.ours.violated == self.bfs.violated and self.ours.race == self.bfs.race

    def optimum(self):
        """Steps and switches of the breadth-first search as it found it."""
        return self.bfs.first if self.bfs else ("-", "-")

    def has_too_many_switches(self):
        return bool(self.is_comparable() and self.ours.switches > self.bfs.first[1] + 1)

    def has_grown(self):
        return self.ours.steps > self.ours.first[0] or self.ours.switches > self.ours.first[1]


def head(markdown):
    if markdown:
        print("| model | found: steps | switches | shrunk: steps | switches | bfs: steps | switches |\n|---|---|---|---|---|---|---|")
    else:
        print(f"{'':60} | {'found':>11} | {'shrunk':>11} | {'bfs':>11}")


def line(row, markdown):
    cells = [*row.ours.first, row.ours.steps, row.ours.switches, *row.optimum()]
    other = "" if row.is_comparable() or not row.bfs else " (another violation)"
    if markdown:
        print(f"| {row.name} | " + " | ".join(str(cell) for cell in cells) + f"{other} |", flush=True)
    else:
        print(f"{row.name[:60]:60} | " + " | ".join(f"{a:>5} {b:>5}" for a, b in zip(cells[::2], cells[1::2])) + other, flush=True)


def median(numbers):
    numbers = list(numbers)
    return statistics.median(numbers) if numbers else 0


def summary(rows):
    told = [row for row in rows if row.is_comparable()]
    improvable = [row for row in told if row.optimum()[0] < row.ours.first[0]]
    print(f"\n{len(rows)} counterexamples; medians: {median(r.ours.first[0] for r in rows)} steps become {median(r.ours.steps for r in rows)}, "
          f"{median(r.ours.first[1] for r in rows)} context switches become {median(r.ours.switches for r in rows)}")
    print(f"all together: {sum(r.ours.first[0] for r in rows)} steps become {sum(r.ours.steps for r in rows)}, "
          f"{sum(r.ours.first[1] for r in rows)} context switches become {sum(r.ours.switches for r in rows)}")
    print(f"{len(told)} of them with the same violation in breadth-first order; medians of steps: found {median(r.ours.first[0] for r in told)}, "
          f"shrunk {median(r.ours.steps for r in told)}, breadth first {median(r.optimum()[0] for r in told)}")
    print(f"{len(improvable)} of these longer than breadth first; medians of steps: found {median(r.ours.first[0] for r in improvable)}, "
          f"shrunk {median(r.ours.steps for r in improvable)}, breadth first {median(r.optimum()[0] for r in improvable)}")
    many, grown = [r.name for r in told if r.has_too_many_switches()], [r.name for r in rows if r.has_grown()]
    print(f"more than one context switch above breadth first: {len(many)} {many}")
    print(f"longer or with more switches than found: {len(grown)} {grown}")
    return not many and not grown


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--models", default="*")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", choices=("auto", "depth"), default="auto")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    runs = []
    for path in sorted(p for p in (ROOT / "models").rglob("*") if p.suffix in run_models.LANGUAGES):
        if fnmatch.fnmatch(str(path.relative_to(ROOT / "models")), arguments.models):
            runs += [(path, options) for verdict, options, number in run_models.expectations(path) if verdict == "unsafe" and number is None]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        head(arguments.markdown)
        rows = []
        for row in pool.map(lambda run: Row(arguments, *run), runs[:: arguments.every]):
            if row.ours:
                rows.append(row)
                line(row, arguments.markdown)
    return 0 if summary(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
