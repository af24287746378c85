"use strict";
/* What the report derives from the steps of a trace, without a browser. */
const assert = require("node:assert/strict");
const {test} = require("node:test");
const Model = require("../../src/report/formats/viewer/model.js");

const step = (thread, what) => ({
  thread,
  phase: "run",
  time: 0,
  delta: 0,
  from: {file: "p.c", line: 1, column: 1},
  to: null,
  call: null,
  thread_ended: false,
  stuck: false,
  looping: false,
  inputs: [],
  changes: [],
  notified: [],
  woken: [],
  waits: [],
  created: [],
  joined: [],
  reads: [],
  printed: null,
  ...what
});
const write = (name, before, after, local = false) => ({name, before, after, local});

function storyOf(steps) {
  const trace = {steps, values: [], blocked: [], others: [], lost: [], race: [], followed: true};
  const result = {properties: [], trace};
  return Model.read({result, sources: [{file: "p.c", text: "x = 1;\n"}], invariant: null, one_schedule: true})
      .stories[0]
      .tell();
}
const arrows = (steps) => storyOf(steps).arrows.map((a) => `${a.from}-${a.to} ${a.kind}`).sort();

test("conflicts: write to read, read to write, write to write, and never within a thread", () => {
  const set = (thread, before, after) => step(thread, {changes: [write("x", before, after)]});
  const get = (thread, value) => step(thread, {reads: [{name: "x", value}]});
  assert.deepEqual(arrows([set("a", "0", "1"), get("b", "1")]), ["0-1 data"]);
  assert.deepEqual(arrows([get("a", "0"), set("b", "0", "1")]), ["0-1 data"]);
  assert.deepEqual(arrows([set("a", "0", "1"), set("b", "1", "2")]), ["0-1 data"]);
  assert.deepEqual(arrows([set("a", "0", "1"), get("a", "1"), set("a", "1", "2")]), []);
  assert.deepEqual(arrows([get("a", "0"), get("b", "0")]), []);
  assert.deepEqual(
      arrows([set("a", "0", "1"), get("b", "1"), get("c", "1"), set("a", "1", "2")]),
      ["0-1 data", "0-2 data", "1-3 data", "2-3 data"]);
});

test("variables of a thread are no conflict, though they have the same name", () => {
  assert.deepEqual(
      arrows(
          [step("a", {changes: [write("i", null, "1", true)]}), step("b", {changes: [write("i", null, "1", true)]})]),
      []);
});

test("creation and join", () => {
  const steps = [
    step("main", {created: ["a", "b"]}), step("b", {}), step("a", {}), step("a", {thread_ended: true}),
    step("main", {joined: ["a"]})
  ];
  assert.deepEqual(arrows(steps), ["0-1 create", "0-2 create", "3-4 join"]);
});

test("a notification leads to whom it wakes, even if the scheduler does so later", () => {
  const at = (thread, what) => step(thread, {phase: "evaluate", ...what});
  assert.deepEqual(
      arrows([at("a", {waits: ["e"]}), at("b", {notified: ["e"], woken: ["a"]}), at("a", {})]), ["1-2 wake"]);
  assert.deepEqual(
      arrows([at("a", {waits: ["e"]}), at("b", {notified: ["e"]}), at(Model.SCHEDULER, {woken: ["a"]}), at("a", {})]),
      ["1-3 wake"]);
  assert.deepEqual(
      arrows([at("a", {waits: ["time 5"]}), at(Model.SCHEDULER, {woken: ["a"]}), at("a", {})]), ["1-2 wake"]);
});

test("values after a step are those of all steps up to it", () => {
  const steps = [];
  for (let i = 0; i < 1000; i++)
    steps.push(step(
        i % 2 ? "a" : "b", {changes: [write("x", String(i), String(i + 1)), write("mine", null, String(i), true)]}));
  const {values} = storyOf(steps);
  for (const i of [0, 1, 127, 128, 129, 640, 999]) {
    const {shared, locals} = values.after(i);
    assert.deepEqual(shared, [{name: "x", value: String(i + 1)}]);
    assert.deepEqual(locals.get(i % 2 ? "a" : "b"), [{name: "mine", value: String(i)}]);
  }
});

test("what a shared variable was before its first change is known from the beginning", () => {
  const {values} = storyOf([step("a", {}), step("b", {changes: [write("x", "7", "8")]})]);
  assert.deepEqual(values.after(0).shared, [{name: "x", value: "7"}]);
});

test("what is only read is shown, but not what a design reads all the time", () => {
  const reads = [{name: "x", value: "3"}];
  assert.deepEqual(storyOf([step("a", {reads})]).values.after(0).shared, [{name: "x", value: "3"}]);
  assert.deepEqual(storyOf([step("a", {phase: "evaluate", reads})]).values.after(0).shared, []);
  const written =
      [step("a", {phase: "evaluate", reads}), step("b", {phase: "evaluate", changes: [write("x", "3", "4")]})];
  assert.deepEqual(storyOf(written).values.after(0).shared, [{name: "x", value: "3"}]);
});

