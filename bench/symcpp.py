#!/usr/bin/env python3
"""The three families of tables of Lettrari, "Efficient State Space Exploration of Reactive Object-Oriented Programs", against Heddle.

    symcpp.py [--heddle build/heddle] [--programs 'pbx*' ...] [--tables storage,inputs,guided] [--time 100] [--memory 8G]

storage   explicit inputs of few values, breadth first, without and with each way to store less: states, bytes for each, states per second, seconds
inputs    everything that stores less; explicit inputs of 8, 16, 32 values against symbolic ones of 32 and 2^32 values. Stops are Heddle's own:
          with one behind every condition of `x < 0 || x > 9` the ranges differ by the states between the two
guided    deeper goals, breadth first against weighted A* with a coarse, a fine, and an abstraction of its own choice, chains in all of them; then
          the programs with threads and assertions of models/c that have many states. Processor seconds, which include those of the abstraction

The programs are reconstructions, so published figures (symcpp-published.tsv; machine unknown) compare along a row, not across the bar. A run that does not
come to an end shows what it did until then, after a >. Bytes are those of the set of visited states.

Exit status 1 if a verdict is wrong or one of the targets that are printed at the end is missed.
"""

import argparse
import csv
import fnmatch
import pathlib
import sys

import one_run

ROOT = pathlib.Path(__file__).resolve().parents[1]

# How states are stored: configuration -> options. Every run explores all statements breadth first, without partial order reduction.
EXPLORE = ["--engine", "search", "--por", "none", "--atomicity", "statements", "--no-shrink"]  # counterexamples as the search found them
TYPED, COMPACT, CHAIN = ["--heap", "typed"], ["--visited", "compact"], ["--chain", "1000000"]
PLAIN = ["--heap", "none", "--visited", "full", "--chain", "0"]
ALL = TYPED + COMPACT + CHAIN
EXPLICIT, SYMBOLIC = ["-DSYMCPP_EXPLICIT", "--match", "ceq"], ["--match", "esm"]
STATEMENTS = ["--stops", "statements"]
BREADTH_FIRST = ["--order", "bfs"]
STORAGE = {
    "simple": PLAIN,
    "heap": [*TYPED, "--visited", "full", "--chain", "0"],
    "compact": ["--heap", "none", *COMPACT, "--chain", "0"],
    "chain": ["--heap", "none", "--visited", "full", *CHAIN],
    "all": ALL,
}
INPUTS = {
    "explicit-8": EXPLICIT + ["-DRANGE=8"],
    "explicit-16": EXPLICIT + ["-DRANGE=16"],
    "explicit-32": EXPLICIT + ["-DRANGE=32"],
    "symbolic-32": SYMBOLIC + ["-DRANGE=32"],
    "symbolic-2^32": SYMBOLIC + ["-DRANGE=4294967296"],
}
GUIDED = {
    "bfs": BREADTH_FIRST,
    "astar-coarse": ["--order", "astar", "--weight", "100", "--guide", "coarse"],
    "astar-fine": ["--order", "astar", "--weight", "100", "--guide", "fine"],
    "astar": ["--order", "astar", "--weight", "100"],
}

# program: values of an input in table `storage`, goal of the first two tables, deeper goal of the third (with options of its own). Of the programs
# in DEEPER there is another goal in the third table.
PROGRAMS = {
    "pbx": (5, "pbx.telephone[0]->state==Telephone::Talking",
            ["pbx.telephone[0]->state==Telephone::Busy&&pbx.telephone[1]->state==Telephone::Talking"]),
    "elevator": (4, "building.elevator[0]->state==Elevator::Open&&building.elevator[1]->state==Elevator::Open",
                 ["building.elevator[0]->state==Elevator::Open&&building.elevator[0]->floor==FLOORS-1&&"
                  "building.elevator[1]->state==Elevator::Open&&building.elevator[1]->floor==FLOORS-1"]),
    "dishwasher": (4, "machine.state==Dishwasher::Drying&&machine.quick", ["machine.state==Dishwasher::Faulty&&machine.quick"]),
    "home-alarm": (2, "house.state==Alarm::Sounding", ["house.state==Alarm::Disarmed&&house.memory"]),
    "home-heating": (2, "heating.boiler.state==Boiler::Fault",
                     ["heating.boiler.state==Boiler::Fault&&heating.room[0]->valve&&heating.room[ROOMS-1]->valve"]),
    "can-bus": (2, "network.node[0]->state==Node::BusOff",
                ["network.node[0]->state==Node::BusOff&&network.node[1]->state==Node::ErrorPassive"]),
    "pacemaker": (3, "heart.atrium.state==Chamber::Pacing&&heart.atrium.mode==Chamber::Triggered",
                  ["heart.atrium.state==Chamber::Pacing&&heart.atrium.mode==Chamber::Inhibited&&"
                   "heart.ventricle.state==Chamber::Pacing&&heart.ventricle.mode==Chamber::Triggered"]),
    "exponential": (2, None, ["x==ROUNDS&&z==0", "-DROUNDS=14", "-DSYMCPP_EXPLICIT"]),
}
DEEPER = {
    "can-bus": ["network.node[0]->state==Node::BusOff&&network.node[1]->state==Node::ErrorPassive&&network.node[2]->state==Node::ErrorPassive"],
    "home-heating": ["heating.boiler.state==Boiler::Fault&&heating.room[0]->valve&&heating.room[1]->valve&&heating.room[2]->valve", "-DROOMS=3"],
}
ASSERTIONS = ["one-way-of-many", "elevator-full-on-top", "vault", "brewery"]  # of models/c


