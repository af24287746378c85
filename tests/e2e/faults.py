#!/usr/bin/env python3
"""What goes wrong around a run: signals, kills, full disks, folders that vanish, too little memory.

    faults.py HEDDLE

Each must end in a valid state: a verdict with its reason, or an error that is said; files that are whole, or as they were before.
"""

import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import schema

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "result.schema.json").read_text(encoding="utf-8"))
ENDLESS = """int c[7];
thread process[i : 7] {
    while (true) {
        wait_time 0;
        if (c[i] < 8) { if (c[(i + 1) % 7] <= c[i]) { c[i] += 1; } }
        else { if (c[(i + 1) % 7] >= 4) { c[i] = 0; } }
        assert(c[i] < 9);
    }
}
main { start; }
"""
UNSAFE = """int x = 0;
thread A { while (true) { x = x + 1; assert x < 300; wait_time 1; } }
thread B { while (true) { wait_time 1; } }
main { start; }
"""
OLD = "what was there before"
SLOW = float(os.environ.get("HEDDLE_SLOW", "1"))


class Faults:
    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, pathlib.Path(folder)
        self.complaints, self.checks = [], 0
        self.draw = random.Random(1)
        (self.folder / "endless.ivl").write_text(ENDLESS, encoding="utf-8")
        (self.folder / "unsafe.ivl").write_text(UNSAFE, encoding="utf-8")

    def expect(self, holds, message):
        self.checks += 1
        if not holds:
            self.complaints.append(message)

    def start(self, *arguments, limit=None):
        def in_child():
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        return subprocess.Popen([self.heddle, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=in_child)

    def outputs(self):
        """Options that write files, over older ones; and these files."""
        files = {"--trace": self.folder / "t.json", "--sarif": self.folder / "t.sarif", "--html": self.folder / "t.html",
                 "--junit": self.folder / "t.xml"}
        for file in files.values():
            file.write_text(OLD, encoding="utf-8")
        return [word for option, file in files.items() for word in (option, file)], files.values()

    def expect_whole(self, files, name):
        for file in files:
            content = file.read_text(encoding="utf-8")
            ends = {".html": "</html>", ".xml": "</testsuites>"}
            try:
                whole = content == OLD or (content.rstrip().endswith(ends[file.suffix]) if file.suffix in ends else json.loads(content))
            except ValueError:
                whole = False
            self.expect(whole, f"{name}: {file.name} is torn: {len(content)} bytes")

    def left_behind(self):
        return [p.name for p in self.folder.iterdir() if p.name.startswith("t.") and p.name.count(".") > 1]

    def signals_during_search(self):
        for engine in ("search", "cegar", "auto"):
            run = self.start("check", "--json", "--engine", engine, "endless.ivl")
            time.sleep(0.3 * SLOW)
            for _ in range(40):
                run.send_signal(self.draw.choice((signal.SIGINT, signal.SIGTERM)))
                time.sleep(0.002)
            out, _ = run.communicate(timeout=60 * SLOW)
            self.expect(run.returncode == 3, f"{engine}: status {run.returncode} after a swarm of signals")
            result = json.loads(out) if out else {}
            self.expect(result.get("reason") == "interrupted", f"{engine}: {result.get('reason')!r} after a swarm of signals")

    def signals_at_any_moment(self):
        """Also while the report is written: the verdict is there, or the program was ended before it had one."""
        for _ in range(12):
            options, files = self.outputs()
            run = self.start("check", "--json", *options, "unsafe.ivl")
            time.sleep(self.draw.random() * 0.15 * SLOW)
            for _ in range(5):
                run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=60 * SLOW)
            self.expect(run.returncode in (1, 3, -signal.SIGINT), f"status {run.returncode} after signals")
            if run.returncode in (1, 3):
                self.expect(json.loads(out)["verdict"] in ("unsafe", "unknown"), "no result after signals")
            self.expect_whole(files, "signals")

    def interrupt_of_all(self):
        """A terminal sends Ctrl-C to clang as well, which reads headers here."""
        with open(os.path.join(self.folder, "headers.cpp"), "w", encoding="utf-8") as f:
            f.write("#include <systemc.h>\nstruct m : sc_module { unsigned long n = 0; void run() { for (;;) { n++; wait(1, SC_NS); } }\n"
                    "    SC_CTOR(m) { SC_THREAD(run); } };\nint sc_main(int, char **) { m endless(\"m\"); sc_start(); return 0; }\n")
        for wait in (0.05, 0.2, 0.4):
            run = subprocess.Popen([self.heddle, "check", "--json", "--engine", "search", "headers.cpp"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
            time.sleep(wait * SLOW)
            os.killpg(run.pid, signal.SIGINT)
            out, err = run.communicate(timeout=120 * SLOW)
            self.expect(run.returncode == 3 and json.loads(out)["reason"] == "interrupted",
                        f"status {run.returncode} when clang is interrupted, too: {err[:200]!r}")

    def slow_programs(self):
        """Each keeps something busy that is no exploration: clang, the translator and one long step, static analysis."""
        os.mkfifo(self.folder / "nobody.h")
        texts = {
            "pipe.c": '#include "nobody.h"\nint main(void) { return 0; }\n',
            "templates.cpp": "template <int N, int M> struct X { static const long v = X<N - 1, M>::v + X<N - 1, M + 1>::v + X<N - 1, 2 * M>::v; };\n"
                             "template <int M> struct X<0, M> { static const long v = M; };\nint main() { return X<40, 1>::v; }\n",
            "switch.c": "extern int __VERIFIER_nondet_int(void);\nint g;\nint main(void) {\n    switch (__VERIFIER_nondet_int()) {\n"
                        + "".join(f"    case {3 * i}: g = {i}; break;\n" for i in range(20000)) + "    }\n    return 0;\n}\n",
            "many.ivl": "int x[3000];\n" + "".join(f"thread T{i} {{ x[{i}] = x[{7 * i % 3000}] + 1; wait_time {i % 5 + 1}; }}\n" for i in range(3000))
                        + "main { start; }\n",
        }
        for name, text in texts.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        return texts

    def leftovers(self):
        """Processes that work in this folder, by their command lines."""
        left = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(entry / "cwd") == os.path.realpath(self.folder):
                    left.append((entry / "cmdline").read_bytes().replace(b"\0", b" "))
            except OSError:
                pass
        return left

    def limits_hold_everywhere(self):
        for name in self.slow_programs():
            for more in ((), ("--no-simplify",)) if name == "switch.c" else ((),):
                run = self.start("check", "--json", "--time", "2s", *more, name)
                out, err = run.communicate(timeout=30 * SLOW)
                result = json.loads(out) if out else {}
                self.expect(run.returncode == 3 and result.get("reason") == "time limit",
                            f"{name}: status {run.returncode}, {result.get('reason')!r} instead of the time limit: {err[:200]!r}")
                self.expect(not schema.validate(result, SCHEMA), f"{name}: {schema.validate(result, SCHEMA)}")
                self.expect(not self.leftovers(), f"{name}: still there after the limit: {self.leftovers()}")

    def signals_are_obeyed_everywhere(self):
        for name in ("pipe.c", "templates.cpp", "switch.c", "many.ivl"):
            for number in (signal.SIGTERM, signal.SIGINT):
                run = self.start("check", "--json", name)
                time.sleep(1)
                run.send_signal(number)
                out, err = run.communicate(timeout=15 * SLOW)
                result = json.loads(out) if out else {}
                self.expect(run.returncode == 3 and result.get("reason") == "interrupted",
                            f"{name}: status {run.returncode}, {result.get('reason')!r} after a signal: {err[:200]!r}")
                self.expect(not self.leftovers(), f"{name}: still there after a signal: {self.leftovers()}")
        subprocess.run([self.heddle, "check", "--trace", "recorded.json", "unsafe.ivl"], cwd=self.folder, stdout=subprocess.DEVNULL, check=False)
        (self.folder / "matrix.toml").write_text('[configuration.one]\nengine = "search"\n', encoding="utf-8")
        (self.folder / "programs").mkdir()
        (self.folder / "programs" / "endless.ivl").write_text(ENDLESS, encoding="utf-8")
        for command in (("simulate", "pipe.c"), ("dump", "pipe.c"), ("compare", "pipe.c"), ("explain", "recorded.json", "pipe.c"),
                        ("compare", "programs", "--matrix", "matrix.toml", "--out", "table")):
            run = self.start(*command)
            time.sleep(0.5)
            run.send_signal(signal.SIGTERM)
            run.communicate(timeout=15 * SLOW)
            self.expect(run.returncode == 3, f"{command}: status {run.returncode} after a signal")
            self.expect(not self.leftovers(), f"{command}: still there after a signal: {self.leftovers()}")

    def frozen_work_is_ended(self):
        """What does not even look up is ended, and what it had told of itself is the answer."""
        for command, program in (("check", "endless.ivl"), ("check", "pipe.c"), ("compare", "endless.ivl")):
            run = self.start(command, "--engine", "search", "--por", "none", "--time", "10m", program)
            time.sleep(SLOW)
            children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text(encoding="utf-8").split()
            for child in children:
                os.kill(int(child), signal.SIGSTOP)
            run.send_signal(signal.SIGTERM)
            out = run.communicate(timeout=15 * SLOW)[0].decode()
            self.expect(children and run.returncode == 3, f"{command} {program}: status {run.returncode} of frozen work")
            self.expect("Up to there" not in out and ": 0 states" not in out, f"{command} {program}: says what it does not know: {out}")
            known = not re.search(r"search.* [1-9]\d*", out) if program == "pipe.c" else re.search(r"search.* [1-9]\d{2,}", out)
            self.expect(known and "interrupted" in out, f"{command} {program}: does not say what it knows: {out}")
            self.expect(not self.leftovers(), f"{command} {program}: still there: {self.leftovers()}")

    def crashes_are_told(self):
        """The process that works is killed, as the system does when memory runs out."""
        run = self.start("check", "endless.ivl")
        time.sleep(0.5 * SLOW)
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text(encoding="utf-8").split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        _, err = run.communicate(timeout=15 * SLOW)
        self.expect(children and run.returncode == 4 and b"no verdict" in err, f"status {run.returncode} after the work was killed: {err!r}")

    def kills_at_any_moment(self):
        for _ in range(12):
            options, files = self.outputs()
            run = self.start("check", "--json", *options, "unsafe.ivl")
            time.sleep(self.draw.random() * 0.2 * SLOW)
            run.kill()
            run.communicate()
            self.expect_whole(files, "kill")
        for name in self.left_behind():
            (self.folder / name).unlink()

    def full_disk(self):
        options, files = self.outputs()
        run = self.start("check", *options, "unsafe.ivl", limit=(resource.RLIMIT_FSIZE, 1000))
        out, err = run.communicate(timeout=60 * SLOW)
        self.expect(run.returncode == 4, f"status {run.returncode} on a full disk")
        self.expect(out.startswith(b"unsafe"), "the verdict is lost on a full disk")
        self.expect(b"t.json: error: " in err, f"a full disk goes unsaid: {err!r}")
        self.expect(all(file.read_text(encoding="utf-8") == OLD for file in files), "a full disk costs the file that was there")
        self.expect(not self.left_behind(), "a full disk leaves parts of files behind")

    def vanishing_folder(self):
        folder = self.folder / "gone"
        folder.mkdir()
        run = self.start("check", "--trace", folder / "t.json", "--max-transitions", "300", "--engine", "search", "unsafe.ivl")
        os.kill(run.pid, signal.SIGSTOP)
        time.sleep(0.05)
        folder.rmdir()
        os.kill(run.pid, signal.SIGCONT)
        out, err = run.communicate(timeout=60 * SLOW)
        # Stopped before it looked, the path is refused; stopped later, the result is there and the file is an error.
        self.expect(run.returncode in (2, 3, 4), f"status {run.returncode} when the folder vanishes")
        self.expect(run.returncode == 3 or b"error: No such file or directory" in err, f"a vanished folder goes unsaid: {err!r} {out[:40]!r}")

    def memory_limit(self):
        for engine in ("search", "cegar"):
            run = self.start("check", "--json", "--engine", engine, "--memory", "60M", "--time", f"{60 * SLOW:.0f}s", "endless.ivl")
            result = json.loads(run.communicate(timeout=120 * SLOW)[0])
            peak = result["statistics"]["peak_memory_bytes"]
            self.expect(result["reason"] == "memory limit", f"{engine}: {result['reason']!r} instead of the memory limit")
            self.expect(peak <= 1.05 * 60 * 2**20, f"{engine}: {peak} bytes of 60 MiB")

    def no_memory_at_all(self):
        run = self.start("check", "--engine", "search", "endless.ivl", limit=(resource.RLIMIT_AS, 120 * 2**20))
        _, err = run.communicate(timeout=120 * SLOW)
        self.expect(run.returncode == 3, f"status {run.returncode} when the system has no memory")
        self.expect(b"out of memory" in err, f"want of memory goes unsaid: {err!r}")


def main():
    sanitized = SLOW > 1  # they keep memory of their own, and no limits on it
    with tempfile.TemporaryDirectory() as folder:
        f = Faults(os.path.abspath(sys.argv[1]), folder)
        f.signals_during_search()
        f.signals_at_any_moment()
        f.interrupt_of_all()
        f.limits_hold_everywhere()
        f.signals_are_obeyed_everywhere()
        f.frozen_work_is_ended()
        f.crashes_are_told()
        f.kills_at_any_moment()
        f.full_disk()
        f.vanishing_folder()
        if not sanitized:
            f.memory_limit()
            f.no_memory_at_all()
    print("\n".join(f.complaints) if f.complaints else f"all {f.checks} checks of faults hold")
    return 1 if f.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
