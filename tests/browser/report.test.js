"use strict";
/* The HTML report in a real browser: node --test report.test.js, with HEDDLE naming the program. With PICTURES
 * naming a folder the pictures of the manual are written there. */
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const {after, before, test} = require("node:test");
const heddle = require("./heddle.js");
const scenes = require("./scenes.js");

before(heddle.start);
after(heddle.stop);

/* A test with a page, which must be without trouble in the end. */
function onPage(name, make, options, body) {
  test(name, async () => {
    const page = await heddle.open(make(), options);
    await body(page);
    assert.deepEqual(page.troubles, []);
    await page.close();
  });
}

const lostUpdate = () => heddle.report("check", "models/c/lost-update.c");
const where = (page) => page.locator("#where").textContent();
const chosen = (page) => page.locator(".row[aria-selected=true]");
const selected = async (page) => Number((await chosen(page).getAttribute("id")).replace("step-", ""));
const nodes = (page) => page.evaluate(() => document.getElementsByTagName("*").length);
const currentLines = (page) =>
    page.locator("#source .line[aria-current=step]").evaluateAll((l) => l.map((e) => Number(e.dataset.line)));

/* --- a counterexample ------------------------------------------------------------------------------------ */

onPage("a counterexample opens at the violation, in plain words", lostUpdate, {}, async (page) => {
  assert.equal(await page.locator("#verdict").textContent(), "unsafe");
  assert.equal(
      await page.locator("#sentence").textContent(),
      "The assertion counter == 2 fails (main, lost-update.c:32): counter = 1.");
  assert.match(await page.title(), /^unsafe: The assertion counter == 2 fails/);
  assert.deepEqual(await page.locator(".lane-head").allTextContents(), ["main", "increase", "increase#2"]);
  assert.deepEqual(await currentLines(page), [32]);
  assert.match(await chosen(page).getAttribute("aria-label"), /assert counter == 2/);
});

