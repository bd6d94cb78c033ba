// Measures the pages with 10 000 endpoints and 100 updates a second: no task may block the page for
// 50 ms. The endpoints and their events are made up in the browser; the page is the gateway's.
//
//   VIGIL_URL=http://127.0.0.1:8080 npm run e2e:many
//
// VIGIL_LONGEST: the longest task that passes, in milliseconds (default 50)
// Prints one line for each page, then "N passed, N failed"; the exit code is 1 if one failed.
import assert from "node:assert/strict";
import { runAll, url } from "./browser.mjs";

const ENDPOINTS = 10_000;
const PAGE = 1000;
const LONGEST = Number(process.env["VIGIL_LONGEST"] ?? 50);
const WATCHED_MILLISECONDS = 8_000;

/** @param {number} number @param {number} seq */
function endpoint(number, seq) {
  const now = new Date().toISOString();
  const resource = (/** @type {string} */ path) => ({
    path,
    rt: path,
    unit: "Cel",
    value: String(20 + ((number + seq) % 100) / 10),
    number: true,
    seq,
    arrivedAt: now,
    delayed: false,
    marks: [],
  });
  return {
    id: String(number),
    ep: `mote-${number}`,
    d: number % 2 === 0 ? "" : "plant",
    trust: "trusted",
    keyThumbprint: "A".repeat(43),
    registeredAt: now,
    expiresAt: now,
    heardAt: now,
    wakeSeconds: 100,
    freshness: "on-time",
    waitingKeys: [],
    commands: [],
    rejections: number % 100 === 0 ? { replay: 1 } : {},
    resources: [resource("temp"), resource("humidity")],
  };
}

/** @param {import("playwright-core").Page} page */
async function many(page) {
  await page.route("**/api/endpoints*", (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get("after") ?? 0);
    const endpoints = Array.from({ length: PAGE }, (_, at) => endpoint(after + at + 1, 1));
    const next = after + PAGE < ENDPOINTS ? String(after + PAGE) : undefined;
    return route.fulfill({ json: { endpoints, next } });
  });
  await page.route("**/ms/**", (route) => route.fulfill({ status: 404, json: {} }));
  await page.addInitScript(`
    const endpoint = ${endpoint.toString()};
    window.EventSource = class extends EventTarget {
      static CLOSED = 2;
      readyState = 1;
      constructor() {
        super();
        let sent = 0;
        setTimeout(() => this.dispatchEvent(new Event("open")), 100);
        setInterval(() => {
          sent++;
          const number = 1 + ((sent * 7919) % ${ENDPOINTS});
          const data = JSON.stringify(endpoint(number, 1 + sent));
          this.dispatchEvent(new MessageEvent("endpoint", { data }));
        }, 10);
      }
      close() {}
    };
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
  `);
}

/** @param {import("playwright-core").Page} page @param {string} what */
async function measure(page, what) {
  // Starting is not counted.
  await page.waitForTimeout(2_000);
  await page.evaluate("window.longTasks.length = 0");
  await page.waitForTimeout(WATCHED_MILLISECONDS);
  const tasks = /** @type {number[]} */ (await page.evaluate("window.longTasks"));
  const longest = Math.max(0, ...tasks);
  console.log(`        ${what}: ${tasks.length} long tasks, the longest ${longest} ms`);
  assert.ok(longest <= LONGEST, `${what}: tasks of ${tasks.join(", ")} ms`);
}

await runAll([
  [
    "the overview stays smooth",
    async (page) => {
      await many(page);
      await page.goto(`${url}#/overview`);
      await page.waitForSelector('[data-figure="on-time"]');
      await measure(page, "overview");
    },
  ],
  [
    "the list stays smooth, also while it is scrolled",
    async (page) => {
      await many(page);
      await page.goto(`${url}#/endpoints`);
      await page.waitForSelector("[data-endpoint]");
      assert.ok((await page.locator("[data-endpoint]").count()) < 60, "only rows in sight");
      await measure(page, "list");
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 900);
      await measure(page, "list, scrolled");
      await page.getByLabel("Search endpoints").fill("mote-77");
      await measure(page, "list, searched");
    },
  ],
]);
