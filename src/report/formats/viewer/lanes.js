"use strict";
/* The steps of all threads, one row each: few threads side by side, as boxes in lanes; many as a graph of narrow lanes
 * with the text beside it. Steps that do not matter are folded, and only rows that can be seen are in the document.
 * `page` has the story and the selected step, and is told what is chosen. */
const Lanes = (page) => {
  const GUTTER = 66, GAP = 26, NARROWEST_LANE = 168, WIDEST_LANE = 380, SCHEDULER_LANE = 132, OVERSCAN = 6,
        MOST_BOXED_LANES = 8;
  const BOX_ROW = 84, GRAPH_ROW = 50, GRAPH_END_ROW = 68, FOLD_ROW = 30, WIDEST_COLUMN = 26, NARROWEST_COLUMN = 13,
        GRAPH_TEXT = 300, BOX_HEADS = 30, TALLEST_HEADS = 120;
  const MOST_ARROWS = 400, MOST_LABELS = 4, LITTLE_TEXT = 40;
  const HUES = [212, 28, 150, 285, 340, 95, 185, 55, 250, 5], GOLDEN_ANGLE = 137.5;

  const {$, make, draw} = Dom;
  const state = {
    rows: [],
    tops: [0],
    rowOfStep: [],
    open: new Set(),
    left: [],
    width: 0,
    graph: false,
    textLeft: 0,
    heads: BOX_HEADS
  };
  const story = () => page.story();

  const hueOf = (thread) => {
    const at = Math.max(0, story().names.indexOf(thread));
    return story().names.length <= HUES.length ? HUES[at] : Math.round((212 + at * GOLDEN_ANGLE) % 360);
  };

  /* --- rows ------------------------------------------------------------------------------------------ */

  const isFolding = () => $("only-matters").checked && story().folds.length > 0;

  function arrange() {
    const s = story(), folds = isFolding() ? s.folds.filter((f) => !state.open.has(f.from)) : [];
    state.rows = [];
    state.rowOfStep = [];
    let next = 0;
    for (let i = 0; i < s.steps.length; i++) {
      while (next < folds.length && folds[next].to < i) next++;
      const fold = next < folds.length && folds[next].from <= i ? folds[next] : null;
      if (!fold || fold.from === i) state.rows.push(fold ? {fold} : {step: i});
      state.rowOfStep.push(state.rows.length - 1);
    }
    const heightOfRow = (r) =>
        (r.fold                    ? FOLD_ROW
             : !state.graph        ? BOX_ROW
             : s.steps[r.step].end ? GRAPH_END_ROW
                                   : GRAPH_ROW);
    state.tops = [0];
    for (const r of state.rows) state.tops.push(state.tops[state.tops.length - 1] + heightOfRow(r));
    $("rows").style.height = `${state.tops[state.rows.length] + 6}px`;
    $("rows").style.width = $("lane-heads").style.width = `${state.width}px`;
  }

  const topOf = (step) => state.tops[state.rowOfStep[step]];
  const heightOf = (step) => state.tops[state.rowOfStep[step] + 1] - topOf(step);
  const isFolded = (step) => Boolean(state.rows[state.rowOfStep[step]].fold);

  function rowAt(y) {
    let low = 0, high = state.rows.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (state.tops[middle] <= y) low = middle;
      else high = middle;
    }
    return low;
  }

  function unfold(fold) {
    state.open.add(fold.from);
    arrange();
  }

  function showStep(step) {
    if (isFolded(step)) unfold(state.rows[state.rowOfStep[step]].fold);
  }

  /* --- lanes ----------------------------------------------------------------------------------------- */

  function measure() {
    const pane = $("lanes"), room = pane.clientWidth - GUTTER - 8, names = story().names,
          scheduled = names.includes(Model.SCHEDULER);
    const threads = names.length - (scheduled ? 1 : 0),
          share = Math.floor((room - (scheduled ? SCHEDULER_LANE : 0)) / Math.max(1, threads));
    state.graph = !story().timed && threads > 2 && (share < NARROWEST_LANE || threads > MOST_BOXED_LANES);
    const column = Math.max(NARROWEST_COLUMN, Math.min(WIDEST_COLUMN, Math.floor((room - GRAPH_TEXT) / names.length)));
    const lane = state.graph ? column : Math.min(WIDEST_LANE, Math.max(NARROWEST_LANE, share));
    state.left = [GUTTER];
    for (const n of names)
      state.left.push(state.left[state.left.length - 1] + (n === Model.SCHEDULER ? SCHEDULER_LANE : lane));
    state.textLeft = state.left[names.length] + 10;
    state.width =
        Math.max(state.graph ? state.textLeft + GRAPH_TEXT - 60 : state.left[names.length], pane.clientWidth - 2);
    const longest = Math.max(...names.map((n) => n.length));
    state.heads = state.graph ? Math.min(TALLEST_HEADS, 24 + 6 * longest) : BOX_HEADS;
    pane.classList.toggle("graph", state.graph);
    $("lane-heads").style.height = `${state.heads}px`;
    $("lane-heads")
        .replaceChildren(...names.map(
            (n, i) => make(
                "div", {
                  class: "lane-head",
                  style: `left:${state.left[i]}px;width:${state.left[i + 1] - state.left[i]}px;--hue:${hueOf(n)}`,
                  title: n
                },
                make("span", {}, n))));
    arrange();
  }

  const laneOf = (thread) => Math.max(0, story().names.indexOf(thread));
  const middleOf = (thread) => (state.left[laneOf(thread)] + state.left[laneOf(thread) + 1]) / 2;
  const laneLeft = (thread) => (state.graph ? middleOf(thread) - 5 : state.left[laneOf(thread)] + GAP / 2);
  const laneRight = (thread) => (state.graph ? middleOf(thread) + 5 : state.left[laneOf(thread) + 1] - GAP / 2);

  /* --- one row --------------------------------------------------------------------------------------- */

  const describe = (s) => `Step ${s.index + 1} of ${story().steps.length}, ${s.thread}: ${s.shown}${
      s.effects.length ? "; " + s.effects.map((e) => e.text).join("; ") : ""}`;

  function clockOf(s) {
    const before = story().steps[s.index - 1];
    if (!story().timed || s.phase === "main" ||
        (before && before.time === s.time && before.delta === s.delta && before.phase !== "main"))
      return null;
    return make("small", {}, `t ${s.when ?? s.time}`, make("br"), `δ ${s.delta}`);
  }

  function boxOf(s) {
    const said = s.effects.map((e) => e.text).join(" · "), left = state.graph ? state.textLeft : laneLeft(s.thread);
    const right = state.graph ? state.width - 10 : laneRight(s.thread);
    const kind = (s.end ? ` end ${s.end}`
                      : s.thread === Model.SCHEDULER ? " scheduler"
                                                     : "") +
        (!state.graph && said.length < LITTLE_TEXT ? " roomy" : "");
    return make(
        "div", {class: `box${kind}`, style: `left:${left}px;width:${right - left}px;--hue:${hueOf(s.thread)}`},
        make(
            "div", {class: "label", title: s.shown}, state.graph ? make("span", {class: "who"}, s.thread) : null,
            s.shown),
        make("div", {class: "effects", title: said}, s.effects.map((e) => make("span", {class: e.kind}, e.text))));
  }

  function stepRow(s) {
    const chosen = s.index === page.selected(), needle = page.needle();
    return make(
        "div", {
          class: `row${chosen ? " chosen" : ""}${needle && s.text.includes(needle) ? " match" : ""}`,
          id: `step-${s.index + 1}`,
          role: "option",
          "aria-selected": String(chosen),
          "aria-posinset": s.index + 1,
          "aria-setsize": story().steps.length,
          "aria-label": describe(s),
          style: `top:${topOf(s.index)}px;height:${heightOf(s.index)}px;width:${state.width}px`,
          onclick: () => page.select(s.index)
        },
        make("div", {class: "gutter"}, s.end ? "✗" : String(s.index + 1), clockOf(s)),
        state.graph
            ? make(
                  "span",
                  {class: `stop${s.end ? " end" : ""}`, style: `left:${middleOf(s.thread)}px;--hue:${hueOf(s.thread)}`})
            : null,
        boxOf(s));
  }

  function foldRow(fold, row) {
    const threads = [...new Set(story().steps.slice(fold.from, fold.to + 1).map((s) => s.thread))];
    const text = `${Model.count(fold.to - fold.from + 1, "step")} of ${threads.slice(0, 3).join(", ")}${
        threads.length > 3 ? ` and ${threads.length - 3} more threads` : ""}`;
    return make(
        "div", {
          class: "fold",
          role: "presentation",
          style: `top:${state.tops[row]}px;height:${FOLD_ROW}px;width:${state.width}px`
        },
        make(
            "button", {
              type: "button",
              "aria-label": `Show ${text}`,
              title: "Show these steps",
              style: `margin-left:${state.graph ? state.textLeft : GUTTER + 6}px`,
              onclick: () => {
                unfold(fold);
                drawRows();
              }
            },
            `⋯ ${text}`));
  }

  /* --- arrows ---------------------------------------------------------------------------------------- */

  /* From the side of one box to the side of the other; within a lane, along its left side. */
  function arrowPath(a, top) {
    const from = story().steps[a.from], to = story().steps[a.to];
    const right = laneLeft(to.thread) > laneLeft(from.thread), same = from.thread === to.thread;
    const x1 = right && !same ? laneRight(from.thread) : laneLeft(from.thread),
          x2 = right || same ? laneLeft(to.thread) : laneRight(to.thread);
    const data = a.kind === "data", shift = (down, up) => (state.graph ? 0 : data ? down : up);
    const y1 = topOf(a.from) - top + heightOf(a.from) / 2 + shift(18, 6),
          y2 = topOf(a.to) - top + heightOf(a.to) / 2 - shift(6, 18);
    const bend = same ? -GAP : Math.max(14, Math.min(60, Math.abs(x2 - x1) / 2)) * (right ? 1 : -1);
    return {
      d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - (same ? -bend : bend)},${y2} ${x2},${y2}`,
      x: (x1 + x2) / 2,
      y: (y1 + y2) / 2,
      tip: `M${x2},${y2} l${right || same ? -8 : 8},-4.5 l0,9 z`,
      start: `M${x1},${y1} l${right ? 8 : -8},-4.5 l0,9 z`
    };
  }

  function switchPath(s, top) {
    const before = story().steps[s.index - 1], x1 = middleOf(before.thread), x2 = middleOf(s.thread);
    const gap = state.graph ? heightOf(before.index) / 2 : 5;
    const y1 = topOf(before.index) - top + heightOf(before.index) - gap,
          y2 = topOf(s.index) - top + (state.graph ? heightOf(s.index) / 2 : 5), middle = topOf(s.index) - top;
    return `M${x1},${y1} L${x1},${middle} L${x2},${middle} L${x2},${y2}`;
  }

  function drawSwitches(first, last, top, under, over) {
    const steps = story().steps, text = story().timed ? "this order matters" : "this switch matters";
    for (let i = Math.max(1, first); i <= last; i++) {
      const s = steps[i];
      if (!s.switched || isFolded(i)) continue;
      (s.matters ? over : under)
          .append(draw("path", {class: `switch${s.matters ? " matters" : ""}`, d: switchPath(s, top)}));
      const x = state.graph ? state.width - 70 : (middleOf(steps[i - 1].thread) + middleOf(s.thread)) / 2;
      if (s.matters) over.append(draw("text", {class: "arrow-label matters", x, y: topOf(i) - top + 4}, text));
    }
  }

  /* Those of the selected step, unless all are asked for; a race is always shown. */
  const isDrawn = (a, near) => a.kind === "race" ||
      (near && $(a.kind === "data" ? "show-data" : "show-order").checked) ||
      (!near && $("show-all").checked && $(a.kind === "data" ? "show-data" : "show-order").checked);

  function drawArrows(first, last, top, height) {
    const size = {width: state.width, height, style: `top:${top}px`, "aria-hidden": "true"}, selected = page.selected(),
          arrows = story().arrows;
    const under = draw("svg", {id: "arrows", ...size}), over = draw("svg", {id: "arrow-labels", ...size});
    for (const name of story().names)
      under.append(draw(
          "line",
          {class: "life", x1: middleOf(name), x2: middleOf(name), y1: 0, y2: height, style: `--hue:${hueOf(name)}`}));
    if ($("show-switches").checked) drawSwitches(first, last, top, under, over);
    const isNear = (a) => a.from === selected || a.to === selected,
          labelled = arrows.filter(isNear).length <= MOST_LABELS;
    let drawn = 0;
    for (const a of arrows) {
      if (a.to < first || a.from > last || drawn >= MOST_ARROWS || !isDrawn(a, isNear(a)) ||
          state.rowOfStep[a.from] === state.rowOfStep[a.to])
        continue;
      const near = isNear(a), p = arrowPath(a, top);
      const own = draw(
          "g", {}, draw("path", {class: `arrow ${a.kind}${near ? " near" : ""}`, d: p.d}),
          draw("path", {class: `tip ${a.kind}`, d: p.tip}));
      if (a.kind === "race") own.append(draw("path", {class: "tip race", d: p.start}));
      (near && state.graph ? over : under).append(own);
      if ((near && labelled && !state.graph) || a.kind === "race")
        over.append(draw(
            "text", {
              class: "arrow-label",
              x: state.graph ? state.textLeft + 60 : p.x,
              y: Math.min(Math.max(p.y, 12), height - 8) + 4
            },
            a.label));
      drawn++;
    }
    return [under, over];
  }

  /* --- the pane -------------------------------------------------------------------------------------- */

  function drawRows() {
    const pane = $("lanes"), firstRow = Math.max(0, rowAt(pane.scrollTop) - OVERSCAN);
    const lastRow = Math.min(state.rows.length - 1, rowAt(pane.scrollTop + pane.clientHeight) + OVERSCAN), drawn = [];
    for (let r = firstRow; r <= lastRow; r++)
      drawn.push(state.rows[r].fold ? foldRow(state.rows[r].fold, r) : stepRow(story().steps[state.rows[r].step]));
    const stepOf = (r, end) => (state.rows[r].fold ? state.rows[r].fold[end] : state.rows[r].step);
    const first = stepOf(firstRow, "from"), last = stepOf(lastRow, "to"), top = state.tops[firstRow];
    $("rows").replaceChildren(...drawArrows(first, last, top, state.tops[lastRow + 1] - top), ...drawn);
    const selected = page.selected();
    $("lanes").setAttribute(
        "aria-activedescendant", selected >= first && selected <= last ? `step-${selected + 1}` : "");
  }

  function bringIntoView(step) {
    showStep(step);
    const pane = $("lanes"), top = topOf(step), height = heightOf(step), room = pane.clientHeight - state.heads;
    if (top < pane.scrollTop) pane.scrollTop = Math.max(0, top - height);
    else if (top + height > pane.scrollTop + room) pane.scrollTop = top + 2 * height - room;
    if (state.graph) return;
    const left = laneLeft(story().steps[step].thread) - GUTTER, right = laneRight(story().steps[step].thread) + GAP;
    if (left < pane.scrollLeft) pane.scrollLeft = left;
    else if (right > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = right - pane.clientWidth;
  }

  function forget() {
    state.open.clear();
  }

  return {measure, arrange, drawRows, bringIntoView, hueOf, isFolded, forget};
};
