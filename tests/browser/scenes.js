"use strict";
/* The pictures of docs/report.md, and what a reader must find in each. */
const scenes = [
  {
    picture: "token-ring.png",
    command: ["check", "models/ivl/token-ring-bug.ivl", "--set", "N=2"],
    size: {width: 1500, height: 880},
    lanes: ["main", "master", "transmit[0]", "transmit[1]"],
    texts: [
      "The assertion token == local + N + 1 fails", "token = 2, local = 0", "input token = 0", "token: 0 → 1",
      "token: 1 → 2", "notifies E[0]"
    ],
    lines: [26],
    arrows: ["wake", "data"],
  },
  {
    picture: "data-race.png",
    command: ["check", "models/c/data-race.c", "--property", "race"],
    size: {width: 1400, height: 640},
    lanes: ["main", "measure"],
    texts: [
      "Data race: main reads temperature (data-race.c:20) while measure writes it (data-race.c:13); nothing orders the two.",
      "creates measure", "race on temperature"
    ],
    lines: [13, 20],
    arrows: ["create", "race"],
  },
  {
    picture: "lost-update.png",
    command: ["check", "models/c/lost-update.c"],
    size: {width: 1400, height: 920},
    hash: "#step=5",
    lanes: ["main", "increase", "increase#2"],
    texts: ["The assertion counter == 2 fails", "reads counter = 0", "counter: 0 → 1", "counter: 1 → 1"],
    lines: [19],
    arrows: ["create", "join", "data"],
  },
  {
    picture: "systemc.png",
    command: ["check", "models/systemc/shared-variable.cpp"],
    size: {width: 1560, height: 900},
    lanes: ["main", "race.read", "race.write", "scheduler"],
    texts:
        ["The assertion seen == k - 1 fails", "seen = 1, k = 1", "race.shared: 0 → 1", "time 0 s → 10 ns", "10 ns: 1"],
    lines: [29],
    arrows: ["wake", "data"],
  },
  {
    picture: "exploration.png",
    command: ["check", "models/ivl/token-ring.ivl", "--set", "N=6"],
    size: {width: 1400, height: 800},
    texts: [
      "1 property holds for every input and every schedule.", "What the reductions saved", "were left out", "The search"
    ],
  },
  {
    picture: "dark.png",
    command: ["check", "models/c/philosophers.c", "--property", "deadlock"],
    size: {width: 1600, height: 1120, scheme: "dark"},
    lanes: ["main", "philosopher", "philosopher#2", "philosopher#3"],
    texts: ["Deadlock: threads are blocked for ever, and nobody can go on.", "blocked for ever"],
    lines: [26, 39], /* the philosophers, and main who waits for them */
    arrows: ["create"],
  },
];
module.exports = scenes;
