#!/usr/bin/env python3
"""The examples of a SystemC distribution (its folder examples/sysc) with Heddle.

    accellera.py [--heddle build/heddle] [--time 120] [--simulate 120] [--library PREFIX] [--only NAME] [--diff] FOLDER

An example is a file with sc_main, together with the other files of its folder. Each is checked as it is for every order of processes, and
simulated in the order of Accellera's simulator. What that prints is compared with what the installed library prints, line by line. The table has
for each example: whether it is accepted, the verdict, how many of the library's lines are the same (all of them up to the first that differs,
of how many), and why something is unknown. What the library says on its own account (Info, Warning) is left out of both.

With --library the library is that of another version: headers in PREFIX/include, libsystemc in PREFIX/lib. With --diff the first lines that differ
are shown.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Reports of the library, with the lines that belong to them.
REPORT = re.compile(r"^\n?(Info|Warning|Error|Fatal): [^\n]*\n(In (file|process): [^\n]*\n)*", re.MULTILINE)


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


def run(command, seconds, folder):
    """(exit status, or None if it took too long; what it printed; errors)"""
    environment = {**os.environ, "SC_COPYRIGHT_MESSAGE": "DISABLE"}
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
    def __init__(self, asked, name, files, folder):
        self.asked, self.name, self.files = asked, name, files
        self.flags = folders_of(folder)

    def check(self):
        command = [self.asked.heddle, "check", "--json", f"--time={self.asked.time}", *self.flags, *map(str, self.files)]
        status, out, errors = run(command, self.asked.time * 3 + 60, self.files[0].parent)
        try:
            said = json.loads(out)
        except ValueError:
            line = next((l for l in (errors + out).splitlines() if "error" in l), f"exit status {status}")
            return "no", "-", line
        return "yes", said["verdict"], said["reason"]

    def simulate(self):
        command = [self.asked.heddle, "simulate", "--schedule=simulator", "--printed", f"--time={self.asked.simulate}", *self.flags]
        _, out, _ = run([*command, *map(str, self.files)], self.asked.simulate * 3 + 60, self.files[0].parent)
        return without_reports(out)

    def simulate_really(self, scratch):
        program = pathlib.Path(scratch) / "program"
        library = self.asked.library
        where = [f"-I{library}/include", f"-L{library}/lib", f"-Wl,-rpath,{library}/lib"] if library else []
        command = ["g++", "-std=c++17", "-w", *self.flags, *where, *map(str, self.files), "-lsystemc", "-lpthread", "-o", str(program)]
        status, _, errors = run(command, 300, scratch)
        if status:
            line = next((l for l in errors.splitlines() if "error" in l), "")
            return None, f"not compiled for the library: {line.strip()}"
        _, out, _ = run([str(program)], self.asked.simulate, self.files[0].parent)
        program.unlink()
        return without_reports(out), ""


def compare(ours, real):
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(ours, real)))
    return f"{same}/{len(real)}" + ("" if len(ours) == len(real) else f" ({len(ours)} of ours)")


def show_difference(ours, real):
    for a, b in zip(ours, real):
        if a != b:
            print(f"    ours    {a}\n    library {b}")
            return


def main():
    arguments = argparse.ArgumentParser(description="Runs the examples of a SystemC distribution.")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    arguments.add_argument("--time", type=int, default=120)
    arguments.add_argument("--simulate", type=int, default=120)
    arguments.add_argument("--library", type=pathlib.Path)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--diff", action="store_true")
    asked = arguments.parse_args()
    asked.heddle = str(pathlib.Path(asked.heddle).resolve())
    folder = asked.folder.resolve()
    found = [(name, files) for name, files in examples(folder) if asked.only in name]
    if not found:
        print(f"{folder}: no examples", file=sys.stderr)
        return 2
    print(f"{'example':28} {'accepted':9} {'verdict':8} {'lines':20} reason")
    with tempfile.TemporaryDirectory() as scratch:
        for name, files in found:
            example = Example(asked, name, files, folder)
            accepted, verdict, reason = example.check()
            lines, ours, real = "-", [], None
            if accepted == "yes":
                real, trouble = example.simulate_really(scratch)
                if real is not None:
                    ours = example.simulate()
                    lines = compare(ours, real)
                reason = reason or trouble
            print(f"{name:28} {accepted:9} {verdict:8} {lines:20} {reason.replace(str(folder) + '/', '')}", flush=True)
            if asked.diff and real is not None:
                show_difference(ours, real)
    return 0


if __name__ == "__main__":
    sys.exit(main())