test("variables of a thread are gone when it has ended", () => {
  const {values} = storyOf([step("a", {changes: [write("i", null, "1", true)]}), step("a", {thread_ended: true})]);
  assert.equal(values.after(0).locals.size, 1);
  assert.equal(values.after(1).locals.size, 0);
});

test("steps that do nothing are left out, switches are counted", () => {
  const story = storyOf([step("main", {created: ["a"]}), step("a", {from: null}), step("a", {}), step("main", {})]);
  assert.equal(story.steps.length, 3);
  assert.equal(story.switches, 2);
});

function failing(steps, kind = "assert") {
  const trace = {steps, values: [], blocked: [], others: [], lost: [], race: [], followed: true, stack: []};
  const position = {file: "p.c", line: 9, column: 1};
  const property = {kind, text: "x == 2", "in": "main", position, verdict: "unsafe", reached: true, trace};
  return Model
      .read({
        result: {properties: [property], trace: null},
        sources: [{file: "p.c", text: "x = 1;\n"}],
        invariant: null,
        one_schedule: false
      })
      .stories[0]
      .tell();
}

test("what matters: writes of what the check reads, the reads they come from, and nothing that others do", () => {
  const busy = (thread) =>
      Array.from({length: 6}, (_, i) => step(thread, {changes: [write(`own_${thread}`, String(i), String(i + 1))]}));
  const get = (thread, name, value) => step(thread, {reads: [{name, value}]});
  const steps = [
    step("main", {created: ["a", "b"]}), ...busy("a"), get("a", "x", "0"), ...busy("b"), get("b", "x", "0"),
    step("b", {changes: [write("x", "0", "1")]}), step("a", {changes: [write("x", "1", "1")]}), get("a", "y", "7"),
    step("main", {from: {file: "p.c", line: 9, column: 4}, reads: [{name: "x", value: "1"}]})
  ];
  const story = failing(steps), relevant = story.steps.filter((s) => s.relevant).map((s) => s.index);
  assert.deepEqual(relevant, [0, 7, 14, 15, 16, 18, 19]);               /* 19: what is wrong */
  assert.deepEqual(story.folds, [{from: 1, to: 6}, {from: 8, to: 13}]); /* one step alone is not worth folding */
});

test("a short story, and a schedule without a violation, are shown whole", () => {
  assert.deepEqual(failing([step("main", {}), step("main", {}), step("main", {})]).folds, []);
  assert.deepEqual(storyOf(Array.from({length: 40}, () => step("main", {}))).folds, []);
});

test("a deadlock: who took the locks that others wait for", () => {
  const take = (thread, lock) =>
      step(thread, {call: `pthread_mutex_lock(&${lock})`, changes: [write(lock, "free", `locked by ${thread}`)]});
  const give = (thread, lock) => step(thread, {changes: [write(lock, `locked by ${thread}`, "free")]});
  const steps = [step("main", {created: ["a", "b"]})];
  for (let i = 0; i < 4; i++) steps.push(take("a", "p"), give("a", "p"));
  steps.push(
      take("a", "p"), step("a", {changes: [write("n", "0", "1")]}), step("a", {}), take("b", "q"), step("b", {}),
      step("a", {}));
  const trace = {
    steps,
    values: [],
    blocked: [
      "a waits in pthread_mutex_lock(&q) at p.c:3:5 for q, which is locked by b since p.c:7:5",
      "b waits in pthread_mutex_lock(&p) at p.c:8:5 for p, which is locked by a since p.c:2:5"
    ],
    others: [],
    lost: [],
    race: [],
    followed: true
  };
  const property = {kind: "deadlock", text: "", in : "", position: null, verdict: "unsafe", reached: true, trace};
  const story =
      Model.read({result: {properties: [property], trace: null}, sources: [], invariant: null, one_schedule: false})
          .stories[0]
          .tell();
  assert.deepEqual(story.steps.filter((s) => s.relevant && !s.end).map((s) => s.index), [0, 9, 12, 13, 14]);
});

test("reads of what nobody else writes are kept apart", () => {
  const story = storyOf([
    step("a", {reads: [{name: "limit", value: "3"}, {name: "x", value: "0"}]}),
    step("b", {changes: [write("x", "0", "1")]})
  ]);
  assert.deepEqual(story.steps[0].effects.map((e) => e.text), ["reads x = 0"]);
  assert.deepEqual(story.steps[0].quiet, [{name: "limit", value: "3"}]);
});

test("of a line with several statements, the one that is meant", () => {
  const line = "static void f(int k) { for (int i = 0; i < k; i++) g(\";{\"); x++; } /* more */";
  assert.equal(Model.statementAt(line, line.indexOf("x++") + 1), "x++;");
  assert.equal(Model.statementAt(line, line.indexOf("i++") + 1), "for (int i = 0; i < k; i++) g(\";{\");");
  assert.equal(Model.statementAt("    return a", 12), "return a");
});
