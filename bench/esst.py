#!/usr/bin/env python3
"""Table 1 of Cimatti, Narasamdya, Roveri, "Boosting Lazy Abstraction for SystemC with Partial Order Reduction", against engine esst.

    esst.py [--heddle build/heddle] [--rows 'token-ring*' ...] [--time 60] [--engine esst] [--markdown]

Each row is verified without reduction, with persistent sets, with sleep sets, and with both. esst-published.tsv has the published
nodes of the abstract reachability forest and seconds (Intel Xeon, 3 GHz; MO, TO: limits of 2 GB and 1000 s). The designs are written anew in IVL, and
a node there is one edge of a control flow automaton, here a block, so node counts are comparable along a row, not across the bar.

Exit status 1 if a verdict is wrong, a row has no verdict with some reduction, or the totals do not fall: both <= each alone <= none.
Totals count rows that all four columns solve.
"""

import argparse
import csv
import fnmatch
import pathlib
import shlex
import sys

import one_run

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLUMNS = {"none": "none", "persistent": "persistent", "sleep": "sleep", "both": "persistent+sleep"}


class Run:
    """One run of heddle on one row with one reduction."""

    def __init__(self, arguments, row, reduction):
        command = [arguments.heddle, "check", "--json", "--engine", arguments.engine, "--por", reduction, "--time", f"{arguments.time}s",
                   *shlex.split(row["parameters"]), str(ROOT / row["model"])]
        self.verdict, self.reason, statistics = one_run.check(command, arguments.time)
        self.nodes, self.seconds = statistics.get("nodes"), statistics.get("seconds")

    def is_solved(self, row):
        return self.verdict == row["verdict"]

    def is_wrong(self, row):
        return self.verdict not in ("unknown", row["verdict"])


def falls(totals):
    return totals["both"] <= min(totals["persistent"], totals["sleep"]) and max(totals["persistent"], totals["sleep"]) <= totals["none"]


class TextTable:
    """Published nodes and seconds, then ours."""

    def head(self):
        names = self.cells([name[:7] for name in COLUMNS])
        print(f"{'':14} {'':7} | {'published nodes':>31} | {'published seconds':>31} | {'nodes':>31} | {'seconds':>31}")
        print(f"{'row':14} {'verdict':7} | {names} | {names} | {names} | {names}")

    def row(self, name, verdict, *groups):
        print(f"{name:14} {verdict:7} | " + " | ".join(self.cells(group) for group in groups), flush=True)

    @staticmethod
    def cells(group):
        return " ".join(f"{cell:>7}" for cell in group)


class MarkdownTable:
    """The same without published seconds, for docs/esst.md."""

    def head(self):
        names = " | ".join([*(f"published {name}" for name in COLUMNS), *COLUMNS, *(f"{name} (s)" for name in COLUMNS)])
        print(f"| row | verdict | {names} |")
        print("|---" * (2 + 3 * len(COLUMNS)) + "|")

    def row(self, name, verdict, published, _, nodes, seconds):
        print(f"| {name} | {verdict} | " + " | ".join(str(cell) for cell in [*published, *nodes, *seconds]) + " |", flush=True)


def print_table(arguments, rows):
    """True if everything that was promised holds."""
    table = MarkdownTable() if arguments.markdown else TextTable()
    nothing = [""] * len(COLUMNS)
    totals, wrong, open_rows, rising = dict.fromkeys(COLUMNS, 0), [], [], []
    table.head()
    for row in rows:
        runs = {name: Run(arguments, row, reduction) for name, reduction in COLUMNS.items()}
        wrong += [f"{row['row']} ({name}: {run.verdict} {run.reason})" for name, run in runs.items() if run.is_wrong(row)]
        open_rows += [f"{row['row']} ({name}: {run.reason})" for name, run in runs.items() if run.verdict == "unknown"]
        solved = {name: run.nodes for name, run in runs.items() if run.is_solved(row)}
        if len(solved) == len(COLUMNS):
            for name, nodes in solved.items():
                totals[name] += nodes
            if not falls(solved):
                rising.append(row["row"])
        published = [[row[f"{name}_{what}"] for name in COLUMNS] for what in ("nodes", "seconds")]
        table.row(row["row"], row["verdict"], *published, [solved.get(name, "-") for name in COLUMNS],
                  [f"{runs[name].seconds:.3f}" if name in solved else "-" for name in COLUMNS])
    table.row("total", "", nothing, nothing, list(totals.values()), nothing)
    print(f"\nrows whose nodes do not fall along the columns: {', '.join(rising) or 'none'}")
    print(f"no verdict: {', '.join(open_rows) or 'none'}")
    print(f"wrong: {', '.join(wrong) or 'none'}")
    reduced_are_solved = all("(none:" in entry for entry in open_rows)
    return not wrong and reduced_are_solved and falls(totals)


def main():
    parser = argparse.ArgumentParser(description="The table of the ESST evaluation against Heddle.")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--rows", action="append", metavar="PATTERN", help="only rows whose name matches (repeatable)")
    parser.add_argument("--time", type=float, default=60, help="seconds for each run")
    parser.add_argument("--engine", default="esst", choices=["esst", "cegar"])
    parser.add_argument("--markdown", action="store_true", help="as a table for docs/esst.md")
    arguments = parser.parse_args()
    patterns = arguments.rows or ["*"]
    with open(ROOT / "bench" / "esst-published.tsv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if any(fnmatch.fnmatch(row["row"], p) for p in patterns)]
    if not rows:
        parser.error("no row matches")
    return 0 if print_table(arguments, rows) else 1


if __name__ == "__main__":
    sys.exit(main())