class Run:
    """One run of heddle on one program; every goal can be reached. Without a goal it is one of models/c, with its assertions."""

    def __init__(self, arguments, program, goal, options):
        asked = [*EXPLORE, *options, "--property", f"reach:{goal}", str(ROOT / "models" / "symcpp" / f"{program}.cpp")]
        if not goal:
            asked = ["--engine", "search", *options, str(ROOT / "models" / "c" / f"{program}.c")]
        command = [arguments.heddle, "check", "--json", "--time", f"{arguments.time}s", "--memory", arguments.memory, *asked]
        self.verdict, self.reason, statistics = one_run.check(command, arguments.time)
        self.found = self.verdict == "unsafe"
        self.states = statistics.get("states", 0)
        self.bytes = statistics.get("visited_bytes", 0)
        self.seconds = statistics.get("seconds", 0)
        self.processor_seconds = statistics.get("cpu_seconds", 0)

    def complaint(self):
        """What is wrong, or None; a limit is no error."""
        if self.found or (self.verdict == "unknown" and ("limit" in self.reason or self.reason == "killed")):
            return None
        return f"{self.verdict} {self.reason}"

    def bytes_each(self):
        return self.bytes / self.states if self.states else 0

    def guided_cell(self):
        return f"{' ' if self.found else '>'}{self.states:9.0f} {self.processor_seconds:8.2f}"

    def cell(self, with_bytes):
        mark = " " if self.found else ">"
        rate = self.states / self.seconds if self.seconds else 0
        stored = f"{self.bytes_each():7.0f} {rate:8.0f} " if with_bytes else ""
        return f"{mark}{self.states:9.0f} {stored}{self.seconds:8.2f}"


