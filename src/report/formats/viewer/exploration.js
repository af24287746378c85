"use strict";
/* What was explored: properties, counters, what reductions saved, invariants, and a picture of the search. */
const Exploration = (page) => {
  const MOST_PROPERTIES = 500;
  const {make, draw} = Dom, result = page.result;

  const number = (n) => (Number.isInteger(n) ? n.toLocaleString("en") : n.toFixed(3));
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const percent = (part, whole) => `${((100 * part) / whole).toFixed(part * 100 < whole ? 1 : 0)} %`;
  const card = (title, ...children) =>
      make("section", {class: "card", "aria-label": title}, make("h2", {}, title), ...children);

  function exploredCard() {
    const st = result.statistics, lines = [
      ["engine", result.engine], ["partial order reduction", result.por],
      ["visited states are recognised by", result.match], ["states", number(st.states)],
      ["transitions", number(st.transitions)], ["executions", number(st.executions)],
      ["longest path", number(st.depth)], ["seconds", number(st.seconds)]
    ].filter(([, v]) => v !== "0");
    if (st.nodes) lines.push(["abstract states", number(st.nodes)], ["refinements", number(st.refinements)]);
    return card(
        "What was explored",
        make(
            "table", {"aria-label": "What was explored"},
            make(
                "tbody", {},
                lines.map(
                    ([n, v]) =>
                        make("tr", {}, make("th", {scope: "row"}, n), make("td", {}, v === null ? "–" : String(v)))))),
        result.attempts.length
            ? make(
                  "p", {class: "note"},
                  `Given up before: ${
                      result.attempts.map((a) => `${a.engine || "?"} after ${a.seconds.toFixed(2)} s (${a.reason})`)
                          .join("; ")}`)
            : null);
  }

  function savingsCard() {
    const st = result.statistics, shape = result.shape, items = [];
    if (shape && sum(shape.enabled)) {
      const possible = sum(shape.enabled), taken = Math.min(possible, sum(shape.explored));
      items.push(
          possible > taken
              ? `Partial order reduction (${result.por}): of ${
                    number(possible)} transitions that were possible in the states looked at, ${
                    number(taken)} were taken; ${
                    percent(possible - taken, possible)} were left out, with all that would have come after them.`
              : `Partial order reduction (${
                    result.por}) left nothing out: every transition that was possible was taken.`);
    }
    if (st.matched)
      items.push(
          `${result.match === "none" ? "Coverage" : `State matching (${result.match})`}: ${number(st.matched)} of ${
              number(
                  st.matched +
                  st.states)} states were covered by one visited before; nothing was explored from them again.`);
    if (st.blocked_executions)
      items.push(`${number(st.blocked_executions)} of ${number(st.executions)} executions were given up as redundant.`);
    if (st.chained) items.push(`${number(st.chained)} transitions were made without storing the state between.`);
    const cheap = (st.solver_trivial || 0) + (st.solver_by_model || 0) + (st.solver_by_cache || 0),
          asked = cheap + (st.solver_by_sat || 0) + (st.solver_by_z3 || 0);
    if (asked)
      items.push(
          `${percent(cheap, asked)} of ${number(asked)} solver questions were answered without a decision procedure.`);
    return card(
        "What the reductions saved",
        items.length ? make("ul", {class: "plain"}, items.map((t) => make("li", {}, t)))
                     : make("p", {class: "note"}, "The counters tell nothing about it for this engine."));
  }

  function propertiesCard() {
    const rows =
        result.properties.slice(0, MOST_PROPERTIES)
            .map(
                (p) => make(
                    "tr", {}, make("td", {class: `verdict-${p.verdict}`}, p.verdict), make("td", {}, p.kind),
                    make("td", {class: "code"}, p.text), make("td", {}, p.in), make("td", {}, Model.place(p.position)),
                    make(
                        "td", {class: p.reached || p.verdict !== "safe" ? "" : "vacuous"},
                        p.reached                  ? ""
                            : p.verdict === "safe" ? "vacuous: never reached"
                                                   : "not reached")));
    const head = ["verdict", "kind", "property", "in", "place", ""].map((t) => make("th", {scope: "col"}, t));
    const c = card(
        "Properties",
        result.vacuous
            ? make(
                  "p", {class: "vacuous"},
                  "Some properties hold only because no execution comes to them. Perhaps an assumption excludes too much.")
            : null,
        rows.length ? make(
                          "table", {"aria-label": "Properties"}, make("thead", {}, make("tr", {}, head)),
                          make("tbody", {}, rows))
                    : make("p", {class: "note"}, "No execution comes to a check of the selected kinds."),
        result.properties.length > MOST_PROPERTIES
            ? make("p", {class: "note"}, `and ${result.properties.length - MOST_PROPERTIES} more`)
            : null);
    c.classList.add("wide");
    return c;
  }

  function notesCard() {
    const said =
        (result.notes || []).map((n) => n.text).concat((result.assumes || []).map((a) => "assumes: " + a.text));
    if (!said.length) return null;
    return card(
        "Beside the verdict",
        make("ul", {class: "plain", "aria-label": "Notes"}, said.map((text) => make("li", {}, text))));
  }

  function doubtsCard() {
    if (!result.doubts.length) return null;
    return card(
        "Why safety is not proved",
        make(
            "ul", {class: "plain", "aria-label": "Reasons"},
            result.doubts.map((d) => make("li", {}, d.reason, d.position ? ` (${Model.place(d.position)})` : ""))));
  }

  function invariantCard() {
    const i = page.invariant, safe = result.verdict === "safe";
    if (!safe) return null;
    if (!i)
      return card(
          "Invariants",
          make(
              "p", {class: "note"},
              "None in this report. Engines cegar and esst find invariants; --certify or --certificate hands them over."));
    const c = card(
        "Invariants",
        make(
            "p", {},
            `An inductive invariant over ${Model.count(i.places, "control state")}${
                result.certified
                    ? ", confirmed independently"
                    : ""}: the initial state satisfies it, every step keeps it, and no step from it violates a property.`),
        make(
            "ul", {class: "plain"},
            i.shown.map(
                (p) => make(
                    "li", {}, make("b", {}, p.at.map((a) => a.replace(/: .*\//, ": ")).join(" · ")), ": ",
                    make("span", {class: "code"}, p.holds.map((h) => h || "anything").join("  or  ") || "anything")))),
        i.places > i.shown.length ? make("p", {class: "note"}, `and ${i.places - i.shown.length} more`) : null);
    c.classList.add("wide");
    return c;
  }

  function boundsCard() {
    const set = Object.entries(result.bounds).filter(([, v]) => v !== null);
    return card(
        "Bounds",
        set.length ? make(
                         "table", {"aria-label": "Bounds"},
                         make(
                             "tbody", {},
                             set.map(
                                 ([n, v]) => make(
                                     "tr", {}, make("th", {scope: "row"}, n.replaceAll("_", " ")),
                                     make("td", {class: "numeric"}, number(v))))))
                   : make("p", {}, "None."));
  }

  function statisticsCard() {
    return card(
        "Statistics",
        make(
            "table", {"aria-label": "Statistics"},
            make(
                "tbody", {},
                Object.entries(result.statistics)
                    .filter(([, v]) => v)
                    .map(
                        ([n, v]) => make(
                            "tr", {}, make("th", {scope: "row"}, n.replaceAll("_", " ")),
                            make("td", {class: "numeric"}, number(v)))))));
  }

  const niceTop = (most) => {
    const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
    return [1, 2, 5, 10].map((k) => k * unit).find((t) => t >= most);
  };

  /* Bars of states over depth, and below it how many transitions a state has and how many were taken. */
  function chart(shape) {
    const W = 460, H = 190, LEFT = 46, BELOW = 26, TOP = 10, n = shape.states.length, step = (W - LEFT - 8) / n;
    const most = niceTop(Math.max(...shape.states)), y = (v, top, height) => TOP + height - (v / top) * height;
    const svg = draw("svg", {
      class: "chart",
      viewBox: `0 0 ${W} ${2 * H}`,
      role: "img",
      "aria-label": `States over depth: ${sum(shape.states)} states down to depth ${
          n * shape.depths_per_band}, and branching over depth`
    });
    const height = H - BELOW - TOP - 14;
    const axes = (top, most, title) => {
      const g = draw("g", {transform: `translate(0,${top})`});
      g.append(
          draw("text", {x: LEFT, y: TOP + 2}, title),
          draw("line", {class: "axis", x1: LEFT, x2: W - 8, y1: TOP + 14 + height, y2: TOP + 14 + height}),
          draw("line", {class: "axis", x1: LEFT, x2: LEFT, y1: TOP + 14, y2: TOP + 14 + height}),
          draw("text", {x: LEFT - 6, y: TOP + 20, "text-anchor": "end"}, number(most)),
          draw("text", {x: LEFT - 6, y: TOP + 14 + height, "text-anchor": "end"}, "0"),
          draw("text", {x: LEFT, y: TOP + 30 + height}, "0"),
          draw(
              "text", {x: W - 8, y: TOP + 30 + height, "text-anchor": "end"},
              `depth ${number(n * shape.depths_per_band - 1)}`));
      svg.append(g);
      return g;
    };
    const bars = axes(0, most, "states");
    shape.states.forEach((v, i) => {
      const top = y(v, most, height) + 14;
      bars.append(draw(
          "rect", {
            class: "bar",
            x: LEFT + i * step + 0.5,
            width: Math.max(1, step - 1),
            y: top,
            height: TOP + 14 + height - top
          },
          draw("title", {}, `depth ${i * shape.depths_per_band}: ${number(v)} states`)));
    });
    const mean = (list) => list.map((v, i) => (shape.states[i] ? v / shape.states[i] : 0));
    const possible = mean(shape.enabled), taken = mean(shape.explored),
          widest = niceTop(Math.max(1, ...possible, ...taken));
    const lines = axes(H, widest, "transitions for each state: possible and taken");
    const path = (list) =>
        list.map((v, i) => `${i ? "L" : "M"}${LEFT + (i + 0.5) * step},${y(v, widest, height) + 14}`).join(" ") +
        (n === 1 ? " h4" : "");
    lines.append(draw("path", {class: "possible", d: path(possible)}), draw("path", {class: "taken", d: path(taken)}));
    return svg;
  }

  function pictureCard() {
    if (!result.shape)
      return card(
          "The search",
          make("p", {class: "note"}, "States over depth were not recorded: engines search and dpor do that."));
    return card(
        "The search", chart(result.shape),
        make(
            "p", {class: "note"}, make("span", {class: "swatch", style: "background:#c2570c"}), "possible",
            make("span", {class: "swatch", style: "background:#2d7d46"}), "taken"));
  }

  function cardsOf() {
    const cards = [
      doubtsCard(), notesCard(), propertiesCard(), exploredCard(), pictureCard(), savingsCard(), boundsCard(),
      invariantCard(), statisticsCard()
    ];
    return make("div", {class: "cards"}, cards);
  }

  return cardsOf();
};
