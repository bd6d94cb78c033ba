// Tests each page of the application in Chromium, signed in as an administrator.
//
//   VIGIL_URL=http://127.0.0.1:8080 VIGIL_PASSWORD=ONE-TIME npm run e2e:pages
//
// VIGIL_PASSWORD: the password of the account admin; a one-time password is replaced
// VIGIL_SHOTS: a folder for screenshots (default: none are taken)
// VIGIL_PAGES: names of pages, separated by commas (default: all in e2e/pages)
// Prints one line for each page, then "N passed, N failed"; the exit code is 1 if one failed.
//
// A page's test is a file e2e/pages/NAME.page.mjs that exports `run(tools)`; see `Tools` below. It may
// export `onDesktop`: true runs it in the browser for a desktop.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { administrator } from "./administrator.mjs";
import { named, runAll, url } from "./browser.mjs";

const SHOTS = process.env["VIGIL_SHOTS"];
const FOLDER = join(import.meta.dirname, "pages");
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContext} Context */

/**
 * @typedef {object} Tools
 * @property {Page} page
 * @property {Context} context
 * @property {string} url address of the gateway
 * @property {string} named the same by a name, without the session
 * @property {(path?: string) => Promise<void>} signIn opens a page ("/network") as administrator
 * @property {(name: string, of?: Page) => Promise<void>} shot takes screenshots in light, dark and at
 *   phone width; fails if something is cut off there
 * @property {(of?: Page) => Promise<void>} axe fails on serious or critical findings, in light and dark;
 *   in an open dialog only there, because it dims the rest
 */

/** @param {Page} page @param {"light" | "dark"} colorScheme */
async function colours(page, colorScheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
}

/** @param {Page} page @param {string} name */
async function shot(page, name) {
  await page.evaluate(() => window.scrollTo(0, 0));
  const file = (/** @type {string} */ kind) => join(SHOTS ?? "", `${name}-${kind}.png`);
  if (SHOTS !== undefined) {
    for (const scheme of /** @type {const} */ (["dark", "light"])) {
      await colours(page, scheme);
      await page.screenshot({ path: file(scheme), fullPage: true });
    }
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(async () => {
    const { documentElement } = document;
    const cutOff = () => documentElement.scrollWidth > documentElement.clientWidth;
    // A chart adopts its new width in a later frame than the page.
    const end = performance.now() + 3000;
    while (cutOff() && performance.now() < end) await new Promise((next) => setTimeout(next, 20));
    if (!cutOff()) return [];
    const { clientWidth } = documentElement;
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => `${element.tagName} ${element.className}`)
      .slice(0, 12);
  });
  if (SHOTS !== undefined) await page.screenshot({ path: file("phone"), fullPage: true });
  if (size !== null) await page.setViewportSize(size);
  assert.deepEqual(wide, [], `${name} is cut off at 390 px`);
}

/** @param {Page} page */
async function axe(page) {
  for (const scheme of /** @type {const} */ (["dark", "light"])) {
    await colours(page, scheme);
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
    // Contrast is the only rule that depends on the colours.
    const rules = scheme === "light" ? { runOnly: ["color-contrast"] } : {};
    /** @type {import("axe-core").AxeResults} */
    const { violations } = await page.evaluate(
      (more) =>
        /** @type {any} */ (window).axe.run(document.querySelector('[role="dialog"]') ?? document, {
          resultTypes: ["violations"],
          ...more,
        }),
      rules,
    );
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => node.html) }));
    assert.deepEqual(serious, [], `findings of axe in ${scheme} colours`);
  }
}

const wanted = process.env["VIGIL_PAGES"]?.split(",");
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".page.mjs"))
  .map((file) => file.replace(".page.mjs", ""))
  .filter((name) => wanted === undefined || wanted.includes(name));

/** @type {[string, import("./browser.mjs").Body, boolean?][]} */
const tests = [];
for (const name of names) {
  /** @type {{ run: (tools: Tools) => Promise<void>; onDesktop?: boolean }} */
  const { run, onDesktop = false } = await import(join(FOLDER, `${name}.page.mjs`));
  tests.push([
    name,
    (page, context) =>
      run({
        page,
        context,
        url,
        named: named.href,
        signIn: async (path = "/") => {
          await page.goto(`${url}#${path}`);
          await page.waitForSelector('[data-connection="live"]');
        },
        shot: (as, of = page) => shot(of, as),
        axe: (of = page) => axe(of),
      }),
    onDesktop,
  ]);
}

// One after another, because they change the same gateway.
await runAll(tests, { storageState: await administrator() });