onPage("what matters is marked, and told at the end", lostUpdate, {}, async (page) => {
  assert.equal(
      await page.locator("#subtitle").textContent(),
      "Found after 8 steps of 3 threads; 1 of 4 context switches matters.");
  assert.match(
      await page.getByLabel("What matters", {exact: true}).textContent(),
      /^1 of 4 context switches matters: increase is interrupted before lost-update\.c:19:12 by increase#2/);
  await page.keyboard.press("Home");
  assert.equal(await page.locator("path.switch.matters").count(), 1);
  assert.deepEqual(await page.locator("text.matters").allTextContents(), ["this switch matters"]);
  await page.getByLabel("context switch", {exact: true}).uncheck();
  assert.equal(await page.locator(".matters").count(), 0);
});

onPage(
    "in a design it is an order of processes", () => heddle.report("check", "models/systemc/shared-variable.cpp"), {},
    async (page) => {
      assert.match(
          await page.locator("#subtitle").textContent(),
          /^Found after \d+ steps of \d+ processes; 1 of \d+ orders of two processes matters\.$/);
      assert.deepEqual(await page.locator("text.matters").allTextContents(), ["this order matters"]);
    });

onPage(
    "of a race only the two accesses are red",
    () => heddle.report("check", "models/c/lost-update.c", "--property", "race"), {}, async (page) => {
      assert.deepEqual(await currentLines(page), [19]); /* main waits elsewhere */
    });

onPage(
    "numbers of steps stay in sight", () => heddle.report("check", "models/ivl/token-ring-bug.ivl", "--set", "N=9"),
    {width: 1200, height: 800}, async (page) => {
      await page.locator("#lanes").evaluate((pane) => (pane.scrollLeft = pane.scrollWidth));
      const pane = await page.locator("#lanes").boundingBox(),
            number = await chosen(page).locator(".gutter").boundingBox();
      assert.ok((await page.locator("#lanes").evaluate((p) => p.scrollLeft)) > 100, "nothing to scroll");
      assert.ok(
          number.x >= pane.x - 1 && number.x < pane.x + 20, `the number is at ${number.x}, the pane at ${pane.x}`);
    });

onPage("keys step through it", lostUpdate, {}, async (page) => {
  const press = async (key, expected) => {
    await page.keyboard.press(key);
    assert.equal(await selected(page), expected, `after ${key}`);
  };
  const last = await page.locator(".row").count(); /* all of them are in sight */
  await press("Home", 1);
  await press("ArrowUp", 1);
  await press("ArrowDown", 2);
  await press("j", 3);
  await press("k", 2);
  assert.equal(await where(page), `step 2 of ${last - 1}`);
  assert.match(page.url(), /#step=2$/);
  const thread = await page.locator("#details h2").textContent();
  await page.keyboard.press("t");
  assert.equal((await page.locator("#details h2").textContent()).split("·")[1], thread.split("·")[1]);
  assert.notEqual(await selected(page), 2);
  await press("T", 2);
  await page.keyboard.press("s");
  assert.notEqual((await page.locator("#details h2").textContent()).split("·")[1], thread.split("·")[1]);
  await page.keyboard.press("S");
  await press("End", last);
  await press("Home", 1);
  await press("PageDown", last);
});

onPage("clicks and buttons step, too", lostUpdate, {}, async (page) => {
  await page.locator("#step-4 .box").click();
  assert.equal(await selected(page), 4);
  await page.getByRole("button", {name: "Next step", exact: true}).click();
  assert.equal(await selected(page), 5);
  await page.getByRole("button", {name: "Previous step"}).click();
  await page.getByRole("button", {name: "First step"}).click();
  assert.equal(await selected(page), 1);
  await page.getByRole("button", {name: "Last step"}).click();
  assert.equal(await selected(page), await page.locator(".row").count());
});

/* Both threads read 0, then each writes 1: whatever the order, that is what a lost update is. */
onPage("values are those of the selected step, and what changed stands out", lostUpdate, {}, async (page) => {
  const value = () => page.locator("#details tr", {hasText: "counter"}).locator("td").allTextContents();
  const writes = await page.locator(".row", {hasText: /counter: \d → 1/}).evaluateAll((l) => l.map((e) => e.id));
  assert.equal(writes.length, 2);
  await page.keyboard.press("Home");
  assert.deepEqual(await value(), ["counter", "0", ""]);
  await page.locator(`#${writes[0]} .box`).click();
  assert.deepEqual(await value(), ["counter", "1", "was 0"]);
  assert.equal(await page.locator("#details tr.changed").count(), 1);
  await page.locator(`#${writes[1]} .box`).click();
  assert.deepEqual(await value(), ["counter", "1", "was 1"]);
  assert.deepEqual(await currentLines(page), [19]);
  await page.keyboard.press("End");
  assert.deepEqual(await value(), ["counter", "1", ""]);
  assert.equal(await page.locator("#details tr.changed").count(), 0);
});

onPage("arrows: two creations, two joins, conflicts; each kind can be hidden", lostUpdate, {}, async (page) => {
  const arrows = (kind) => page.locator(`#arrows .arrow.${kind}`).count();
  assert.equal(await page.locator("#arrows .arrow").count(), 0); /* nothing comes to the end but the steps before it */
  await page.keyboard.press("Home");
  assert.deepEqual(
      [await arrows("create"), await arrows("join"), await arrows("data")], [2, 0, 0]); /* those of the selected step */
  await page.getByLabel("arrows of all steps").check();
  assert.equal(await arrows("create"), 2);
  assert.equal(await arrows("join"), 2);
  assert.ok((await arrows("data")) >= 3); /* read-write, write-write, write-read */
  assert.ok((await page.locator("#arrows .switch").count()) >= 3);
  await page.getByLabel("same memory").uncheck();
  assert.equal(await arrows("data"), 0);
  assert.equal(await arrows("join"), 2);
  await page.getByLabel("creates, wakes, joins").uncheck();
  assert.equal(await arrows("join"), 0);
  await page.getByLabel("context switch", {exact: true}).uncheck();
  assert.equal(await page.locator("#arrows .switch").count(), 0);
});

onPage("search finds steps and variables", lostUpdate, {}, async (page) => {
  await page.keyboard.press("Home");
  await page.keyboard.press("/");
  assert.ok(await page.getByRole("searchbox").evaluate((e) => e === document.activeElement));
  await page.keyboard.type("reads counter");
  assert.equal(await page.locator("#found").textContent(), "3 found"); /* both threads, and main at the end */
  assert.equal(await page.locator(".row.match").count(), 3);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#found").textContent(), "1 of 3");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#found").textContent(), "2 of 3");
  assert.match(await chosen(page).getAttribute("aria-label"), /reads counter = 0/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("N");
  assert.equal(await page.locator("#found").textContent(), "1 of 3");
  await page.getByRole("searchbox").fill("no such thing");
  assert.equal(await page.locator("#found").textContent(), "not found");
  await page.getByRole("searchbox").fill("counter");
  assert.equal(await page.locator("#details tr.found").count(), 1);
});

test("the address names the step", async () => {
  const page = await heddle.open(lostUpdate(), {hash: "#step=3"});
  assert.equal(await selected(page), 3);
  await page.evaluate(() => {
    location.hash = "#step=5";
  });
  await page.waitForFunction(() => document.querySelector("#step-5[aria-selected=true]"));
  await page.evaluate(() => {
    location.hash = "#step=99999";
  });
  await page.waitForFunction(() => document.querySelector(".row.chosen .box.end"));
  assert.deepEqual(page.troubles, []);
  await page.close();
});

onPage("help lists the keys", lostUpdate, {}, async (page) => {
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", {name: "Keyboard help"});
  assert.ok(await help.isVisible());
  assert.match(await help.textContent(), /next context switch/);
  await page.keyboard.press("Escape");
  assert.ok(!(await help.isVisible()));
});

/* --- looks ----------------------------------------------------------------------------------------------- */

const brightness = ([r, g, b]) => (r + g + b) / 3;

onPage("dark and light: as the system says, and by a switch", lostUpdate, {scheme: "dark"}, async (page) => {
  const background = async () => brightness(
      (await heddle.colours(await page.screenshot({clip: {x: 0, y: 0, width: 1400, height: 8}}), [[700, 4]]))[0]);
  assert.ok((await background()) < 80);
  await page.getByRole("button", {name: "Switch between dark and light"}).click();
  assert.ok((await background()) > 200);
  await page.keyboard.press("d");
  assert.ok((await background()) < 80);
  await page.emulateMedia({colorScheme: "light"});
  assert.ok((await background()) > 200);
});

onPage("it fits wide and narrow windows", lostUpdate, {}, async (page) => {
  for (const [width, height] of [[1900, 1000], [1000, 700], [600, 900], [400, 800], [1400, 800]]) {
    await page.setViewportSize({width, height});
    await page.waitForFunction((w) => document.documentElement.clientWidth === w, width);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `nothing sticks out of ${width}: ${wide}`);
    const head = await page.locator("#headline").boundingBox();
    assert.ok(
        head.width >= Math.min(300, width - 60) && head.height <= 200,
        `the headline at ${width}: ${head.width} × ${head.height}`);
    const name = await page.locator("#details td").first().boundingBox();
    assert.ok(name.width >= 70, `names of variables at ${width}: ${name.width}`);
    for (const pane of ["#source-pane", "#lanes-pane", "#details"]) {
      const box = await page.locator(pane).boundingBox();
      assert.ok(box.width >= 200 && box.height >= 100, `${pane} at ${width}: ${box.width} × ${box.height}`);
    }
    assert.ok((await page.locator(".row .box").count()) > 0);
  }
});

onPage("on paper it is a list of all steps", lostUpdate, {}, async (page) => {
  const rows = await page.locator(".row").count();
  await page.emulateMedia({media: "print"});
  await page.waitForSelector("#paper li");
  assert.equal(await page.locator("#paper li").count(), rows);
  assert.ok(await page.locator("#paper").isVisible());
  const story = await page.locator("#paper").boundingBox(), rest = await page.locator("#search-view").boundingBox();
  assert.ok(story.y < rest.y, "what happens comes first");
  assert.ok(!(await page.locator("#lanes").isVisible()));
  assert.match(await page.locator("#paper").innerText(), /counter: 0 → 1/);
  assert.ok(await page.locator("#sentence").isVisible());
  assert.ok((await page.pdf()).length > 5000);
});

/* --- people who cannot see it ---------------------------------------------------------------------------- */

function namelessNodes(node, list = []) {
  const named =
      ["button", "checkbox", "combobox", "searchbox", "listbox", "option", "tab", "tabpanel", "dialog", "img"];
  if (named.includes(node.role) && !node.name) list.push(JSON.stringify({...node, children: undefined}));
  for (const child of node.children || []) namelessNodes(child, list);
  return list;
}

onPage("everything has a role and a name", lostUpdate, {}, async (page) => {
  assert.deepEqual(namelessNodes(await page.accessibility.snapshot({interestingOnly: false})), []);
  const list = page.getByRole("listbox", {name: "Steps of all threads, in order"});
  assert.equal(await list.getByRole("option").count(), await page.locator(".row").count());
  assert.equal(await list.getByRole("option", {selected: true}).count(), 1);
  assert.equal(await list.getAttribute("aria-activedescendant"), await chosen(page).getAttribute("id"));
  for (const name of ["Source", "Threads", "The selected step"])
    assert.equal(await page.getByRole("region", {name, exact: true}).count(), 1, name);
  assert.equal(await page.getByRole("tab", {name: "Counterexample", selected: true}).count(), 1);
  assert.equal(await page.getByRole("heading", {level: 1}).count(), 1);
  await page.getByRole("tab", {name: "Exploration"}).click();
  assert.deepEqual(namelessNodes(await page.accessibility.snapshot({interestingOnly: false})), []);
});

/* --- other results --------------------------------------------------------------------------------------- */

const design = () => heddle.report("check", "models/systemc/shared-variable.cpp");

onPage("a design shows time, delta cycles and what is printed", design, {}, async (page) => {
  assert.match(await page.locator("#details").innerText(), /time\s+10 ns, delta cycle \d+, phase evaluate/);
  assert.match(await page.getByLabel("Printed so far").innerText(), /10 ns: 1/);
  await page.keyboard.press("Home");
  assert.equal(await page.getByLabel("Printed so far").innerText(), "nothing yet");
  assert.match(await page.locator("#rows").innerText(), /t 0 s\s+δ 0/);
  assert.match(await page.locator("#lane-heads").innerText(), /scheduler/);
});

const method = {
  name: "method.cpp",
  text:
      "#include <cassert>\n#include <systemc.h>\nSC_MODULE(top) {\n  sc_signal<int> level;\n  void drive() { level = 1; }\n  void react() { assert(level.read() == 0); }\n  SC_CTOR(top) { SC_THREAD(drive); SC_METHOD(react); sensitive << level; dont_initialize(); }\n};\nint sc_main(int, char **) { top t(\"top\"); sc_start(); return 0; }\n"
};

onPage("a method process shows where it is", () => heddle.report("check", method), {hash: "#step=4"}, async (page) => {
  assert.match(await chosen(page).getAttribute("aria-label"), /react/);
  assert.match(await page.locator(".line.current").innerText(), /void react\(\)/);
});

const inputs = {
  name: "inputs.ivl",
  text:
      "int x; int y;\nthread A { x = ?(int); assume x > 41 && x < 43; y = x; }\nthread B { wait_time 1; assert y != 42; }\nmain { start; }\n"
};

onPage("inputs are listed with their values", () => heddle.report("check", inputs), {}, async (page) => {
  assert.match(await page.getByRole("list", {name: "Inputs"}).innerText(), /x = 42/);
  await page.getByRole("list", {name: "Inputs"}).getByRole("button").click();
  assert.match(await chosen(page).getAttribute("aria-label"), /input x = 42/);
});

const twoBugs = {
  name: "two.ivl",
  text: "int x = 0;\nthread A { x = 1; assert x == 2; wait_time 1; assert x == 3; }\nmain { start; }\n"
};

onPage("several violations can be chosen from", () => heddle.report("check", twoBugs, "--all"), {}, async (page) => {
  const choice = page.getByRole("combobox", {name: "Violated property"});
  assert.equal(await choice.locator("option").count(), 2);
  const first = await page.locator("#sentence").textContent();
  await choice.selectOption("1");
  const second = await page.locator("#sentence").textContent();
  assert.deepEqual([first, second].map((s) => s.match(/x == \d/)[0]).sort(), ["x == 2", "x == 3"]);
  assert.match(page.url(), /property=2/);
});

const hostile = {
  name: "hostile<b>.ivl",
  text:
      "// </script><script>alert(1)</script><img src=x onerror=alert(2)> <!--\nint x = 0;\nthread A { x = 1; assert x == 2; }\nmain { start; }\n"
};

onPage("text of a program is shown, never run", () => heddle.report("check", hostile), {}, async (page) => {
  assert.match(
      await page.locator("#source").innerText(),
      /<\/script><script>alert\(1\)<\/script><img src=x onerror=alert\(2\)> <!--/);
  assert.equal(await page.locator("#source img").count(), 0);
});

/* --- many threads, many steps ---------------------------------------------------------------------------- */

/* Tellers who each do a lot that is right, and count without a lock. */
const bank = (tellers) => ({
  name: `bank-${tellers}.c`,
  text: `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; long balance; };
static struct account *accounts[${tellers}];
static int served, limit = 3;
static void change(struct account *a, long by) {
    pthread_mutex_lock(&a->lock);
    a->balance += by;
    pthread_mutex_unlock(&a->lock);
}
static void *teller(void *arg) {
    long k = (long)arg;
    change(accounts[k], -limit);
    change(accounts[(k + 1) % ${tellers}], limit);
    served++;
    return 0;
}
int main(void) {
    pthread_t t[${tellers}];
    for (int i = 0; i < ${tellers}; i++) {
        accounts[i] = malloc(sizeof *accounts[i]);
        pthread_mutex_init(&accounts[i]->lock, 0);
        accounts[i]->balance = 100;
    }
    for (long i = 0; i < ${tellers}; i++) pthread_create(&t[i], 0, teller, (void *)i);
    for (int i = 0; i < ${tellers}; i++) pthread_join(t[i], 0);
    assert(served == ${tellers});
}
`
});
const bankReport = (tellers) => () => heddle.report("check", bank(tellers), "--time", "60s");
const shownSteps = (page) => page.locator(".row").evaluateAll((l) => l.map((e) => Number(e.id.replace("step-", ""))));

onPage(
    "the first view is what matters; the rest is folded and can be opened", bankReport(2), {height: 5000},
    async (page) => {
      const texts = () => page.locator(".row .box").allTextContents();
      const all = Number((await where(page)).match(/after (\d+) steps/)[1]), first = await shownSteps(page);
      assert.ok(first.length < all / 2, `${first.length} of ${all}`);
      assert.ok(
          (await texts()).filter((t) => t.includes("served")).length >= 5, "both reads, both writes, and the end");
      assert.ok(
          !(await texts()).some((t) => /balance/.test(t) && !t.includes("begins")),
          "what is done with locks is folded");
      const fold = page.locator(".fold button").first(), folded = Number((await fold.textContent()).match(/\d+/)[0]);
      await fold.click();
      assert.equal((await shownSteps(page)).length, first.length + folded);
      await page.getByLabel("only what matters").uncheck();
      assert.equal(await page.locator(".fold").count(), 0);
      await page.keyboard.press("f");
      assert.deepEqual(await shownSteps(page), first);
      await page.keyboard.press("Home"); /* keys go from one that is shown to the next ... */
      await page.keyboard.press("j");
      assert.equal(await selected(page), first[1]);
      await page.keyboard.press("M");
      assert.equal(await selected(page), 1);
      await page.evaluate((n) => {
        location.hash = `#step=${n}`;
      }, first[1] - 1); /* ... and what is asked for is opened */
      while ((await selected(page)) !== first[1] - 1) await page.waitForTimeout(20);
      assert.ok((await shownSteps(page)).length > first.length);
    });

onPage("values that nobody else writes are folded", bankReport(2), {height: 5000}, async (page) => {
  await page.getByLabel("only what matters").uncheck();
  assert.ok(!(await page.locator("#rows").innerText()).includes("reads limit"));
  await page.getByRole("searchbox").fill("reads limit");
  await page.keyboard.press("Enter");
  const quiet = page.locator("#details details", {hasText: "nobody else writes"});
  await quiet.locator("summary").click();
  assert.match(await quiet.innerText(), /limit = 3/);
});

onPage("how a step was called, with links", bankReport(2), {}, async (page) => {
  await page.getByRole("searchbox").fill("pthread_mutex_lock");
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#details").innerText(), /called\s+from teller at bank-2\.c:1[45]/);
  assert.match(await page.locator("#details").innerText(), /accounts\[\d\]->lock\s+locked by teller\s+was free/);
  await page.locator("#details dd", {hasText: "from teller at"}).getByRole("button").click();
  assert.ok(await isInPane(page, 14));
});

for (const tellers of [7, 19])
  onPage(`${tellers + 1} lanes fit, and every step can be read`, bankReport(tellers), {}, async (page) => {
    const pane = await page.locator("#lanes").boundingBox();
    assert.equal(await page.locator(".lane-head").count(), tellers + 1);
    assert.ok(
        (await page.locator("#lanes").evaluate((e) => e.scrollWidth - e.clientWidth)) <= 2,
        "nothing to scroll sideways");
    const boxes = await page.locator(".row .box").evaluateAll((l) => l.map((e) => {
      const b = e.getBoundingClientRect();
      return {x: b.x, right: b.right, width: b.width};
    }));
    for (const b of boxes)
      assert.ok(b.width >= 200 && b.x >= pane.x && b.right <= pane.x + pane.width, JSON.stringify(b));
    const lanes = await page.locator(".stop").evaluateAll((l) => l.map((e) => e.getBoundingClientRect().x)),
          heads = await page.locator(".lane-head").evaluateAll((l) => l.map((e) => e.getBoundingClientRect().x));
    assert.ok(lanes.every((x) => x < boxes[0].x) && new Set(heads).size === tellers + 1);
    assert.match(await chosen(page).innerText(), new RegExp(`main\\s*✗ assert served == ${tellers}`));
  });

onPage("borders between panes are moved by mouse and keys", lostUpdate, {}, async (page) => {
  const width = async (id) => (await page.locator(id).boundingBox()).width;
  const source = await width("#source-pane"), border = await page.locator("#left-border").boundingBox();
  await page.mouse.move(border.x + 2, border.y + 200);
  await page.mouse.down();
  await page.mouse.move(border.x + 102, border.y + 200);
  await page.mouse.up();
  assert.ok(Math.abs((await width("#source-pane")) - source - 100) <= 4);
  await page.getByRole("separator", {name: "Width of the details"}).focus();
  const details = await width("#details");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  assert.ok((await width("#details")) > details + 60);
  assert.equal(await selected(page), await page.locator(".row").count(), "keys of a border select nothing");
  await page.mouse.move(border.x + 102, border.y + 200);
  await page.mouse.down();
  await page.mouse.move(5, border.y + 200);
  await page.mouse.up();
  assert.ok((await width("#source-pane")) >= 150, "no pane vanishes");
  await page.locator("#left-border").dblclick();
  assert.ok(Math.abs((await width("#source-pane")) - source) < 40, "a double click puts it back");
});

/* --- long sources ---------------------------------------------------------------------------------------- */

/* Two threads whose functions are far apart, at the beginning and at the end of a file of so many lines. */
function farApart(lines) {
  const head = [
    "#include <assert.h>", "#include <pthread.h>", "static int x;", "static void *early(void *p) {", "    x = 1;",
    "    return p;", "}"
  ];
  const tail = [
    "static void *late(void *p) {", "    x = 2;", "    return p;", "}", "int main(void) {", "    pthread_t a, b;",
    "    pthread_create(&a, 0, early, 0);", "    pthread_create(&b, 0, late, 0);", "    pthread_join(a, 0);",
    "    pthread_join(b, 0);", "    assert(x == 2);", "}"
  ];
  const filler = Array.from({length: lines - head.length - tail.length}, (_, i) => `/* ${i + head.length + 1} */`);
  return {name: `far-apart-${lines}.c`, text: [...head, ...filler, ...tail].join("\n") + "\n"};
}

const isInPane = (page, line) => page.evaluate((line) => {
  const pane = document.getElementById("source").getBoundingClientRect(),
        mark = document.querySelector(`#source .line[data-line="${line}"]`);
  const box = mark && mark.getBoundingClientRect();
  return Boolean(box && box.top >= pane.top && box.bottom <= pane.bottom);
}, line);

for (const lines of [500, 5000])
  onPage(
      `the source follows the step and scrolls, in ${lines} lines`, () => heddle.report("check", farApart(lines)), {},
      async (page) => {
        const source = page.locator("#source"), top = () => source.evaluate((e) => e.scrollTop);
        assert.ok(await isInPane(page, lines - 1), "the violation is in sight");
        for (const [wanted, line] of [["early", 5], ["late", lines - 10], ["early", 5]]) {
          await page.locator(".row", {hasText: wanted === "early" ? "x = 1" : "x = 2"}).first().locator(".box").click();
          assert.deepEqual(await currentLines(page), [line]);
          assert.ok(await isInPane(page, line), `line ${line} is in sight`);
        }
        const chosenAt = await top();
        await source.evaluate((e) => {
          e.scrollTop = e.scrollHeight / 2;
        });
        await page.waitForSelector(`#source .line[data-line="${lines / 2}"]`);
        assert.ok((await top()) > chosenAt + 1000, "the pane stays where it was scrolled to");
        assert.ok(await isInPane(page, lines / 2 + 5));
        assert.ok((await page.locator("#source .line").count()) < 120, "only lines in sight are in the document");
        await source.hover();
        const before = await top();
        await page.mouse.wheel(0, 400);
        while ((await top()) <= before) await page.waitForTimeout(20);
        await page.keyboard.press("End");
        assert.ok(await isInPane(page, lines - 1), "back to the step");
      });

/* --- proofs and doubts ----------------------------------------------------------------------------------- */

const ring = () => heddle.report("check", "models/ivl/token-ring.ivl", "--set", "N=6");

onPage("a proof says what was explored and what that saved", ring, {}, async (page) => {
  const card = (name) => page.getByRole("region", {name, exact: true}).innerText();
  assert.equal(await page.locator("#verdict").textContent(), "safe");
  assert.match(await card("Properties"), /safe\s+assert\s+token == local \+ N/);
  assert.match(await card("What was explored"), /engine\s+search/);
  assert.match(
      await card("What the reductions saved"),
      /of \d+ transitions that were possible in the states looked at, \d+ were taken/);
  assert.match(await card("Invariants"), /None in this report/);
  const result = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).result);
  assert.equal(await page.locator(".chart .bar").count(), result.shape.states.length);
  const heights = await page.locator(".chart .bar").evaluateAll((l) => l.map((e) => Number(e.getAttribute("height"))));
  assert.equal(heights.indexOf(Math.max(...heights)), result.shape.states.indexOf(Math.max(...result.shape.states)));
  assert.ok(await page.getByRole("img", {name: /States over depth/}).isVisible());
  assert.match(await card("Statistics"), new RegExp(`transitions\\s+${result.statistics.transitions}\\b`));
});

