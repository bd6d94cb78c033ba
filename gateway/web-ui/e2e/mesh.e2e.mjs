// Measures the network page with 250 nodes: the longest task of the browser, and the rendered
// elements.
//
//   VIGIL_URL=http://127.0.0.1:8080 npm run e2e:mesh
//
// The gateway needs a radio with a mote, as in `./vigil demo`; the test adds 250 motes to its
// answer. Run it on a machine without other load.
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { runAll, url } from "./browser.mjs";

const NODES = 250;
const LONGEST = 50;

/** @typedef {import("playwright-core").Page} Page */

/** @param {number} number */
const hex = (number) => (0x2000 + number).toString(16);

/** The answer of the gateway with more motes: every 25th has child motes. @param {any} answer */
function enlarged(answer) {
  const [neighbour] = answer.neighbours;
  for (let number = 0; number < NODES; number++) {
    const relay = number - (number % 25);
    answer.nodes.push({
      address: `fd00::56:4947:494c:${hex(number)}`,
      parent: number === relay ? "fd00::56:4947:494c:1" : `fd00::56:4947:494c:${hex(relay)}`,
      hops: number === relay ? 1 : 2,
      rank: number === relay ? 256 : 512,
      secondsLeft: 900,
      secondsSilent: number % 60,
      ep: `pump-${number}`,
    });
    answer.neighbours.push({
      ...neighbour,
      eui64: `02564947494c${hex(number)}`,
      address: `fe80::56:4947:494c:${hex(number)}`,
      lqi: (number * 37) % 256,
      etx: undefined,
    });
  }
  return answer;
}

/** @param {Page} page */
async function open(page) {
  await page.route("**/api/network", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: enlarged(await response.json()) });
  });
  await page.goto(`${url}#/overview`);
  await page.waitForSelector('[data-connection="live"]');
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/**
 * The longest task of the page's main thread during an action, in milliseconds of processor time,
 * which other programs on the machine hardly affect.
 *
 * @param {Page} page @param {string} what @param {() => Promise<unknown>} action
 */
async function measured(page, what, action) {
  const browser = page.context().browser();
  assert.ok(browser !== null);
  await browser.startTracing(page, { categories: ["toplevel"] });
  await action();
  // Later rendering also counts.
  await page.waitForTimeout(1_000);
  /** @type {{ traceEvents: any[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents.find(
    ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain",
  );
  const tasks = traceEvents.filter(
    ({ pid, tid, name, tdur }) =>
      pid === main.pid && tid === main.tid && /RunTask$/.test(name) && tdur !== undefined,
  );
  assert.ok(tasks.length > 0, "the trace has the tasks");
  const longest = Math.round(Math.max(...tasks.map(({ tdur }) => tdur)) / 1000);
  console.log(`        ${what}: longest task ${longest} ms, load ${loadavg()[0]?.toFixed(1)}`);
  return longest;
}

/** @type {[string, import("./browser.mjs").Body][]} */
const tests = [
  [
    `${NODES} nodes are a picture of clusters and a table of the rows in sight`,
    async (page) => {
      await open(page);
      const link = page.getByRole("navigation").getByRole("link", { name: "Network" });
      const tasks = [
        await measured(page, "opening the page", async () => {
          await link.click();
          await page.locator("[data-cluster], [data-node]").first().waitFor();
        }),
      ];
      const table = page.locator("[aria-rowcount]");
      await table.waitFor();
      assert.ok(Number(await table.getAttribute("aria-rowcount")) > NODES);
      const rows = () => table.locator("tr[data-row]").count();
      assert.ok((await rows()) < 60, "only rows in sight");
      const frame = page.locator(".listing[data-virtual]").first();
      tasks.push(
        await measured(page, "scrolling the table", async () => {
          await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          const last = await table.getAttribute("aria-rowcount");
          await table.locator(`tr[aria-rowindex="${last}"]`).waitFor();
        }),
      );
      assert.ok((await rows()) < 60, "only rows in sight");

      const clusters = page.locator("[data-cluster]");
      if ((await clusters.count()) > 0) {
        tasks.push(
          await measured(page, "showing every mote", () =>
            page.getByRole("button", { name: "Show every mote" }).click(),
          ),
        );
        assert.equal(await clusters.count(), 0);
      }
      assert.ok((await page.locator("[data-node]").count()) >= NODES);
      const place = () => page.locator("svg.mesh > g").getAttribute("transform");
      const before = await place();
      tasks.push(
        await measured(page, "enlarging", () =>
          page.getByRole("button", { name: "Zoom in" }).click(),
        ),
      );
      assert.notEqual(await place(), before);
      tasks.push(
        await measured(page, "searching", async () => {
          await page.getByLabel("Search nodes").fill("pump-249");
          await page.locator('[data-matches="1"]').waitFor();
        }),
      );
      const found = page.locator(`[data-node$="${hex(249)}"]`);
      assert.equal(await found.getAttribute("data-dim"), null);
      const [box, picture] = [
        await found.boundingBox(),
        await page.locator("svg.mesh").boundingBox(),
      ];
      assert.ok(
        box !== null &&
          picture !== null &&
          box.x >= picture.x &&
          box.y >= picture.y &&
          box.y + box.height <= picture.y + picture.height,
        `the match is in sight: ${JSON.stringify({ box, picture })}`,
      );
      const longest = Math.max(...tasks);
      assert.ok(longest <= LONGEST, `tasks of ${tasks.join(", ")} ms`);
    },
  ],
];

await runAll(tests, {}, { optimised: true });
