"use strict";
/* The page: draws what model.js says. Only rows that can be seen are in the document. */
(() => {
  const LINE = 20, OVERSCAN = 4, MOST_VARIABLES = 150, FEW_VARIABLES = 12, MOST_PRINTED = 20000, MOST_DOTS = 4;

  const {$, make, draw} = Dom;
  const page = Model.read(JSON.parse($("data").textContent));
  const result = page.result;
  let story = null, chosenStory = 0, selected = 0, file = null, view = null, matches = [], needle = "";

  const lanes =
      Lanes({story: () => story, selected: () => selected, needle: () => needle, select: (index) => select(index)});
  const {measure, drawRows, hueOf} = lanes;

  /* --- places in the source -------------------------------------------------------------------------- */

  const KEYWORDS = new Set(
      ("alignas assert assume atomic auto bool break case char class const continue default delete do double else " +
       "enum event extern false float for goto if inline int long main namespace new notify operator param private " +
       "protected public register return short signed sizeof start static struct switch template this thread true " +
       "typedef typename union unsigned using virtual void volatile wait while")
          .split(" "));
  const TOKENS =
      /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\b([A-Za-z_]\w*)\b|\b(\d[\w.]*)\b/g;

  function coloured(text) {
    const parts = [];
    let at = 0;
    for (const m of text.matchAll(TOKENS)) {
      const kind = m[1] ? "cm" : m[2] ? "st" : m[3] ? (KEYWORDS.has(m[3]) ? "kw" : null) : "nu";
      if (!kind) continue;
      parts.push(text.slice(at, m.index), make("span", {class: kind}, m[0]));
      at = m.index + m[0].length;
    }
    return parts.concat(text.slice(at));
  }

  function placeLink(at) {
    if (!at) return "";
    return make(
        "button", {type: "button", class: "link", onclick: () => showFile(at.file, at.line)},
        `${Model.shortFile(at.file)}:${at.line}:${at.column}`);
  }

  /* Where each thread stands: the running one at what it is about to do, the others where they stopped. */
  function standing() {
    const s = story.steps[selected], marks = [];
    for (const name of story.names) {
      let at = null;
      if (name === s.thread) at = s.from || s.to;
      else
        for (let i = selected - 1; i >= 0 && !at; i--) {
          const step = story.steps[i];
          if (step.thread !== name || step.end) continue;
          if (step.thread_ended) break;
          at = step.to;
        }
      const racing = s.end === "race" && story.steps.find((x) => x.end === "race" && x.thread === name);
      if (racing) at = racing.from;
      if (at) marks.push({thread: name, at, now: name === s.thread});
    }
    return marks;
  }

  /* The text is as high as all of its lines, but only those in sight are in the document. It stays in the pane while
   * lines are drawn: an empty pane would scroll back to its top. */
  const sheet = make("div", {id: "sheet"});

  function drawSource() {
    const pane = $("source"), lines = page.sources.get(file);
    $("file-name").textContent = $("file").hidden && file ? file : "";
    if (!lines) {
      pane.replaceChildren(make(
          "p", {class: "missing"},
          file ? `The text of ${file} is not part of this report.` : "There is no source text."));
      return;
    }
    sheet.style.height = `${lines.length * LINE + 8}px`;
    if (sheet.parentNode !== pane) pane.replaceChildren(sheet);
    const first = Math.max(0, Math.floor(pane.scrollTop / LINE) - OVERSCAN * 3);
    const last = Math.min(lines.length - 1, Math.ceil((pane.scrollTop + pane.clientHeight) / LINE) + OVERSCAN * 3);
    const marks = story ? standing().filter((m) => m.at.file === file) : [];
    const wrong = story && story.steps[selected].end, drawn = [];
    for (let i = first; i <= last; i++) {
      const here = marks.filter((m) => m.at.line === i + 1);
      const now = here.some((m) => m.now || (wrong && story.steps.some((s) => s.end && s.thread === m.thread)));
      drawn.push(make(
          "div", {
            class: `line${now ? (wrong ? " wrong" : " current") : ""}`,
            style: `top:${i * LINE}px`,
            "data-line": i + 1,
            "aria-current": now && "step"
          },
          make("span", {class: "number"}, String(i + 1)),
          make("span", {class: "dots"}, here.slice(0, MOST_DOTS).map((m) => make("span", {
                                                                       class: "dot",
                                                                       style: `--hue:${hueOf(m.thread)}`,
                                                                       title: `${m.thread} is here`
                                                                     }))),
          make("span", {}, coloured(lines[i].replaceAll("\t", "    "))),
          here.length ? make(
                            "span", {class: "chips"},
                            here.map(
                                (m) => make(
                                    "span", {
                                      class: `chip${m.now ? " now" : ""}`,
                                      style: `--hue:${hueOf(m.thread)}`,
                                      title: `${m.thread} is here`
                                    },
                                    m.thread)))
                      : null));
    }
    sheet.replaceChildren(...drawn);
  }

  function showFile(name, line) {
    const pane = $("source");
    if (name !== file) {
      file = name;
      pane.scrollTop = 0;
      if (page.sources.has(name)) $("file").value = name;
    }
    const top = (line - 1) * LINE;
    drawSource(); /* makes room: a pane scrolls no further than its text goes */
    const inSight = top >= pane.scrollTop + LINE && top <= pane.scrollTop + pane.clientHeight - 3 * LINE;
    if (!inSight) pane.scrollTop = Math.max(0, top - pane.clientHeight / 2);
    drawSource();
  }

  /* --- details --------------------------------------------------------------------------------------- */

  function variableTable(list, changes) {
    const was = new Map(changes.map((c) => [c.name, c]));
    const matching = (v) => needle && v.name.toLowerCase().includes(needle);
    const order = (v) => (was.has(v.name) ? 0 : matching(v) ? 1 : 2);
    const sorted = list.length > MOST_VARIABLES ? [...list].sort((a, b) => order(a) - order(b)) : list;
    const rows = sorted.slice(0, MOST_VARIABLES).map((v) => {
      const c = was.get(v.name);
      return make(
          "tr", {class: `${c ? "changed" : ""}${matching(v) ? " found" : ""}`}, make("td", {class: "code"}, v.name),
          make("td", {class: "value"}, v.value),
          make("td", {class: "was"}, c ? (c.before === null ? "new" : `was ${c.before}`) : ""));
    });
    if (sorted.length > MOST_VARIABLES)
      rows.push(make(
          "tr", {},
          make("td", {colspan: 3}, `and ${sorted.length - MOST_VARIABLES} more; searching for a name brings it here`)));
    return make(
        "table", {},
        make(
            "thead", {},
            make(
                "tr", {}, make("th", {scope: "col"}, "name"), make("th", {scope: "col"}, "value"),
                make("th", {scope: "col"}, "before"))),
        make("tbody", {}, rows));
  }

  /* Of many, those that the step touches; the others can be opened. */
  function sharedVariables(s, shared) {
    const changes = s.changes.filter((c) => !c.local);
    if (!shared.length) return [make("p", {class: "note"}, "none has been read or written")];
    if (shared.length <= FEW_VARIABLES || needle) return [variableTable(shared, changes)];
    const touched = new Set([...changes, ...s.reads].map((c) => c.name)), told = story.trace.values.map((v) => v.name);
    if (s.end)
      for (const n of [...story.lastReads, ...told]) touched.add(n);
    const [near, rest] = [shared.filter((v) => touched.has(v.name)), shared.filter((v) => !touched.has(v.name))];
    return [
      near.length ? variableTable(near, changes) : make("p", {class: "note"}, "this step touches none"),
      make(
          "details", {}, make("summary", {}, `${Model.count(rest.length, "other shared variable")}`),
          variableTable(rest, []))
    ];
  }

  function stepFacts(s) {
    const facts = [], add = (name, ...value) => facts.push(make("dt", {}, name), make("dd", {}, ...value));
    if (story.timed) add("time", `${s.when ?? s.time}, delta cycle ${s.delta}, phase ${s.phase || "–"}`);
    if (s.call) add("inside", make("code", {}, s.call));
    if (s.from) add("from", placeLink(s.from), s.function ? ` in ${s.function}` : "");
    for (const f of s.stack || []) add("called", `from ${f.function} at `, placeLink(f.position));
    if (s.to && !s.end) add(s.thread_ended ? "ends at" : "stops at", placeLink(s.to));
    if (s.quiet.length)
      add("reads",
          make(
              "details", {}, make("summary", {}, `${Model.count(s.quiet.length, "value")} that nobody else writes`),
              s.quiet.map((r) => make("div", {}, make("code", {}, `${r.name} = ${r.value}`)))));
    for (const e of s.effects)
      if (e.kind !== "change")
        add(e.kind === "order" ? "order" : e.kind === "end" ? "so" : e.kind === "wait" ? "then" : e.kind, e.text);
    for (const a of story.arrows) {
      if (a.to === s.index && a.kind !== "race")
        add("after", stepLink(a.from, `step ${a.from + 1} (${story.steps[a.from].thread})`), `: ${a.label}`);
      if (a.from === s.index && a.kind !== "race")
        add("before", stepLink(a.to, `step ${a.to + 1} (${story.steps[a.to].thread})`), `: ${a.label}`);
    }
    return make("dl", {}, facts);
  }

  function stepLink(index, text) {
    return make("button", {type: "button", class: "link", onclick: () => select(index)}, text);
  }

  function inputList() {
    const items = [];
    for (const s of story.steps)
      for (const i of s.inputs)
        if (items.length < MOST_VARIABLES)
          items.push(make(
              "li", {}, make("code", {}, `${i.name} = ${i.value}`), " ",
              stepLink(s.index, `step ${s.index + 1}, ${s.thread}`)));
    return items.length ? [make("h3", {}, "Inputs"), make("ul", {class: "plain", "aria-label": "Inputs"}, items)] : [];
  }

  /* What was found to matter when the counterexample was made smaller. */
  function whatMatters() {
    const items = Model.whatMatters(story.trace).map((line) => make("li", {}, line)), title = "What matters";
    return items.length ? [make("h3", {}, title), make("ul", {class: "plain", "aria-label": title}, items)] : [];
  }

  function printedSoFar() {
    let said = "";
    for (let i = 0; i <= selected; i++)
      if (story.steps[i].printed) said += story.steps[i].printed;
    if (!story.steps.some((s) => s.printed)) return [];
    return [
      make("h3", {}, "Printed so far"),
      make("pre", {"aria-label": "Printed so far"}, said.slice(-MOST_PRINTED) || "nothing yet")
    ];
  }

  function runs() {
    const parts = [];
    if (result.simulator_order)
      parts.push(
          make("h3", {}, "In the order of Accellera's simulator"),
          make("p", {class: "note"}, result.simulator_order.summary));
    if (result.native)
      parts.push(
          make("h3", {}, "Native replay"), make("p", {class: "note"}, result.native.summary),
          result.native.printed ? make("pre", {}, result.native.printed) : "");
    return parts;
  }

  function drawDetails() {
    const s = story.steps[selected], {shared, locals} = story.values.after(selected);
    const own = locals.get(s.thread) || [], parts = [];
    parts.push(
        make("h2", {}, s.end ? "What is wrong" : `Step ${selected + 1}`, ` · ${s.thread}`),
        make("p", {class: "code"}, s.shown), stepFacts(s));
    if (s.end) parts.push(...whatMatters());
    parts.push(make("h3", {}, "Shared variables"), ...sharedVariables(s, shared));
    parts.push(
        make("h3", {}, `Local variables of ${s.thread}`),
        own.length ? variableTable(own, s.changes.filter((c) => c.local)) : make("p", {class: "note"}, "none"));
    for (const [thread, list] of locals)
      if (thread !== s.thread)
        parts.push(make("details", {}, make("summary", {}, `Local variables of ${thread}`), variableTable(list, [])));
    parts.push(...inputList(), ...printedSoFar(), ...runs());
    $("details").replaceChildren(...parts);
  }

  /* --- moving ---------------------------------------------------------------------------------------- */

  function select(index, quietly) {
    if (!story.steps.length) return;
    selected = Math.max(0, Math.min(story.steps.length - 1, index));
    const s = story.steps[selected];
    lanes.bringIntoView(selected);
    drawRows();
    const at = s.from || s.to;
    if (at) showFile(at.file, at.line);
    else drawSource();
    drawDetails();
    $("where").textContent =
        s.end ? `end, after ${Model.count(story.ends, "step")}` : `step ${selected + 1} of ${story.ends}`;
    showFound();
    if (!quietly) rememberPlace();
  }

  const findStep = (direction, wanted) => {
    for (let i = selected + direction; i >= 0 && i < story.steps.length; i += direction)
      if (wanted(story.steps[i])) return i;
    return selected;
  };
  /* The next one in sight, or the next of all if nothing is folded. */
  const neighbour = (direction) => select(findStep(direction, (s) => !lanes.isFolded(s.index)));
  const thatMatters = (direction) => select(findStep(direction, (s) => s.relevant));
  const sameThread = (direction) => select(findStep(direction, (s) => s.thread === story.steps[selected].thread));
  const contextSwitch = (direction) => select(findStep(direction, (s) => s.switched));

  /* --- search ---------------------------------------------------------------------------------------- */

  function lookFor(text) {
    needle = text.trim().toLowerCase();
    matches = needle ? story.steps.filter((s) => s.text.includes(needle)).map((s) => s.index) : [];
    drawRows();
    drawDetails();
    showFound();
  }

  function nextMatch(direction) {
    if (!matches.length) return;
    const after = direction > 0 ? matches.find((i) => i > selected) : matches.findLast((i) => i < selected);
    select(after !== undefined ? after : direction > 0 ? matches[0] : matches[matches.length - 1]);
  }

  function showFound() {
    const at = matches.indexOf(selected);
    $("found").textContent = !needle ? ""
        : !matches.length            ? "not found"
        : at >= 0                    ? `${at + 1} of ${matches.length}`
                                     : `${matches.length} found`;
  }

  /* --- head ----------------------------------------------------------------------------------------- */

  function sentence() {
    const properties = result.properties, safe = properties.filter((p) => p.verdict === "safe").length;
    if (story && story.property) return Model.sentenceOf(story.property, story.trace);
    if (page.oneSchedule)
      return result.verdict === "unsafe" ? "This schedule violates a property."
                                         : "One schedule, simulated; that proves nothing.";
    if (result.verdict === "internal error") return `Internal error: ${result.reason}.`;
    if (result.verdict === "unknown") return `Neither proved nor refuted: ${result.reason}.`;
    if (!properties.length) return "No execution comes to a check of the selected kinds.";
    return `${
        safe === 1 ? "1 property holds"
                   : `${safe.toLocaleString("en")} properties hold`} for every input and every schedule.`;
  }

  /* --- paper ----------------------------------------------------------------------------------------- */

  let onPaper = null;

  function drawPaper() {
    if (!story || onPaper === story) return;
    onPaper = story;
    const item = (s) => make(
        "li", {class: s.switched ? "switched" : ""}, make("b", {}, s.thread), " ", make("code", {}, s.shown),
        s.from ? ` (${Model.place(s.from)}${story.timed ? `, time ${s.when ?? s.time}, delta ${s.delta}` : ""})` : "",
        s.effects.length ? make("div", {}, s.effects.map((e) => e.text).join(" · ")) : null);
    $("paper").replaceChildren(make("h2", {}, "How it happens"), make("ol", {}, story.steps.map(item)));
  }

  /* --- the page -------------------------------------------------------------------------------------- */

  function rememberPlace() {
    const parts = [];
    if (page.stories.length > 1) parts.push(`property=${chosenStory + 1}`);
    if (view === "search" && story) parts.push("view=search");
    if (story) parts.push(`step=${selected + 1}`);
    const hash = "#" + parts.join("&");
    if (parts.length && location.hash !== hash) history.replaceState(null, "", hash);
  }

  function goToPlace() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const index = Number(wanted.get("property") || 1) - 1;
    if (page.stories.length) {
      chooseStory(page.stories[index] ? index : 0);
      show(wanted.get("view") === "search" ? "search" : "trace");
      select(wanted.has("step") ? Number(wanted.get("step")) - 1 : story.property ? story.ends : 0, true);
    } else show("search");
  }

  function chooseStory(index) {
    const s = page.stories[index].tell();
    story = s;
    chosenStory = index;
    $("story").value = String(index);
    needle = $("search").value = "";
    matches = [];
    onPaper = null;
    lanes.forget();
    $("matters-choice").hidden = !s.folds.length;
    $("matters-count").textContent = `${s.steps.filter((x) => x.relevant && !x.end).length} of ${s.ends}`;
    $("sentence").textContent = sentence();
    document.title = `${result.verdict}: ${sentence()} – Heddle`;
    $("subtitle").textContent = `${s.property ? "Found" : "Shown"} after ${Model.count(s.ends, "step")} of ${
        Model.count(
            s.names.filter((n) => n !== Model.SCHEDULER).length, s.timed ? "process" : "thread",
            s.timed ? "processes" : "threads")}${Model.switchesIn(s)}.`;
  }

  function show(which) {
    view = which;
    for (const name of ["trace", "search"]) {
      $(`${name}-view`).hidden = name !== which;
      const tab = $(`tab-${name}`);
      if (tab) tab.setAttribute("aria-selected", String(name === which));
    }
    if (which === "trace") {
      measure();
      select(selected, true);
    }
  }

  function addTabs() {
    const tab = (name, text) => make(
        "button", {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `${name}-view`,
          onclick: () => {
            show(name);
            rememberPlace();
          }
        },
        text);
    if (page.stories.length) $("views").append(tab("trace", page.stories[0].property ? "Counterexample" : "Schedule"));
    $("views").append(tab("search", "Exploration"));
    $("views").hidden = !page.stories.length;
  }

  function addChoices() {
    page.stories.forEach(
        (s, i) => $("story").append(make(
            "option", {value: i}, `${i + 1}. ${s.property ? `${s.property.kind} ${s.property.text}` : "schedule"}`)));
    $("story").hidden = page.stories.length < 2;
    for (const name of page.sources.keys()) $("file").append(make("option", {value: name}, name));
    $("file").hidden = page.sources.size < 2;
    file = page.sources.keys().next().value || null;
  }

  function setTheme(name) {
    document.documentElement.dataset.theme = name;
  }
  const toggleTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");

  const KEYS = [
    ["↓ j", "next step"],
    ["↑ k", "previous step"],
    ["m", "next step that matters"],
    ["M", "previous step that matters"],
    ["f", "fold or show the steps that do not matter"],
    ["→ t", "next step of the same thread"],
    ["← T", "previous step of the same thread"],
    ["s", "next context switch"],
    ["S", "previous context switch"],
    ["Home End", "first and last step"],
    ["PageDown PageUp", "ten steps on or back"],
    ["/", "search steps and variables"],
    ["Enter n", "next match"],
    ["N", "previous match"],
    ["d", "dark or light"],
    ["?", "this list"],
  ];

  function help() {
    $("help").replaceChildren(
        make("h2", {}, "Keys"),
        make(
            "table", {},
            make(
                "tbody", {},
                KEYS.map(
                    ([keys, what]) => make(
                        "tr", {}, make("td", {}, keys.split(" ").flatMap((k) => [make("kbd", {}, k), " "])),
                        make("td", {}, what))))),
        make("p", {class: "note"}, "The address of the page names the step: copy it to show somebody this place."),
        make("button", {type: "button", onclick: () => $("help").close()}, "Close"));
    $("help").showModal();
  }

  const actions = {
    ArrowDown: () => neighbour(1),
    j: () => neighbour(1),
    ArrowUp: () => neighbour(-1),
    k: () => neighbour(-1),
    m: () => thatMatters(1),
    M: () => thatMatters(-1),
    f: () => $("only-matters").click(),
    ArrowRight: () => sameThread(1),
    t: () => sameThread(1),
    ArrowLeft: () => sameThread(-1),
    T: () => sameThread(-1),
    s: () => contextSwitch(1),
    S: () => contextSwitch(-1),
    Home: () => select(0),
    End: () => select(story.steps.length - 1),
    PageDown: () => select(selected + 10),
    PageUp: () => select(selected - 10),
    n: () => nextMatch(1),
    N: () => nextMatch(-1),
    "/": () => $("search").focus(),
  };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.target === $("search") && event.key === "Escape") $("search").blur();
    if (inField ||
        (event.target.getAttribute && event.target.getAttribute("role") === "tab" && event.key.startsWith("Arrow")))
      return;
    const action = event.key === "?" ? help
        : event.key === "d"          ? toggleTheme
        : story && view === "trace"  ? actions[event.key]
                                     : null;
    if (!action) return;
    event.preventDefault();
    action();
  }

  /* One drawing for each frame, however many events there are. */
  function oncePerFrame(action) {
    let waiting = false;
    return () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        action();
      });
    };
  }

  function listen() {
    const redraw = () => {
      if (story && view === "trace") {
        measure();
        drawRows();
        drawSource();
      }
    };
    document.addEventListener("keydown", onKey);
    $("lanes").addEventListener("scroll", oncePerFrame(drawRows));
    $("source").addEventListener("scroll", oncePerFrame(drawSource));
    window.addEventListener("resize", oncePerFrame(redraw));
    window.addEventListener("hashchange", goToPlace);
    window.addEventListener("beforeprint", drawPaper);
    matchMedia("print").addEventListener("change", drawPaper);
    matchMedia("(prefers-color-scheme: dark)")
        .addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light"));
    $("theme").addEventListener("click", toggleTheme);
    $("help-button").addEventListener("click", help);
    $("story").addEventListener("change", () => {
      chooseStory(Number($("story").value));
      measure();
      select(story.ends);
    });
    $("file").addEventListener("change", () => showFile($("file").value, 1));
    $("search").addEventListener("input", () => lookFor($("search").value));
    $("search-form").addEventListener("submit", (e) => {
      e.preventDefault();
      nextMatch(1);
    });
    for (const id of ["show-order", "show-data", "show-switches", "show-all"])
      $(id).addEventListener("change", drawRows);
    $("only-matters").addEventListener("change", () => {
      lanes.forget();
      lanes.arrange();
      select(selected, true);
    });
    Panes(oncePerFrame(redraw));
    for (const [id, key] of [
             ["go-first", "Home"], ["go-previous", "k"], ["go-next", "j"], ["go-last", "End"], ["go-thread", "t"],
             ["go-switch", "s"], ["go-matters", "m"]])
      $(id).addEventListener("click", () => actions[key]());
  }

  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  $("verdict").textContent = result.verdict;
  $("verdict").classList.add(result.verdict.replace(" ", "-"));
  $("sentence").textContent = sentence();
  $("subtitle").textContent =
      `${result.inputs.map((i) => i.file).join(", ")} · heddle ${result.version} ${result.command}`;
  document.title = `${result.verdict}: ${sentence()} – Heddle`;
  addTabs();
  addChoices();
  $("search-view").append(Exploration(page));
  listen();
  goToPlace();
})();
