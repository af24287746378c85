"use strict";
/* What a report says, without the page: steps, lanes, arrows, and the values at each step.
 * Nothing here touches the document, so it runs outside of a browser, too. */
const Model = (() => {
  const SCHEDULER = "scheduler";
  const MOST_VALUES = 6; /* in a sentence */
  const prefixes = {assert: "assert", reach: "reached:"};
  const SEPARATOR = "\u0000"; /* between thread and variable */
  const SNAPSHOT_EVERY = 128; /* steps between stored sets of values */

  /* How a library type, or the object that stands for a process of a design, is made inside says nothing. */
  const isInsideLibrary = (name, threads) => name.includes(".__") || name.includes("._M_") ||
      threads.has(name.slice(0, Math.max(name.lastIndexOf("["), name.lastIndexOf("+"))));
  const baseName = (name) => name.split(".__")[0];
  const shortFile = (file) => file.slice(file.lastIndexOf("/") + 1);
  const place = (at) => (at ? `${shortFile(at.file)}:${at.line}` : "");
  const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;

  /* --- one trace ------------------------------------------------------------------------------------- */

  /* The first step of a thread often does nothing that anybody would see. */
  const isSilent = (s) => s.phase === "run" && !s.from && !s.call && !s.inputs.length && !s.changes.length &&
      !s.created.length && !s.waits.length && !s.thread_ended && !s.stuck && !s.looping;

  const blank = (thread, extra) => ({
    thread,
    phase: "",
    time: 0,
    delta: 0,
    from: null,
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
    stack: [],
    ...extra,
  });

  const threadNamedIn = (text, names) =>
      names.filter((n) => text.startsWith(n)).sort((a, b) => b.length - a.length)[0] || names[0];

  /* What is wrong at the end, as rows of their own: both accesses of a race, threads that are blocked, or the
   * check that does not hold. */
  function endings(property, trace, steps, names) {
    const last = steps[steps.length - 1];
    const same = last ? {phase: last.phase, time: last.time, when: last.when, delta: last.delta} : {};
    if (!property || !trace.followed) return [];
    if (trace.race.length)
      return trace.race.map((a) => blank(a.thread, {
                              ...same,
                              from: a.position,
                              stack: a.stack || [],
                              end: "race",
                              cell: a.cell,
                              label: `${a.access} ${a.cell}`,
                              said: "at the same time"
                            }));
    if (property.kind === "deadlock")
      return trace.blocked.map((b) => {
        const thread = threadNamedIn(b, names);
        const own = steps.filter((s) => s.thread === thread).pop();
        return blank(thread, {
          ...same,
          from: own && own.to,
          end: "blocked",
          label: "blocked for ever",
          said: b.slice(thread.length).replace(/^[\s:,]+/, "")
        });
      });
    const values = trace.values.map((v) => `${v.name} = ${v.value}`).join(", ");
    return [blank(last ? last.thread : names[0] || "main", {
      ...same,
      from: property.position || (last && last.to),
      stack: trace.stack || [],
      function: property.in,
      end: "check",
      label: `✗ ${prefixes[property.kind] || "required:"} ${property.text}`,
      said: [values && `with ${values}`, ...trace.lost].filter(Boolean).join("; ") || "violated here"
    })];
  }

  function threadNames(steps, trace) {
    const names = new Set(), add = (n) => names.add(n);
    for (const s of steps) {
      if (s.thread !== SCHEDULER) add(s.thread);
      s.created.forEach(add);
      s.woken.forEach(add);
    }
    trace.race.forEach((a) => add(a.thread));
    if (steps.some((s) => s.thread === SCHEDULER)) add(SCHEDULER);
    return [...names];
  }

  const LONGEST_LINE = 40; /* that is shown whole although it has several statements */

  /* Of a long line the statement at this column; `;` between parentheses divides nothing. */
  function statementAt(line, column) {
    let depth = 0, quote = "", begin = 0;
    for (let i = 0; i < line.length; i++) {
      const c = line[i];
      if (quote) {
        if (c === "\\") i++;
        else if (c === quote) quote = "";
        continue;
      }
      if (c === "\"" || c === "'") quote = c;
      else if (c === "(") depth++;
      else if (c === ")") depth--;
      else if (depth <= 0 && (c === ";" || c === "{" || c === "}")) {
        if (i >= column - 1) return line.slice(begin, i + 1).trim();
        begin = i + 1;
      }
    }
    return line.slice(begin).trim();
  }

  const excerpt = (sources, at) => {
    const file = at && sources.get(at.file), line = file && file[at.line - 1];
    if (line === undefined || !file) return "";
    return (line.trim().length > LONGEST_LINE && at.column && statementAt(line, at.column)) || line.trim();
  };

  function labelOf(s, sources, begins) {
    if (s.label) return s.label;
    if (s.thread === SCHEDULER) {
      const time = s.changes.find((c) => c.name === "time");
      return time ? `time ${time.before} → ${time.after}` : "next delta cycle";
    }
    const line = excerpt(sources, s.from);
    if (s.phase !== "run" && begins) return "begins";
    if (s.phase !== "run" && /\bwait\b/.test(line)) return `after ${line}`;
    return s.call || line || (s.from ? place(s.from) : begins ? "begins" : "runs again");
  }

  /* Steps of a design read a lot that never changes, such as what the simulation is made of. */
  const isOfInterest = (s, read, written) => s.phase === "run" || written.has(read.name);

  /* What nobody else writes tells the reader of a schedule nothing. */
  const isWrittenByOthers = (s, name, written) => [...(written.get(name) || [])].some((thread) => thread !== s.thread);

  /* What the step did, as short texts with a class each. */
  function effectsOf(s, threads, written) {
    const list = [];
    const add = (kind, text) => list.some((e) => e.text === text) ||
        list.push({kind, text}); /* variables of several functions, the same value */
    const changed = new Set(s.changes.map((c) => c.name));
    if (s.said) add("end", s.said);
    for (const i of s.inputs) add("input", `input ${i.name} = ${i.value}`);
    for (const c of s.changes)
      if (!isInsideLibrary(c.name, threads) && !(s.thread === SCHEDULER && c.name === "time"))
        add("change", c.before === null ? `${c.name} = ${c.after}` : `${c.name}: ${c.before} → ${c.after}`);
    if (!s.call)
      for (const r of s.reads)
        if (!changed.has(r.name) && isOfInterest(s, r, written) && !isInsideLibrary(r.name, threads)) {
          if (s.phase === "run" && !isWrittenByOthers(s, r.name, written)) s.quiet.push(r);
          else add("read", r.name === r.value ? `reads ${r.name}` : `reads ${r.name} = ${r.value}`);
        }
    for (const n of s.created) add("order", `creates ${n}`);
    for (const n of s.notified) add("order", `notifies ${n}`);
    if (s.printed) add("print", `prints ${s.printed.trimEnd().split("\n").join(" ⏎ ")}`);
    for (const n of s.waits) add("wait", `waits for ${n}`);
    if (s.woken.length) add("order", `wakes ${s.woken.join(", ")}`);
    if (s.thread_ended) add("wait", "ends");
    if (s.stuck) add("wait", "stops at an assumption that does not hold");
    if (s.looping) add("wait", "goes round in a loop for ever");
    return list;
  }

  /* --- what matters ---------------------------------------------------------------------------------- */

  /* Name of shared memory → threads that write it, apart from first values, which main gives before it creates
   * anybody. */
  function writersOf(steps) {
    const written = new Map();
    for (const s of steps.slice(steps.length && steps[0].phase === "run" && steps[0].created.length ? 1 : 0))
      for (const c of s.changes) {
        if (c.local) continue;
        if (!written.has(c.name)) written.set(c.name, new Set());
        written.get(c.name).add(s.thread);
      }
    return written;
  }

  /* What the violated check has read: the last steps of the thread on its line. */
  function readsAtTheEnd(own, steps) {
    const end = steps[own.length], names = new Set();
    for (let i = own.length - 1; end && end.end === "check" && i >= 0 && own[i].thread === end.thread; i--) {
      const s = own[i], here = s.from && end.from && s.from.line === end.from.line && s.from.file === end.from.file;
      const inside = end.from &&
          (s.stack ||
           []).some((f) => f.position && f.position.line === end.from.line && f.position.file === end.from.file);
      if (i < own.length - 1 && !here && !inside) break;
      s.reads.forEach((r) => names.add(r.name));
    }
    return [...names];
  }

  /* Steps from which what is wrong follows: writes of what the check has read, the reads that these writes come from,
   * who holds what others wait for, switches and inputs that were found to matter, and who creates the threads. */
  function markRelevant(property, steps, ends, lastReads) {
    const wanted = new Set(lastReads), locks = new Set(), readBefore = new Map(); /* thread → what it must have read */
    const kind = property ? property.kind : "", seen = new Set();
    for (const e of steps.slice(ends)) {
      if (e.cell) wanted.add(e.cell);
      const held = /for (\S+), which is /.exec(e.said || "");
      if (held) locks.add(held[1]);
    }
    const isEnding = (c) => (["freed", "free"].includes(kind) && c.after === "freed") ||
        (kind === "leak" && c.after.startsWith("allocated at"));
    for (let i = steps.length - 1; i >= 0; i--) {
      const s = steps[i], written = s.changes.filter((c) => !c.local).map((c) => c.name),
            own = readBefore.get(s.thread) || new Set();
      const writes = written.filter((n) => wanted.has(n)), takes = written.filter((n) => locks.has(n)),
            reads = s.reads.filter((r) => own.has(r.name));
      const isLast = steps.slice(ends).some((e) => e.thread === s.thread) && !seen.has(s.thread);
      if (i < ends) seen.add(s.thread);
      s.relevant = Boolean(
          s.end || isLast || writes.length || takes.length || reads.length || s.matters ||
          (steps[i + 1] && steps[i + 1].matters) || s.created.length || s.stuck || s.looping ||
          s.inputs.some((x) => x.matters) || s.changes.some(isEnding));
      takes.forEach((n) => locks.delete(n)); /* the last one who took it holds it */
      if (writes.length) readBefore.set(s.thread, new Set([...own, ...writes]));
      reads.forEach((r) => readBefore.get(s.thread).delete(r.name));
      if (writes.length || reads.length) s.reads.forEach((r) => wanted.add(r.name));
    }
  }

  const FEWEST_STEPS = 14; /* of a story that is worth folding */

  /* Runs of steps that do not matter. */
  function foldsOf(property, steps) {
    const folds = [];
    if (!property || steps.length <= FEWEST_STEPS || steps.some((s) => s.phase && s.phase !== "run")) return folds;
    for (let i = 0; i < steps.length; i++) {
      if (steps[i].relevant) continue;
      const from = i;
      while (i + 1 < steps.length && !steps[i + 1].relevant) i++;
      if (i > from) folds.push({from, to: i});
    }
    return folds;
  }

  /* --- happens-before -------------------------------------------------------------------------------- */

  /* Arrows from step to step: creation, end and join, notification, waking, and conflicting accesses. */
  function arrowsOf(steps, threads) {
    const arrows = [];
    const pending = new Map();                     /* thread → arrows that end at its next step */
    const lastOf = new Map();                      /* thread → its last step so far */
    const notifiedAt = new Map();                  /* event → step */
    const writer = new Map(), readers = new Map(); /* of a cell since its last write */
    const later = (thread, from, kind, label) => {
      if (!pending.has(thread)) pending.set(thread, []);
      pending.get(thread).push({from, kind, label});
    };
    const conflict = (from, to, name, label) => {
      if (from !== undefined && steps[from].thread !== steps[to].thread)
        arrows.push({from, to, kind: "data", label: `${baseName(name)}: ${label}`});
    };
    steps.forEach((s, i) => {
      for (const a of pending.get(s.thread) || []) arrows.push({...a, to: i});
      pending.delete(s.thread);
      if (s.end) return;
      for (const n of s.joined || [])
        if (lastOf.has(n)) arrows.push({from: lastOf.get(n), to: i, kind: "join", label: `end of ${n}`});
      for (const n of s.created) later(n, i, "create", `creates ${n}`);
      for (const n of s.notified) notifiedAt.set(n, i);
      for (const n of s.woken) {
        const before = lastOf.get(n);
        const event = before !== undefined &&
            steps[before].waits.flatMap((w) => w.split(" & ")).find((w) => notifiedAt.get(w) > before);
        if (event) later(n, notifiedAt.get(event), "wake", event);
        else later(n, i, "wake", `wakes ${n}`);
      }
      const written =
          new Set(s.changes.filter((c) => !c.local && c.name !== "time" && !isInsideLibrary(baseName(c.name), threads))
                      .map((c) => c.name));
      for (const r of s.reads) {
        if (written.has(r.name)) continue;
        conflict(writer.get(r.name), i, r.name, "write, then read");
        if (!readers.has(r.name)) readers.set(r.name, new Map());
        readers.get(r.name).set(s.thread, i);
      }
      for (const name of written) {
        const seen = readers.get(name);
        if (seen)
          for (const at of seen.values()) conflict(at, i, name, "read, then write");
        if (!seen || !seen.size) conflict(writer.get(name), i, name, "write, then write");
        writer.set(name, i);
        readers.delete(name);
      }
      lastOf.set(s.thread, i);
    });
    const racing = steps.map((s, i) => i).filter((i) => steps[i].end === "race");
    if (racing.length === 2)
      arrows.push({from: racing[0], to: racing[1], kind: "race", label: `race on ${steps[racing[0]].cell}`});
    return withoutRepeats(arrows);
  }

  function withoutRepeats(arrows) {
    const seen = new Set();
    return arrows.filter((a) => {
      const key = `${a.from} ${a.to} ${a.kind === "data" ? a.label : a.kind}`;
      return !seen.has(key) && seen.add(key);
    });
  }

  /* --- values ---------------------------------------------------------------------------------------- */

  const variableKey = (s, c) => (c.local ? s.thread : "") + SEPARATOR + c.name;

  const isShown = (c, threads) => c.name !== "time" && !isInsideLibrary(c.name, threads);

  function initialValues(steps, threads, written) {
    const values = new Map(), seen = new Set();
    for (const s of steps) {
      for (const r of s.reads) {
        const key = SEPARATOR + r.name;
        if (!seen.has(key) && isOfInterest(s, r, written) && !isInsideLibrary(r.name, threads))
          values.set(key, r.value);
        seen.add(key);
      }
      for (const c of s.changes) {
        const key = variableKey(s, c);
        if (!seen.has(key) && !c.local && c.before !== null && isShown(c, threads)) values.set(key, c.before);
        seen.add(key);
      }
    }
    return values;
  }

  function apply(values, s, threads) {
    for (const c of s.changes)
      if (isShown(c, threads)) values.set(variableKey(s, c), c.after);
    if (s.thread_ended)
      for (const key of [...values.keys()])
        if (key.startsWith(s.thread + SEPARATOR)) values.delete(key);
  }

  class Values {
    constructor(steps, threads, written) {
      this.steps = steps;
      this.threads = threads;
      this.snapshots = [];
      const now = initialValues(steps, threads, written);
      steps.forEach((s, i) => {
        if (i % SNAPSHOT_EVERY === 0) this.snapshots.push(new Map(now));
        apply(now, s, threads);
      });
    }
    /* After step i: shared variables, and the local ones of each thread. */
    after(i) {
      const at = Math.floor(i / SNAPSHOT_EVERY), values = new Map(this.snapshots[at]);
      for (let k = at * SNAPSHOT_EVERY; k <= i; k++) apply(values, this.steps[k], this.threads);
      const shared = [], locals = new Map();
      for (const [key, value] of values) {
        const [thread, name] = key.split(SEPARATOR);
        if (!thread) shared.push({name, value});
        else (locals.get(thread) || locals.set(thread, []).get(thread)).push({name, value});
      }
      return {shared, locals};
    }
  }

  /* --- the whole ------------------------------------------------------------------------------------- */

  const kinds = {
    division: "Division by zero",
    null: "A null pointer is used",
    bounds: "An access is out of bounds",
    constant: "A constant is written",
    freed: "Freed memory is used",
    recursion: "The recursion is too deep",
    free: "Something is freed that must not be",
    overflow: "A signed operation overflows",
  };

  function sentenceOf(property, trace) {
    const where = property.position ? ` (${property.in ? property.in + ", " : ""}${place(property.position)})` : "";
    if (property.kind === "race" && trace && trace.race.length === 2) {
      const [a, b] = trace.race;
      return `Data race: ${a.thread} ${a.access} ${a.cell} (${place(a.position)}) while ${b.thread} ${b.access} ${
          b.cell === a.cell ? "it" : b.cell} (${place(b.position)}); nothing orders the two.`;
    }
    if (property.kind === "deadlock")
      return trace && trace.others.length ? "Deadlock: some threads are blocked for ever while others go on."
                                          : "Deadlock: threads are blocked for ever, and nobody can go on.";
    const told = trace ? (trace.lost.length ? trace.lost : trace.values.map((v) => `${v.name} = ${v.value}`)) : [];
    const because =
        told.length ? `: ${told.slice(0, MOST_VALUES).join(", ")}${told.length > MOST_VALUES ? ", …" : ""}` : "";
    if (property.kind === "assert") return `The assertion ${property.text} fails${where}${because}.`;
    if (property.kind === "reach") return `The condition ${property.text} is reached${where}${because}.`;
    if (property.kind === "leak") return `Memory is never freed${where}${because}.`;
    return `${kinds[property.kind] || "A check fails"}${where}${because}; required: ${property.text}.`;
  }

  /* Lines of what was found to matter; a heading is joined with the first of the lines that belong to it. */
  function whatMatters(trace) {
    const lines = [];
    for (const line of (trace.shrunk ? trace.shrunk.summary : "").split("\n")) {
      if (!line) continue;
      if (line.startsWith("  ") && lines.length)
        lines[lines.length - 1] += lines[lines.length - 1].endsWith(":") ? ` ${line.trim()}` : `; ${line.trim()}`;
      else lines.push(line);
    }
    return lines;
  }

  /* Switches between threads, as the end of a sentence. Of a design, the scheduler's steps are between most. */
  function switchesIn(story) {
    const [all] = whatMatters(story.trace), known = /^(\d+ of (\d+) [a-z ]+ matters?)[.:]/.exec(all || "");
    if (known) return `; ${known[1]}`;
    return story.timed ? "" : ` with ${count(story.switches, "context switch", "context switches")}`;
  }

  function readSources(data) {
    const sources = new Map();
    for (const s of data.sources) sources.set(s.file, s.text.replace(/\n$/, "").split(/\r?\n/));
    return sources;
  }

  function buildStory(property, trace, sources) {
    const own = trace.steps.filter((s) => !isSilent(s));
    const names = threadNames(trace.steps, trace);
    const steps = own.concat(endings(property, trace, own, names)), begun = new Set(), threads = new Set(names);
    const written = writersOf(own);
    steps.forEach((s, i) => {
      s.index = i;
      s.shown = labelOf(s, sources, !begun.has(s.thread));
      begun.add(s.thread);
      s.quiet = [];
      s.effects = effectsOf(s, threads, written);
      s.switched = i > 0 && !s.end && steps[i - 1].thread !== s.thread;
      s.matters = s.switched && s.switch === "necessary";
      s.text = [
        s.thread, s.shown, s.function, ...s.effects.map((e) => e.text),
        ...s.quiet.map((r) => `reads ${r.name} = ${r.value}`)
      ].join("\n").toLowerCase();
    });
    const lastReads = readsAtTheEnd(own, steps);
    markRelevant(property, steps, own.length, lastReads);
    return {
      property,
      trace,
      lastReads,
      folds: foldsOf(property, steps),
      steps,
      names,
      ends: own.length,
      arrows: arrowsOf(steps, threads),
      values: new Values(steps, threads, written),
      switches: steps.filter((s) => s.switched).length,
      timed: own.some((s) => s.phase && s.phase !== "run")
    };
  }

  function read(data) {
    const r = data.result, sources = readSources(data), stories = [];
    const add = (property, trace) => {
      let built = null;
      stories.push({property, tell: () => (built = built || buildStory(property, trace, sources))});
    };
    for (const p of r.properties)
      if (p.trace) add(p, p.trace);
    if (!stories.length && r.trace && r.trace.steps.length) add(null, r.trace);
    return {result: r, sources, stories, invariant: data.invariant, oneSchedule: data.one_schedule};
  }

  return {read, sentenceOf, place, shortFile, count, isInsideLibrary, statementAt, whatMatters, switchesIn, SCHEDULER};
})();
if (typeof module !== "undefined") module.exports = Model;
