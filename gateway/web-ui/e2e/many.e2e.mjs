// Measures the pages with 10 000 endpoints and 100 updates a second: no task may block the page for
// 50 ms. The gateway has the endpoints and gets the updates (gateway/e2e/endpoint_load.py).
//
//   VIGIL_URL=http://127.0.0.1:8080 npm run e2e:many
//
// VIGIL_ENDPOINTS: number of registered endpoints (default 10000)
// VIGIL_RATE: updates that must arrive in a second (default 80)
// VIGIL_LONGEST: the longest task that passes, in milliseconds (default 50)
// Prints one line for each page, then "N passed, N failed"; the exit code is 1 if one failed.
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { runAll, url } from "./browser.mjs";

const ENDPOINTS = Number(process.env["VIGIL_ENDPOINTS"] ?? 10_000);
const RATE = Number(process.env["VIGIL_RATE"] ?? 80);
const LONGEST = Number(process.env["VIGIL_LONGEST"] ?? 50);
const WATCHED_SECONDS = 10;
/** The page reads the list again once a minute. */
const WITH_A_REFRESH = 65;

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} path */
async function open(page, path) {
  await page.addInitScript(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
    window.updates = 0;
    const Source = window.EventSource;
    window.EventSource = class extends Source {
      constructor(url) {
        super(url);
        this.addEventListener("endpoint", () => window.updates++);
      }
    };
  `);
  const began = performance.now();
  await page.goto(`${url}#${path}`);
  await page.waitForSelector('[data-connection="live"]');
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** @param {Page} page @param {string} what @param {number} seconds */
async function measure(page, what, seconds = WATCHED_SECONDS) {
  // The start, and work that a change of the page causes, are not counted.
  await page.waitForTimeout(2_000);
  await page.evaluate("window.longTasks.length = 0; window.updates = 0");
  const began = performance.now();
  await page.waitForTimeout(seconds * 1000);
  const lasted = (performance.now() - began) / 1000;
  const tasks = /** @type {number[]} */ (await page.evaluate("window.longTasks"));
  const rate = Number(await page.evaluate("window.updates")) / lasted;
  const longest = Math.max(0, ...tasks);
  console.log(
    `        ${what}: ${tasks.length} long tasks, the longest ${longest} ms, ` +
      `${rate.toFixed(0)} updates a second, load ${loadavg()[0]?.toFixed(1)}`,
  );
  assert.ok(longest <= LONGEST, `${what}: tasks of ${tasks.join(", ")} ms`);
  assert.ok(rate >= RATE, `${what}: only ${rate} updates a second arrived`);
}

/** @type {[string, import("./browser.mjs").Body][]} */
const tests = [
  [
    "the overview stays smooth, also while the list is read again",
    async (page) => {
      const seconds = await open(page, "/overview");
      await page
        .locator('[data-figure="on-time"]')
        .filter({ hasText: `${ENDPOINTS}` })
        .waitFor();
      const starting = await page.evaluate("Math.max(0, ...window.longTasks)");
      console.log(`        live after ${seconds} s, the longest task until then ${starting} ms`);
      await measure(page, "overview", WITH_A_REFRESH);
    },
  ],
  [
    "the list stays smooth, also while it is scrolled, searched and sorted",
    async (page) => {
      await open(page, "/endpoints");
      await page.getByText(`${ENDPOINTS} endpoints`).waitFor();
      assert.ok((await page.locator("[data-endpoint]").count()) < 60, "only rows in sight");
      await measure(page, "list");
      const scrolled = measure(page, "list, scrolled");
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 900);
      await scrolled;
      assert.equal(await page.locator('[role="row"][aria-busy="true"]').count(), 0);
      await page.locator('[data-resource][data-state="verified"]').first().waitFor();
      await page.getByLabel("Search endpoints").fill("mote-77");
      await measure(page, "list, searched");
      await page.getByLabel("Search endpoints").fill("");
      await page.getByRole("columnheader", { name: "Heard" }).getByRole("button").click();
      await measure(page, "list, sorted", WITH_A_REFRESH);
    },
  ],
];

await runAll(tests, {}, { optimised: true });
