"""Every format that Heddle writes, read by programs that are not Heddle's.

    python3 formats.py HEDDLE

SARIF: the validator of the SARIF SDK; witnesses: PyYAML, networkx, xmllint; JUnit: junitparser, xmllint; waveforms: GTKWave's reader; graphs: graphviz; JSON: python3-jsonschema and jq.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import junitparser
    import networkx
    import yaml
except ImportError:  # another python3 comes first; the packages are those of the system
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FORMATS = os.path.join(ROOT, "tests", "formats")
MULTITOOL = os.path.join(FORMATS, "node_modules", "@microsoft", "sarif-multitool-linux")

SEQUENTIAL = b"""extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
int total; /* \xff is no UTF-8, and ]]> ends a section */
int twice(int x) {
    total = total + x;
    return 2 * x;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned char k = __VERIFIER_nondet_uchar();
    if (n < -100 || n > 100) return 0;
    if (twice(n) == -14 && k == 200)
        reach_error();
    return 0;
}
"""

HARNESS = """#include <stdlib.h>
static const long long values[] = {%s};
static int at;
int __VERIFIER_nondet_int(void) { return (int)values[at++]; }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)values[at++]; }
void reach_error(void) { exit(42); }
"""

ODD_ASSERTION = b"""#include <assert.h>
int cells[2];
int main(void) {
    const char *s = "\\"<a> & ]]> \xe4\xff";
    assert(s[0] == 'x' && "]]> & <b> \xff \\\\");
    return cells[0];
}
"""


class Failure(Exception):
    pass


def expect(condition, said):
    if not condition:
        raise Failure(said)


def run(command, **more):
    return subprocess.run(command, capture_output=True, timeout=120, **more)


def succeed(command, **more):
    done = run(command, **more)
    expect(done.returncode == 0, f"{command}: {done.stdout[-2000:]!r} {done.stderr[-2000:]!r}")
    return done.stdout


def text_of(name):
    return os.fsencode(name).decode("utf-8", "replace")


class Case:
    """One run with all formats, and its files."""

    def __init__(self, heddle, folder, name, model, options, verdict, witness=True):
        self.name, self.model, self.folder, self.witness = name, model, folder, witness
        self.heddle, self.options = heddle, options
        command = [heddle, "check", model, "--json", "--deterministic", *options]
        for kind in ("sarif", "junit", "vcd"):
            command += [f"--{kind}", self.path(kind)]
        if witness:
            command += ["--witness", self.path("yml")]
        done = run(command, cwd=ROOT)
        expect(done.returncode == {"safe": 0, "unsafe": 1, "unknown": 3}[verdict], f"{done.returncode}: {done.stderr!r}")
        self.result = json.loads(done.stdout)
        expect(self.result["verdict"] == verdict, self.result["verdict"])
        self.printed = done.stdout

    def path(self, kind):
        return os.path.join(self.folder, f"{self.name}.{kind}")

    def steps(self):
        return self.result["trace"]["steps"] if self.result["trace"] else []


# --- JSON ---------------------------------------------------------------------------------------------------


def check_json(case, schema):
    jsonschema.Draft202012Validator(schema).validate(case.result)
    expect(succeed(["jq", ".schema"], input=case.printed).strip() == b"1", "jq reads another version")


# --- SARIF --------------------------------------------------------------------------------------------------


def check_sarif(case, schema):
    with open(case.path("sarif"), encoding="utf-8") as f:
        log = json.load(f)
    jsonschema.Draft7Validator(schema).validate(log)
    (run_,) = log["runs"]
    violated = [p for p in case.result["properties"] if p["verdict"] == "unsafe"]
    expect(len(run_["results"]) == len(violated), "not one result for each violated property")
    rules = run_["tool"]["driver"]["rules"]
    for result, prop in zip(run_["results"], violated):
        expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], "rule and index differ")
        expect(rules[result["ruleIndex"]]["properties"]["kind"] == prop["kind"], "another rule")
        places = []
        for flow in result["codeFlows"][0]["threadFlows"]:
            orders = [p["executionOrder"] for p in flow["locations"]]
            expect(orders == sorted(orders), "steps of a thread out of order")
            places += [(order, flow["id"]) for order in orders]
        expect([thread for _, thread in sorted(places)] == [s["thread"] for s in prop["trace"]["steps"]],
               "the interleaving is not that of the trace")
    notes = run_["invocations"][0]["toolExecutionNotifications"]
    expect(len(notes) == len(case.result["doubts"]) and all(n["level"] == "note" for n in notes), "doubts are not notes")


def check_with_multitool(cases):
    """One process for all files: it takes a second to start."""
    program = os.path.join(MULTITOOL, "Sarif.Multitool")
    os.chmod(program, 0o755)
    said = run([program, "validate", *[c.path("sarif") for c in cases]],
               env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"})
    out = said.stdout.decode() + said.stderr.decode()
    expect(f"{len(cases)} files scanned" in out and not re.search(r": error ", out), out[-3000:])


# --- JUnit --------------------------------------------------------------------------------------------------


def check_junit(case):
    succeed(["xmllint", "--noout", "--schema", os.path.join(FORMATS, "junit.xsd"), case.path("junit")])
    read = junitparser.JUnitXml.fromfile(case.path("junit"))
    counted = [0, 0, 0]
    for suite in read:
        for test in suite:
            counted[0] += 1
            for outcome in test.result:
                counted[1] += isinstance(outcome, junitparser.Failure)
                counted[2] += isinstance(outcome, junitparser.Error)
                expect(outcome.message, "an outcome without a message")
    verdicts = [p["verdict"] for p in case.result["properties"]]
    expect(counted[1:] == [verdicts.count("unsafe"), verdicts.count("unknown")], f"{counted} of {verdicts}")
    expect([read.tests, read.failures, read.errors] == counted, "the totals are wrong")


# --- waveforms ----------------------------------------------------------------------------------------------


def read_waves(text):
    """The last value of each variable of what GTKWave's own converter wrote, by its path."""
    names, scope, last = {}, [], {}
    for line in text.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scope.append(words[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var"):
            names.setdefault(words[3], []).append(".".join([*scope[1:], words[4]]))
        elif words and line[0] in "01xz":
            last[line[1:]] = line[0]
        elif words and line[0] == "b":
            last[words[1]] = words[0][1:]
    return {path: last.get(code) for code, paths in names.items() for path in paths}


def check_waves(case):
    if not case.result["trace"]:
        expect(not os.path.exists(case.path("vcd")), "waveforms without a trace")
        return
    succeed(["vcd2fst", case.path("vcd"), case.path("fst")])
    values = read_waves(succeed(["fst2vcd", case.path("fst")]).decode("utf-8", "replace"))
    for thread in {s["thread"] for s in case.steps()}:
        expect(values.get(f"{thread}.running") == "0", f"{thread} does not stop")
    expected, seen = {}, 0
    for step in case.steps():
        for change in step["changes"]:
            expected[change["name"]] = change["after"]
    for name, shown in expected.items():
        bits = values.get(name)
        if bits is None or not re.fullmatch(r"-?\d+|true|false", shown):
            continue
        number = {"true": 1, "false": 0}.get(shown)
        number = int(shown) if number is None else number
        expect(int(bits, 2) == number % (1 << max(len(bits), 1)), f"{name}: {bits} is not {shown}")
        seen += 1
    return seen


# --- witnesses ----------------------------------------------------------------------------------------------


def check_yaml(case, schema):
    with open(case.path("yml"), encoding="utf-8") as f:
        document = yaml.safe_load(f)
    jsonschema.Draft202012Validator(schema).validate(document)
    (entry,) = document
    task = entry["metadata"]["task"]
    with open(os.path.join(ROOT, os.fsencode(case.model).decode("utf-8", "surrogateescape")), "rb") as f:
        content = f.read()
    expect(task["input_files"] == [text_of(case.model)], task["input_files"])
    expect(task["input_file_hashes"] == {text_of(case.model): hashlib.sha256(content).hexdigest()}, "another hash")
    if case.result["verdict"] == "safe":
        expect(entry["entry_type"] == "invariant_set", entry["entry_type"])
        return entry
    segments = [s["segment"] for s in entry["content"]]
    points = [w["waypoint"] for segment in segments for w in segment]
    concurrent = len({s["thread"] for s in case.steps()} | {t for s in case.steps() for t in s["created"]}) > 1
    expect(entry["metadata"]["format_version"] == ("2.2" if concurrent else "2.0"), "another version")
    expect([p["type"] == "target" for p in points].index(True) == len(points) - len(segments[-1]), "targets come last")
    lines, known = content.split(b"\n"), 1
    for p in points:
        line = lines[p["location"]["line"] - 1]
        if p["type"] in ("function_enter", "function_return"):
            expect(line[p["location"]["column"] - 1:][:1] == b")", f"no parenthesis at {p['location']}")
        if p["type"] == "function_enter":
            expect(b"pthread_create" in line, f"nobody is created at {p['location']}")
            known += 1
        expect(not concurrent or p["thread_id"] < known, "a thread before it is created")
    return entry


def check_graphml(case):
    path = case.path("graphml")
    run([case.heddle, "check", case.model, *case.options, "--witness", path, "--witness-format", "graphml"], cwd=ROOT)
    succeed(["xmllint", "--noout", "--schema", os.path.join(FORMATS, "graphml.xsd"), path])
    graph = networkx.read_graphml(path)
    entries = [n for n, data in graph.nodes(data=True) if data.get("entry")]
    goals = [n for n, data in graph.nodes(data=True) if data.get("violation")]
    expect(len(entries) == 1, "not one entry")
    if case.result["verdict"] == "unsafe":
        expect(len(goals) == 1 and networkx.has_path(graph, entries[0], goals[0]), "no path to the violation")
        active = {"0"}
        for a, b in networkx.dfs_edges(graph, entries[0]):
            data = graph.edges[a, b]
            expect(data.get("threadId", "0") in active, "a thread before it is created")
            active.add(data.get("createThread", "0"))
    else:
        expect(not goals, "a violation in a proof")


def check_inputs_fail(case, entry):
    """The returned values of the witness, in their order, make the compiled program call reach_error."""
    values = [p["waypoint"]["constraint"]["value"].split("== ")[1] for s in entry["content"] for p in s["segment"]
              if p["waypoint"]["type"] == "function_return"]
    expect(len(values) == 2, f"{values}")
    harness = os.path.join(case.folder, "harness.c")
    with open(harness, "w", encoding="utf-8") as f:
        f.write(HARNESS % ", ".join(values))
    program = os.path.join(case.folder, "program")
    succeed(["cc", "-o", program, harness, case.model])
    expect(run([program]).returncode == 42, "the program does not fail with the inputs of the witness")


INVARIANT_HARNESS = """#include <stdlib.h>
void held(int invariant) { if (!invariant) exit(99); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)strtoul(getenv("INPUT"), 0, 10); }
"""


def check_invariant_holds(case, entry):
    """Compiled into its loop, the invariant is true in every turn."""
    (item,) = [i["invariant"] for i in entry["content"]]
    with open(os.path.join(ROOT, case.model), encoding="utf-8") as f:
        lines = f.read().split("\n")
    at = item["location"]
    line, begin = lines[at["line"] - 1], at["column"] - 1
    expect(line[begin:].startswith("while ("), f"no loop at {at}")
    begin += len("while (")
    lines[at["line"] - 1] = f"{line[:begin]}held({item['value']}), {line[begin:]}"
    names = [os.path.join(case.folder, name) for name in ("instrumented.c", "held.c", "instrumented")]
    for name, text in zip(names, ("void held(int);\n" + "\n".join(lines), INVARIANT_HARNESS)):
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
    succeed(["cc", "-O1", "-o", names[2], *names[:2]])
    for number in ("0", "1", "7", "1000"):
        done = run([names[2]], env={**os.environ, "INPUT": number})
        expect(done.returncode == 0, f"{item['value']} does not hold: {done.returncode}")


# --- graphs -------------------------------------------------------------------------------------------------


def check_graphs(heddle, folder):
    shown = {"cfg": "counter++;", "ir-dot": "store", "state-space": "counter = 2", "arg": "increase#2"}
    for what, text in shown.items():
        drawn = succeed([heddle, "dump", "--what", what, "models/c/lost-update.c"], cwd=ROOT)
        expect(text.encode() in drawn, f"{what}: no {text}")
        picture = os.path.join(folder, "picture.svg")
        with open(picture, "wb") as f:
            f.write(succeed(["dot", "-Tsvg"], input=drawn))
        succeed(["xmllint", "--noout", "--nonet", picture])
    large = run([heddle, "dump", "--what", "state-space", "--max-states", "5", "models/c/lost-update.c"], cwd=ROOT)
    expect(large.returncode == 2 and b"too many states" in large.stderr and not large.stdout, "no limit of a picture")


# --- verdicts -----------------------------------------------------------------------------------------------


def check_verdict_lines(heddle, folder):
    """The last line, as BenchExec's tools print it."""
    broken = os.path.join(folder, "broken.c")
    with open(broken, "w", encoding="utf-8") as f:
        f.write("int main(void) { return")
    for options, status, line in (
        (["models/c/lost-update.c"], 1, "false(unreach-call)"),
        (["models/c/data-race.c", "--property", "race"], 1, "false(no-data-race)"),
        (["models/c/lock-order.c", "--property", "deadlock", "--quiet"], 1, "false(no-deadlock)"),
        (["models/c/data-race.c"], 0, "true"),
        (["models/c/peterson.c", "--max-transitions", "3"], 3, "unknown"),
        ([broken], 2, "ERROR (bad input)"),
    ):
        done = run([heddle, "check", "--verdict-line", *options], cwd=ROOT)
        lines = done.stdout.decode().splitlines()
        expect(done.returncode == status and lines[-1] == f"Verdict: {line}", f"{options}: {lines[-1:]}")
        expect(sum(one.startswith("Verdict: ") for one in lines) == 1, f"{options}: several verdicts")


# --- all ----------------------------------------------------------------------------------------------------


def main():
    heddle = os.path.abspath(sys.argv[1])
    expect(os.path.isdir(MULTITOOL), "tests/formats/node_modules is missing: make deps-tests")
    with open(os.path.join(MULTITOOL, "sarif-2.1.0.json"), encoding="utf-8-sig") as f:
        sarif = json.load(f)
    with open(os.path.join(ROOT, "docs", "result.schema.json"), encoding="utf-8") as f:
        result = json.load(f)
    with open(os.path.join(FORMATS, "witness.schema.json"), encoding="utf-8") as f:
        witness = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        sequential = os.path.join(folder, 'odd "name" & <x> \udcff.c')
        odd = os.path.join(folder, "odd.c")
        for path, content in ((sequential, SEQUENTIAL), (odd, ODD_ASSERTION)):
            with open(os.fsencode(path), "wb") as f:
                f.write(content)
        cases = [
            Case(heddle, folder, "assert", "models/c/lost-update.c", [], "unsafe"),
            Case(heddle, folder, "race", "models/c/data-race.c", ["--property", "race"], "unsafe"),
            Case(heddle, folder, "inputs", "models/c/assume-order.c", [], "unsafe"),
            Case(heddle, folder, "sequential", sequential, ["--property", "assert"], "unsafe"),
            Case(heddle, folder, "odd", odd, ["--property", "assert"], "unsafe"),
            Case(heddle, folder, "proof", "models/c/unbounded-loop.c", ["--property", "assert", "--engine", "cegar"], "safe"),
            Case(heddle, folder, "parameter", "models/c/unbounded-parameter.c", ["--property", "assert", "--engine", "cegar"], "safe"),
            Case(heddle, folder, "limit", "models/c/peterson.c", ["--max-transitions", "3"], "unknown"),
            Case(heddle, folder, "design", "models/systemc/clock-domains.cpp", ["-DBUG"], "unsafe", witness=False),
            Case(heddle, folder, "ivl", "models/ivl/token-ring-bug.ivl", [], "unsafe", witness=False),
            Case(heddle, folder, "dlang", "models/dlang/lost-update.dl", [], "unsafe", witness=False),
        ]
        waves = 0
        for case in cases:
            try:
                check_json(case, result)
                check_sarif(case, sarif)
                check_junit(case)
                waves += check_waves(case) or 0
                if case.witness and case.result["verdict"] != "unknown":
                    entry = check_yaml(case, witness)
                    check_graphml(case)
                    if case.name == "sequential":
                        check_inputs_fail(case, entry)
                    if case.name in ("proof", "parameter"):
                        check_invariant_holds(case, entry)
            except (Failure, jsonschema.ValidationError, yaml.YAMLError, UnicodeError, KeyError, ValueError) as e:
                raise SystemExit(f"{case.name}: {type(e).__name__}: {str(e)[:3000]}") from e
        expect(not os.path.exists(os.path.join(folder, "limit.yml")), "a witness of an unknown verdict")
        expect(waves >= 6, f"only {waves} values of waveforms were compared")
        check_with_multitool(cases)
        check_graphs(heddle, folder)
        check_verdict_lines(heddle, folder)
        first = open(cases[0].path("yml"), "rb").read()
        again = Case(heddle, folder, "again", "models/c/lost-update.c", [], "unsafe")
        expect(open(again.path("yml"), "rb").read() == first, "a deterministic witness differs from itself")
        refused = run([heddle, "check", "models/ivl/counter.ivl", "--witness", os.path.join(folder, "no.yml")], cwd=ROOT)
        expect(b"only C programs have witnesses" in refused.stderr, "a witness of an IVL program")
        expect(refused.returncode == 2 and not refused.stdout, "a witness of an IVL program is refused before it is checked")
        for form in ("yaml", "graphml"):
            none = os.path.join(folder, f"deadlock.{form}")
            blocked = run([heddle, "check", "models/c/lock-order.c", "--property", "deadlock", "--witness", none, "--witness-format", form], cwd=ROOT)
            expect(blocked.returncode == 1 and not blocked.stderr and not os.path.exists(none), f"a {form} witness of a deadlock")
    print(f"{len(cases)} results in all formats")


if __name__ == "__main__":
    try:
        main()
    except Failure as e:
        raise SystemExit(str(e)) from e