onPage(
    "a confirmed proof shows its invariant", () => heddle.report("check", "models/ivl/token-ring.ivl", "--certify"), {},
    async (page) => {
      const text = await page.getByRole("region", {name: "Invariants"}).innerText();
      assert.match(text, /confirmed independently/);
      assert.match(text, /master: token-ring\.ivl:\d+:\d+/);
      assert.match(await page.getByRole("region", {name: "The search"}).innerText(), /not recorded/);
    });

const vacuous = {
  name: "vacuous.ivl",
  text: "int x = 0; int y = 0;\nthread A { y = 5; x = y - 5; assume x == 1; assert y == 5; }\nmain { start; }\n"
};

onPage("a vacuous property is flagged", () => heddle.report("check", vacuous), {}, async (page) => {
  assert.match(await page.getByRole("row", {name: /y == 5/}).innerText(), /vacuous: never reached/);
});

onPage(
    "an unknown answer has its reasons and bounds",
    () => heddle.report(
        "check", "models/ivl/token-ring.ivl", "--engine", "search", "--set", "N=6", "--max-transitions", "10"),
    {}, async (page) => {
      assert.equal(await page.locator("#verdict").textContent(), "unknown");
      assert.match(await page.getByRole("list", {name: "Reasons"}).innerText(), /transition limit/);
      assert.match(await page.getByRole("region", {name: "Bounds"}).innerText(), /transitions\s+10/);
    });

