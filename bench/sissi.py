#!/usr/bin/env python3
"""Every row of Tables 7.6 to 7.10 of Herdt, "Complete Symbolic Simulation of SystemC Models", against Heddle.

    sissi.py [--heddle build/heddle] [--rows 'token-ring*' ...] [--time 60] [--por KIND] [--match KIND]
    sissi.py --by match     transitions by matcher, next to Table 7.7 (all with --por stub)
    sissi.py --by por       transitions by reduction, next to Table 7.8 (all with --match esm-hash)

sissi.tsv has one line per row: model, parameters, verdict, and the best published figures over all configurations; sissi-published.tsv
has every published figure. The published times were measured on a 1.4 GHz Intel dual core, about 1 s of each is start-up, so
transitions say more than seconds. TO, MO, NS: time or memory limit (500 s, 2 GB), not supported; WR: wrong result.

Exit status 1 if a verdict is wrong. A run that gives none in time is shown as unknown and is no error.
"""

import argparse
import csv
import fnmatch
import pathlib
import shlex
import sys

import one_run

ROOT = pathlib.Path(__file__).resolve().parents[1]


def read_table(name):
    with open(ROOT / "bench" / name, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t"))


class Run:
    """One run of heddle on one row."""

    def __init__(self, arguments, row, por=None, match=None):
        command = [arguments.heddle, "check", "--json", "--time", f"{arguments.time}s", *shlex.split(row["parameters"])]
        for option, value in (("--por", por), ("--match", match)):
            if value:
                command += [option, value]
        command.append(str(ROOT / row["model"]))
        self.verdict, self.reason, self.statistics = one_run.check(command, arguments.time)

    def is_wrong(self, row):
        return self.verdict not in ("unknown", row["verdict"])

    def number(self, name):
        return self.statistics.get(name)


def number_or(text, otherwise):
    try:
        return float(text)
    except ValueError:
        return otherwise


def show(value, form):
    return "-" if value is None else format(value, form)


def print_overview(arguments, rows):
    print(f"{'row':26} {'verdict':8} {'published':>9} {'configuration':20} {'transitions':>11} | "
          f"{'seconds':>8} {'transitions':>11} {'MB':>6} {'ratio':>8}")
    seconds, memory, wrong, open_rows, more = [], [], [], [], []
    for row in rows:
        run = Run(arguments, row, arguments.por, arguments.match)
        took, steps, peak = run.number("seconds"), run.number("transitions"), run.number("peak_memory_bytes")
        best = number_or(row["best_seconds"], None)
        ratio = best / max(took, 0.001) if took is not None and best is not None else None
        note = ""
        if run.is_wrong(row):
            wrong.append(row["row"])
            note = f"  WRONG: {row['verdict']} expected {run.reason}"
        elif run.verdict == "unknown":
            open_rows.append(row["row"])
            note = f"  {run.reason}"
        elif row["transitions"] and steps > int(row["transitions"]):
            more.append(row["row"])
        print(f"{row['row']:26} {run.verdict:8} {row['best_seconds'] or '-':>9} {row['best_configuration'] or '-':20} "
              f"{row['transitions'] or '-':>11} | {show(took, '8.3f'):>8} {show(steps, '11.0f'):>11} "
              f"{show(peak and peak / 1e6, '6.0f'):>6} {show(ratio, '8.0f'):>8}{note}", flush=True)
        if took is not None:
            seconds.append((took, row["row"]))
            memory.append((peak, row["row"]))
    if seconds:
        print(f"\n{len(rows)} rows, sum {sum(s for s, _ in seconds):.2f} s, slowest {max(seconds)[0]:.2f} s "
              f"({max(seconds)[1]}), peak {max(memory)[0] / 1e6:.0f} MB ({max(memory)[1]})")
    print(f"more transitions than the least published: {', '.join(more) or 'none'}")
    print(f"no verdict: {', '.join(open_rows) or 'none'}")
    print(f"wrong: {', '.join(wrong) or 'none'}")
    return not wrong


def print_by_configuration(arguments, rows, table, axis, fixed):
    """Published transitions / ours, one column per configuration along the axis."""
    published = {}
    columns = []
    for entry in read_table("sissi-published.tsv"):
        if entry["table"] != table or (axis == "match" and entry["solver"] and entry["match"] != "ess"):
            continue
        published[entry["row"], entry[axis]] = entry["transitions"] or "?"
        if entry[axis] not in columns:
            columns.append(entry[axis])
    covered = {name for name, _ in published}
    print(f"{'row':26} " + " ".join(f"{c:>19}" for c in columns) + "   published/ours, ! more than published")
    right, above = True, 0
    for row in rows:
        if row["row"] not in covered:
            continue
        cells = []
        for column in columns:
            run = Run(arguments, row, **{axis: column, **fixed})
            theirs = published.get((row["row"], column), "-")
            ours = run.number("transitions")
            right = right and not run.is_wrong(row)
            if run.is_wrong(row):
                cell = f"{theirs}/WRONG"
            elif run.verdict == "unknown":
                cell = f"{theirs}/unknown"
            else:
                is_above = theirs.isdigit() and ours > int(theirs)
                above += is_above
                cell = f"{theirs}/{ours:.0f}" + ("!" if is_above else "")
            cells.append(f"{cell:>19}")
        print(f"{row['row']:26} " + " ".join(cells), flush=True)
    print(f"\n{above} counts above the published ones; verdicts {'all right' if right else 'WRONG'}")
    return right


def main():
    parser = argparse.ArgumentParser(description="The tables of the SISSI evaluation against Heddle.")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--rows", action="append", metavar="PATTERN", help="only rows whose name matches (repeatable)")
    parser.add_argument("--time", type=float, default=60, help="seconds for each run")
    parser.add_argument("--por", help="reduction instead of the default one")
    parser.add_argument("--match", help="matcher instead of the default one")
    parser.add_argument("--by", choices=["match", "por"], help="one column per matcher or per reduction")
    arguments = parser.parse_args()
    patterns = arguments.rows or ["*"]
    rows = [row for row in read_table("sissi.tsv") if any(fnmatch.fnmatch(row["row"], p) for p in patterns)]
    if not rows:
        parser.error("no row matches")
    if arguments.by == "match":
        right = print_by_configuration(arguments, rows, "7.6", "match", {"por": arguments.por or "stub"})
    elif arguments.by == "por":
        right = print_by_configuration(arguments, rows, "7.8", "por", {"match": arguments.match or "esm-hash"})
    else:
        right = print_overview(arguments, rows)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