class Report:
    """Collects what must hold in the end."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.wrong = []
        self.targets = []
        with open(ROOT / "bench" / "symcpp-published.tsv", encoding="utf-8", newline="") as file:
            self.published = {(row["program"], row["configuration"]): row for row in csv.DictReader(file, delimiter="\t")}

    def run(self, program, name, goal, options):
        run = Run(self.arguments, program, goal, options)
        if run.complaint():
            self.wrong.append(f"{program} ({name}): {run.complaint()}")
        row = self.published.get((program, name), {"states": "", "bytes": "", "seconds": "", "guide_seconds": ""})
        return run, row

    def target(self, holds, text):
        self.targets.append((holds, text))

    def close(self):
        print()
        for holds, text in self.targets:
            print(f"{'holds ' if holds else 'MISSED'}  {text}")
        print(f"wrong: {'; '.join(self.wrong) or 'none'}")
        return not self.wrong and all(holds for holds, _ in self.targets)


def head(title, names, columns, width, first=14):
    print(f"\n{title}\n{'':{first}}" + " ".join(f"| {name:^{width}}" for name in names))
    print(f"{'program':{first}}" + " ".join(f"| {columns:>{width}}" for _ in names))


def storage_table(report, programs):
    head("explicit inputs, breadth first: ways to store less; published states / bytes / seconds in brackets", STORAGE,
         "states   bytes    per s        s", 37)
    memory, each = dict.fromkeys(STORAGE, 0), []
    for program in programs:
        few, goal, _ = PROGRAMS[program]
        if not goal:
            continue
        runs, cells, known = {}, [], []
        for name, options in STORAGE.items():
            run, row = report.run(program, name, goal, [*EXPLICIT, *STATEMENTS, *BREADTH_FIRST, f"-DRANGE={few}", *options])
            runs[name] = run
            memory[name] += run.bytes
            cells.append(f"| {run.cell(True):>37}")
            known.append(f"| {'(' + ' / '.join([row['states'], row['bytes'] or '-', row['seconds'] or '-']) + ')':>37}")
        print(f"{program:14}" + " ".join(cells) + f"\n{'':14}" + " ".join(known), flush=True)
        each.append((runs["all"].bytes_each(), program))
        if program == "pbx":
            simple, everything = runs["simple"], runs["all"]
            times = simple.bytes / everything.bytes if everything.bytes else 0
            report.target(everything.found and times >= 1000,
                          f"all needs {times:.0f} times less memory than simple on pbx, at least 1000 times wanted; simple alone: "
                          f"{simple.states / max(simple.seconds, 1e-9):.0f} states/s, {simple.bytes_each():.0f} bytes/state")
    print(f"{'total MB':14}" + " ".join(f"| {total / 1e6:>37.3f}" for total in memory.values()))
    if each:
        most, program = max(each)
        report.target(most <= 64, f"all needs {most:.0f} bytes per stored state ({program}), at most 64 wanted")


def inputs_table(report, programs):
    head("explicit against symbolic inputs, with all that stores less; published states / seconds in brackets", INPUTS, "states        s", 25)
    slowest, differing = (0, "-"), []
    for program in programs:
        _, goal, _ = PROGRAMS[program]
        if not goal:
            continue
        runs, cells, known = {}, [], []
        for name, options in INPUTS.items():
            run, row = report.run(program, name, goal, [*options, *BREADTH_FIRST, *ALL])
            runs[name] = run
            cells.append(f"| {run.cell(False):>25}")
            known.append(f"| {'(' + row['states'] + ' / ' + (row['seconds'] or '-') + ')':>25}")
        print(f"{program:14}" + " ".join(cells) + f"\n{'':14}" + " ".join(known), flush=True)
        small, large = runs["symbolic-32"], runs["symbolic-2^32"]
        slowest = max(slowest, (large.seconds if large.found else float("inf"), program))
        if small.found and large.found and abs(small.states - large.states) > 0.1 * small.states:
            differing.append(f"{program} {small.states:.0f} {large.states:.0f}")
    report.target(slowest[0] < 2, f"symbolic runs with 2^32 values take up to {slowest[0]:.2f} s ({slowest[1]}), less than 2 s wanted")
    report.target(not differing, f"programs whose symbolic states depend on the range by more than a tenth: {', '.join(differing) or 'none'}")


def guided_row(report, program, goal, options):
    """Whether A* with its own choice (loses, wins) against breadth first."""
    runs, cells, known = {}, [], []
    for name, order in GUIDED.items():
        run, row = report.run(program, name, goal, [*options, *order])
        runs[name] = run
        cells.append(f"| {run.guided_cell():>25}")
        guide = f" + {row['guide_seconds']}" if row["guide_seconds"] else ""
        known.append(f"| {'(' + row['states'] + ' / ' + (row['seconds'] or '-') + guide + ')':>25}")
    print(f"{program:20}" + " ".join(cells) + f"\n{'':20}" + " ".join(known), flush=True)
    plain, slack = runs["bfs"], 0.05
    loses = [name for name, run in runs.items()
             if run.processor_seconds > 1.5 * plain.processor_seconds + slack and (plain.found or run.found)]
    wins = runs["astar"].found and plain.processor_seconds >= 5 * runs["astar"].processor_seconds
    return loses, wins


def guided_table(report, programs):
    head("breadth first against A*, symbolic inputs; published states / seconds (search + abstraction) in brackets", GUIDED, "states        s", 25,
         first=20)
    wins, losses = [], []
    rows = [(program, PROGRAMS[program][2]) for program in programs] + [(program, DEEPER[program]) for program in programs if program in DEEPER]
    for program, (goal, *own) in rows:
        match = ["--match", "ceq"] if "-DSYMCPP_EXPLICIT" in own else SYMBOLIC
        loses, wins_here = guided_row(report, program, goal, [*match, *STATEMENTS, *TYPED, *CHAIN, *own])
        losses += [f"{program} ({name})" for name in loses]
        wins += [program] * wins_here
    for program in ASSERTIONS:
        loses, wins_here = guided_row(report, program, None, [])
        losses += [f"{program} ({name})" for name in loses]
        wins += [program] * wins_here
    others = sorted(set(wins) - set(ASSERTIONS))
    report.target(not losses, f"programs on which A* takes more than 1.5 times as long, and 0.05 s: {', '.join(losses) or 'none'}; none wanted")
    report.target(len(set(wins)) >= 4, f"programs on which A* (last column) is at least 5 times faster: {', '.join(sorted(set(wins))) or 'none'}; four "
                  f"wanted. Of them not written for it: {', '.join(others) or 'none'}")


TABLES = {"storage": storage_table, "inputs": inputs_table, "guided": guided_table}


def main():
    parser = argparse.ArgumentParser(description="The tables of the SymC++ document against Heddle.")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--programs", action="append", metavar="PATTERN", help="only these (repeatable)")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--time", type=float, default=100, help="seconds for each run")
    parser.add_argument("--memory", default="8G", help="memory for each run")
    arguments = parser.parse_args()
    programs = [name for name in PROGRAMS if any(fnmatch.fnmatch(name, p) for p in arguments.programs or ["*"])]
    tables = arguments.tables.split(",")
    if not programs or not set(tables) <= set(TABLES):
        parser.error("no such program or table")
    report = Report(arguments)
    for name in tables:
        TABLES[name](report, programs)
    return 0 if report.close() else 1


if __name__ == "__main__":
    sys.exit(main())