/* --- five thousand steps --------------------------------------------------------------------------------- */

const long = () => heddle.report("simulate", "models/ivl/token-ring.ivl", "--set", "N=5", "--max-transitions", "5000");

onPage("of thousands of steps only those in sight are in the document", long, {}, async (page) => {
  const MOST = 1500;
  assert.equal(await where(page), "step 1 of 5000");
  assert.ok((await nodes(page)) < MOST);
  await page.keyboard.press("End");
  assert.equal(await selected(page), 5000);
  assert.ok(await page.locator("#step-5000 .box").isVisible());
  assert.equal(await page.locator("#step-1").count(), 0);
  await page.locator("#lanes").evaluate((e) => {
    e.scrollTop = e.scrollHeight / 2;
  });
  await page.waitForSelector("#step-2501");
  assert.ok((await nodes(page)) < MOST);
  for (let i = 0; i < 20; i++) await page.keyboard.press("k");
  assert.equal(await selected(page), 4980);
  assert.ok(await page.locator("#step-4980 .box").isVisible());
  await page.getByRole("searchbox").fill("input token");
  assert.match(await page.locator("#found").textContent(), /^\d{3,} found$/);
  assert.ok((await nodes(page)) < MOST);
});

/* --- pictures -------------------------------------------------------------------------------------------- */

