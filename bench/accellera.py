#!/usr/bin/env python3
"""The examples of a SystemC distribution (its folder examples/sysc) with Heddle.

    accellera.py [--heddle build/heddle] [--time 120] [--simulate 120] [--library PREFIX] [--only NAME] [--diff] FOLDER
    accellera.py --assertions [--heddle build/heddle] [--time 120] [--library PREFIX] [--only NAME] FOLDER

An example is a file with sc_main, together with the other files of its folder. Each is checked as it is for every order of processes, and
simulated in the order of Accellera's simulator. What that prints is compared with what the installed library prints, line by line. The table has
for each example: whether it is accepted, the verdict, how many of the library's lines are the same (all of them up to the first that differs,
of how many), and why something is unknown. What the library says on its own account (Info, Warning) is left out of both.

The library draws random numbers from a generator that writes them down, and its clock stands still, so that Heddle can be given the same inputs.

With --assertions each assertion of accellera_assertions.py is put into a copy of its example and decided over all orders of processes. The table has
the verdict, whether it is the one expected, the time, and whether the assertion fails in the simulator's order: what Heddle says (of a violation) and
what the library does. The exit status is 1 if anything is not as expected.

With --library the library is that of another version: headers in PREFIX/include, libsystemc in PREFIX/lib. With --diff the first lines that differ
are shown.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from accellera_assertions import ASSERTIONS

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Reports of the library, with the lines that belong to them.
REPORT = re.compile(r"^\n?(Info|Warning|Error|Fatal): [^\n]*\n( [^\n]*\n)*(In (file|process): [^\n]*\n)*", re.MULTILINE)

LONG_STEP = 4_000_000_000  # instructions: rsa computes all it does in one step
# Linked with an example for the library: random numbers that are known afterwards, and a clock that says 0, as inputs do that are not given.
RANDOM = """
#include <cstdio>
#include <cstdlib>
#include <ctime>
extern "C" int rand() {
    static unsigned state = 1;
    static FILE *record = fopen(getenv("RANDOM_RECORD"), "w");
    state = state * 1103515245u + 12345u;
    int drawn = static_cast<int>(state >> 4 & RAND_MAX);
    fprintf(record, "rand %d\\n", drawn);
    fflush(record);
    return drawn;
}
extern "C" time_t time(time_t *result) noexcept {
    if (result) *result = 0;
    return 0;
}
"""


def examples(folder):
    """(name, files) for each file with sc_main."""
    for path in sorted(folder.rglob("*.cpp")):
        if not has_main(path):
            continue
        beside = sorted(p for p in path.parent.glob("*.cpp") if p != path and not has_main(p))
        mains = sum(1 for p in path.parent.glob("*.cpp") if has_main(p))
        name = str(path.parent.relative_to(folder))
        yield f"{name}/{path.stem}" if mains > 1 else name, [path, *beside]


def has_main(path):
    return re.search(r"\bsc_main\b", path.read_text(encoding="utf-8", errors="replace")) is not None


def run(command, seconds, folder, **variables):
    """(exit status, or None if it took too long; what it printed; errors)"""
    environment = {**os.environ, "SC_COPYRIGHT_MESSAGE": "DISABLE", **variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment) as process:
        try:
            out, errors = process.communicate(timeout=seconds)
            return process.returncode, out.decode(errors="replace"), errors.decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
            return None, out.decode(errors="replace"), ""


def without_reports(text):
    return [line.rstrip() for line in REPORT.sub("", text).splitlines() if line.strip()]


def folders_of(folder):
    return [f"-I{p}" for p in sorted(folder.rglob("include")) if p.is_dir()]


class Example:
    def __init__(self, asked, name, files, folder, scratch):
        self.asked, self.name, self.files = asked, name, files
        self.flags = folders_of(folder)
        self.scratch = pathlib.Path(scratch)
        self.drawn = self.scratch / "drawn"

    def check(self):
        """(accepted, the result as JSON has it)"""
        command = [self.asked.heddle, "check", "--json", f"--time={self.asked.time}", *self.flags, *map(str, self.files)]
        status, out, errors = run(command, self.asked.time * 3 + 60, self.files[0].parent)
        try:
            return "yes", json.loads(out)
        except ValueError:
            line = next((l for l in (errors + out).splitlines() if "error" in l), f"exit status {status}")
            return "no", {"verdict": "-", "reason": line}

    def simulate(self):
        command = [self.asked.heddle, "simulate", "--schedule=simulator", "--printed", f"--time={self.asked.simulate}", f"--step-limit={LONG_STEP}"]
        command += [f"--inputs={self.drawn}", *self.flags]
        _, out, _ = run([*command, *map(str, self.files)], self.asked.simulate * 3 + 60, self.files[0].parent)
        return without_reports(out)

    def simulate_really(self):
        """(exit status, what was printed or None, trouble)"""
        program, generator = self.scratch / "program", self.scratch / "random.cpp"
        generator.write_text(RANDOM, encoding="utf-8")
        self.drawn.write_text("", encoding="utf-8")
        library = self.asked.library
        where = [f"-I{library}/include", f"-L{library}/lib", f"-Wl,-rpath,{library}/lib"] if library else []
        files = [*map(str, self.files), str(generator)]
        command = ["g++", "-std=c++17", "-w", *self.flags, *where, *files, "-lsystemc", "-lpthread", "-o", str(program)]
        status, _, errors = run(command, 300, self.scratch)
        if status:
            line = next((l for l in errors.splitlines() if "error" in l), "")
            return status, None, f"not compiled for the library: {line.strip()}"
        status, out, _ = run([str(program)], self.asked.simulate, self.files[0].parent, RANDOM_RECORD=str(self.drawn))
        program.unlink()
        return status, without_reports(out), ""


def compare(ours, real):
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(ours, real)))
    return f"{same}/{len(real)}" + ("" if len(ours) == len(real) else f" ({len(ours)} of ours)")


def show_difference(ours, real):
    for a, b in zip(ours, real):
        if a != b:
            print(f"    ours    {a}\n    library {b}")
            return


def show_example(asked, name, files, folder, scratch):
    example = Example(asked, name, files, folder, scratch)
    accepted, said = example.check()
    lines, ours, real, reason = "-", [], None, said["reason"]
    if accepted == "yes":
        _, real, trouble = example.simulate_really()
        if real is not None:
            ours = example.simulate()
            lines = compare(ours, real)
        reason = reason or trouble
    print(f"{name:28} {accepted:9} {said['verdict']:8} {lines:20} {reason.replace(str(folder) + '/', '')}", flush=True)
    if asked.diff and real is not None:
        show_difference(ours, real)


def with_assertion(text, assertion):
    """The text of the file, or None if it has no such line."""
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if assertion.line in line:
            lines[k] = f"{assertion.text} {line}" if assertion.place == "before" else f"{line} {assertion.text}"
            return "\n".join(lines) + "\n"
    return None


def decide(asked, assertion, files, folder, scratch):
    """(verdict, seconds, whether it fails in the simulator's order: as Heddle says, in the library)"""
    copy = pathlib.Path(scratch) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(files[0].parent, copy)
    target = copy / assertion.file
    text = with_assertion(target.read_text(encoding="utf-8", errors="replace"), assertion)
    if text is None:
        return "no such line", 0.0, "-", "-"
    target.write_text(text, encoding="utf-8")
    example = Example(asked, assertion.example, [copy / f.name for f in files], folder, scratch)
    begun = time.monotonic()
    _, said = example.check()
    seconds = time.monotonic() - begun
    in_order = (said.get("simulator_order") or {}).get("fails")
    status, _, trouble = example.simulate_really()
    really = "-" if trouble or status is None else "fails" if status else "holds"
    return said["verdict"], seconds, {True: "fails", False: "holds", None: "-"}[in_order], really


def decide_all(asked, found, folder, scratch):
    """The number of assertions that are not decided as expected."""
    wrong, decided = 0, 0
    print(f"{'example':24} {'verdict':8} {'expected':9} {'seconds':>7}  {'simulator':10} {'library':8} assertion")
    for assertion in ASSERTIONS:
        files = dict(found).get(assertion.example)
        if files is None:
            continue
        verdict, seconds, in_order, really = decide(asked, assertion, files, folder, scratch)
        # The library runs with one choice of inputs, which need not be that of the violation.
        right = verdict == assertion.verdict and (assertion.simulator == "inputs" or really in (assertion.simulator, "-"))
        right &= assertion.simulator == "inputs" or in_order in (assertion.simulator, "-")
        wrong += not right
        decided += verdict in ("safe", "unsafe")
        mark = "" if right else "  NOT AS EXPECTED"
        print(f"{assertion.example:24} {verdict:8} {assertion.verdict:9} {seconds:7.1f}  {in_order:10} {really:8} {assertion.claim}{mark}", flush=True)
    print(f"{decided} decided, {wrong} not as expected")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description="Runs the examples of a SystemC distribution.")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    arguments.add_argument("--time", type=int, default=120)
    arguments.add_argument("--simulate", type=int, default=120)
    arguments.add_argument("--library", type=pathlib.Path)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--diff", action="store_true")
    arguments.add_argument("--assertions", action="store_true")
    asked = arguments.parse_args()
    asked.heddle = str(pathlib.Path(asked.heddle).resolve())
    folder = asked.folder.resolve()
    found = [(name, files) for name, files in examples(folder) if asked.only in name]
    if not found:
        print(f"{folder}: no examples", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        if asked.assertions:
            return 1 if decide_all(asked, found, folder, scratch) else 0
        print(f"{'example':28} {'accepted':9} {'verdict':8} {'lines':20} reason")
        for name, files in found:
            show_example(asked, name, files, folder, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
