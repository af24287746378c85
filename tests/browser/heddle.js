"use strict";
/* Reports made by the program under test, and pages that show them. */
const {execFileSync} = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {chromium} = require("playwright-core");

const root = path.resolve(__dirname, "../..");
const program = path.resolve(process.env.HEDDLE || path.join(root, "build/heddle"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heddle-browser-"));
const made = new Map(); /* reports by what was asked */
let browser = null, canvas = null;

/* Runs heddle with --html on a model of the repository, or on a text; returns the file. */
function report(command, subject, ...options) {
  const asked = JSON.stringify([command, subject, options]);
  if (made.has(asked)) return made.get(asked);
  const out = path.join(folder, `report-${made.size + 1}.html`);
  let file = subject;
  if (typeof subject === "object") {
    file = path.join(folder, subject.name);
    fs.writeFileSync(file, subject.text);
  }
  try {
    execFileSync(
        program, [command, "--quiet", "--html", out, ...options, file], {cwd: root, stdio: ["ignore", "pipe", "pipe"]});
  } catch (e) {
    if (![1, 3].includes(e.status)) throw e; /* unsafe and unknown are fine */
  }
  made.set(asked, out);
  return out;
}

async function start() {
  const args = ["--font-render-hinting=none", "--disable-dev-shm-usage", "--force-color-profile=srgb"];
  if (process.getuid() === 0) args.push("--no-sandbox");
  browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args});
}

async function stop() {
  await browser.close();
  fs.rmSync(folder, {recursive: true, force: true});
}

/* A page with everything that went wrong on it in `page.troubles`, requests to elsewhere included. */
async function open(file, {hash = "", width = 1400, height = 800, scheme = "light"} = {}) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme: scheme});
  page.troubles = [];
  page.on("console", (m) => page.troubles.push(`console ${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => page.troubles.push(`error: ${e.stack}`));
  page.on("dialog", (d) => {
    page.troubles.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  page.on("request", (r) => /^(file|data):/.test(r.url()) || page.troubles.push(`request: ${r.url()}`));
  await page.goto(`file://${file}${hash}`);
  return page;
}

/* The colours [r, g, b] of a screenshot at these points. */
async function colours(png, points) {
  canvas = canvas || (await browser.newPage());
  return canvas.evaluate(async ({png, points}) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return points.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3));
  }, {png: png.toString("base64"), points});
}

module.exports = {
  root,
  report,
  start,
  stop,
  open,
  colours
};