const isInside = (box, {width, height}) =>
    box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;

/* Every lane has a box, its left edge is painted in a colour of its own, and every one is in the picture. */
async function checkLanes(page, scene, png) {
  assert.deepEqual(await page.locator(".lane-head").allTextContents(), scene.lanes);
  const boxes =
      await page.locator(".row .box:not(.end)")
          .evaluateAll(
              (l) => l.map((e) => ({at: e.getBoundingClientRect().toJSON(), hue: e.style.getPropertyValue("--hue")})));
  const shown = boxes.filter((b) => isInside(b.at, scene.size));
  const edges = await heddle.colours(png, shown.map((b) => [b.at.x + 2, b.at.y + b.at.height / 2]));
  const outside = await heddle.colours(png, shown.map((b) => [b.at.x - 5, b.at.y + 2]));
  edges.forEach((c, i) => assert.notDeepEqual(c, outside[i], `box ${i} is painted`));
  const byHue = new Map(shown.map((b, i) => [b.hue, String(edges[i])]));
  assert.equal(new Set(byHue.values()).size, byHue.size, "each thread has a colour of its own");
  await page.getByLabel("arrows of all steps").check();
  for (const kind of scene.arrows)
    assert.ok((await page.locator(`#arrows .arrow.${kind}`).count()) > 0, `arrows: ${kind}`);
}

for (const scene of scenes)
  onPage(
      `picture ${scene.picture}`, () => heddle.report(...scene.command), {hash: scene.hash, ...scene.size},
      async (page) => {
        const png = await page.screenshot();
        const text = await page.locator("body").innerText() +
            (await page.locator("#arrow-labels text").allTextContents()).join("\n");
        for (const wanted of scene.texts) assert.ok(text.includes(wanted), `"${wanted}" can be read`);
        if (scene.lines) {
          assert.deepEqual(await currentLines(page), scene.lines);
          for (const line of scene.lines)
            assert.ok(
                isInside(await page.locator(`.line[data-line="${line}"] .number`).boundingBox(), scene.size),
                `line ${line} is in the picture`);
          await checkLanes(page, scene, png);
        }
        if (process.env.PICTURES) fs.writeFileSync(path.join(process.env.PICTURES, scene.picture), png);
      });
