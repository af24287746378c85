#!/usr/bin/env python3
"""Designs that misuse SystemC or C++: each is told with the line where the design does it.

    misuse.py HEDDLE

A design below marks its line with a comment `// here`, or `// here unknown` where the answer is not a finding.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODULE = """
SC_MODULE(design) {
    sc_event e;
    sc_in<int> unused;
    %s
    SC_CTOR(design) { SC_THREAD(run); }
    void run() { %s }
};
"""
MAIN = "int sc_main(int, char *[]) { sc_signal<int> s; design d(\"d\"); d.unused(s); %s return 0; }\n"


def design(run, after="sc_start();\n", members=""):
    return "#include <systemc.h>\n" + MODULE % (members, run) + MAIN % after


DESIGNS = {
    # name: (text, what is said)
    "port left unbound": (
        "#include <systemc.h>\nSC_MODULE(design) { sc_in<int> in; SC_CTOR(design) : in(\"in\") {} };\n"
        "int sc_main(int, char *[]) {\n    design d(\"d\");\n    sc_start(); // here\n    return 0;\n}\n",
        "every port is bound",
    ),
    "wait in a method": (
        "#include <systemc.h>\nSC_MODULE(design) {\n    SC_CTOR(design) { SC_METHOD(run); }\n    void run() {\n"
        "        wait(1, SC_NS); // here\n    }\n};\nint sc_main(int, char *[]) { design d(\"d\"); sc_start(); return 0; }\n",
        "wait is not called by a method process",
    ),
    "wait while it is killed": (
        "#include <systemc.h>\nSC_MODULE(design) {\n    sc_process_handle h;\n    void run() {\n        try {\n            wait(10, SC_NS);\n"
        "        } catch (...) {\n            wait(1, SC_NS); // here\n            throw;\n        }\n    }\n"
        "    void end() { wait(1, SC_NS); h.kill(); }\n"
        "    SC_CTOR(design) { SC_THREAD(run); h = sc_get_current_process_handle(); SC_THREAD(end); }\n};\n"
        "int sc_main(int, char *[]) { design d(\"d\"); sc_start(); return 0; }\n",
        "wait is not called while the process is unwound",
    ),
    "a process that survives its end": (
        "#include <systemc.h>\nSC_MODULE(design) {\n    sc_process_handle h;\n    void run() {\n        try {\n            wait(10, SC_NS);\n"
        "        } catch (...) {\n        }\n    }\n    void end() {\n        wait(1, SC_NS);\n        h.kill(); // here\n    }\n"
        "    SC_CTOR(design) { SC_THREAD(run); h = sc_get_current_process_handle(); SC_THREAD(end); }\n};\n"
        "int sc_main(int, char *[]) { design d(\"d\"); sc_start(); return 0; }\n",
        "sc_unwind_exception is thrown again by who catches it",
    ),
    "wait in sc_main": (
        "#include <systemc.h>\nint sc_main(int, char *[]) {\n    wait(1, SC_NS); // here\n    sc_start();\n    return 0;\n}\n",
        "wait is called by a process",
    ),
    "notify after sc_stop": (
        design("sc_stop(); e.notify(SC_ZERO_TIME); e.notify();", "sc_start();\nd.e.notify(); // here\n"),
        "no immediate notification is made by an update, before the simulation or behind its end",
    ),
    "notify before the simulation": (
        design("wait(e);", "\nd.e.notify(); // here\nsc_start();"),
        "no immediate notification is made by an update, before the simulation or behind its end",
    ),
    "sc_start after sc_stop": (
        design("sc_stop();", "sc_start();\nsc_start(); // here\n"),
        "sc_start is not called after sc_stop",
    ),
    "delete twice": (
        design("int *p = new int; delete p; wait(1, SC_NS);\n delete p; // here\n"),
        "what is freed is the start of a live heap object",
    ),
    "delete twice before the simulation": (
        design("", "int *p = new int; delete p;\n delete p; // here\nsc_start();"),
        "what is freed is the start of a live heap object",
    ),
    "virtual call on a freed object": (
        design(
            "shape *s = new square; delete s; wait(1, SC_NS);\n s->area(); // here\n",
            members="struct shape { virtual ~shape() {} virtual int area() { return 0; } };\n"
            "struct square : shape { int area() override { return 4; } };",
        ),
        "pointer is alive",
    ),
    "recursion without an end": (
        design("down(1);", members="int down(int n) {\n return n ? 1 + down(n + 1) : 0; // here unknown\n }"),
        "call depth limit",
    ),
}


def complaint(heddle, folder, name, text, said):
    path = Path(folder) / "design.cpp"
    path.write_text(text, encoding="utf-8")
    run = subprocess.run([heddle, "check", "--json", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    if run.stderr:
        return f"{name}: {run.stderr.decode(errors='replace').strip()[:300]}"
    result = json.loads(run.stdout)
    line = next(k for k, l in enumerate(text.splitlines(), 1) if "// here" in l)
    if "// here unknown" in text:
        wanted = f"{said} ({path}:{line}:"
        found = result["reason"]
        return None if result["verdict"] == "unknown" and found.startswith(wanted) else f"{name}: {result['verdict']}, {found}"
    if result["verdict"] != "unsafe":
        return f"{name}: {result['verdict']} {result['reason']}"
    text_run = subprocess.run([heddle, "check", str(path)], stdout=subprocess.PIPE, timeout=120, check=False)
    shown = text_run.stdout.decode(errors="replace")
    if said not in shown or not re.search(rf"{re.escape(str(path))}:{line}:", shown):
        return f"{name}: `{said}` in line {line} is not told:\n{shown[:600]}"
    return None


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, said) in DESIGNS.items():
            wrong = complaint(heddle, folder, name, text, said)
            failures += [wrong] if wrong else []
    for line in failures:
        print(line)
    print(f"{len(DESIGNS)} designs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
