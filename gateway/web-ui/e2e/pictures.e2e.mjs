// Takes the pictures of README.md in Chromium and compares them with those in docs/pictures. The
// gateway is that of gateway/e2e/test_pictures.py.
//
//   VIGIL_URL=http://127.0.0.1:8080 VIGIL_PASSWORD=ONE-TIME ZONE=Etc/GMT-2 npm run e2e:pictures
//
// VIGIL_PASSWORD: the one-time password of the account admin
// ZONE: the browser's time zone
// PICTURES: "renew" replaces the files in docs/pictures
// Prints one line for each picture, then "N passed, N failed"; the exit code is 1 if one failed.
//
// The pixels depend on the fonts of the machine, and ages on its speed. A picture therefore has a
// description: the elements and texts that it shows, without ages and dates. The description must
// be the same everywhere. Where the same font is installed, the colours must also be alike in cells
// of 16 by 16 pixels: this finds another layout or other colours.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { administrator } from "./administrator.mjs";
import { runAll, url } from "./browser.mjs";
import { withMotes } from "./estate.mjs";
import { difference, fontOf } from "./images.mjs";

const FOLDER = join(import.meta.dirname, "../../../docs/pictures");
const RENEW = process.env["PICTURES"] === "renew";
const ADVICE =
  "docs/pictures does not show the product any more: PICTURES=renew ./vigil test test_pictures.py";
const WIDTH = 1280;
const MOST_OCTETS = 150_000;
/**
 * The share of cells whose colour may differ. Other ages, dates and time zones changed up to 0.3 %;
 * a chart, icons or a menu left out, or a page moved by 8 pixels, changed from 1.5 % to 22 %.
 */
const TOLERANCE = 0.01;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */

/**
 * Opens a page; the parts that its picture shows, besides bar and navigation.
 *
 * @typedef {(page: Page) => Promise<Locator[]>} Open
 */

/** @type {Open} */
async function endpoints(page) {
  await page.goto(`${url}#/endpoints`);
  await page.getByText("13 of 13 values in view verified").waitFor();
  return [page.getByRole("main")];
}

/** @type {Open} */
async function endpoint(page) {
  await page.goto(`${url}#/endpoints`);
  await page.getByRole("link", { name: "North greenhouse" }).click();
  await page.locator('[data-outcome="verified"]').waitFor();
  await page.getByRole("radiogroup", { name: "Span of time" }).getByText("24 h").click();
  await page.locator('[data-axis-seconds="86400"]').waitFor();
  const resources = page.getByRole("navigation", { name: "Resources" });
  return [page.getByRole("heading", { level: 1 }), resources, page.getByRole("article")];
}

/** @type {Open} */
async function network(page) {
  await page.route("**/api/network", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: withMotes(await response.json()) });
  });
  await page.goto(`${url}#/network`);
  const mesh = page.getByRole("region", { name: "Picture of the mesh" });
  await mesh.getByText("orchard").waitFor();
  return [page.getByRole("heading", { level: 1 }), mesh];
}

/** Elements and texts, without ages and dates. @param {Locator[]} parts */
async function described(parts) {
  const texts = await Promise.all(parts.map((part) => part.ariaSnapshot()));
  return texts
    .join("\n")
    .replaceAll(/just now|\d+ (s|min|h) ago/g, "… ago")
    .replaceAll(/\d+ \w{3} \d{4}, \d\d:\d\d:\d\d/g, "…");
}

/**
 * @param {string} name @param {number} height @param {Open} open
 * @returns {[string, import("./browser.mjs").Body]}
 */
function picture(name, height, open) {
  return [
    name,
    async (page, context) => {
      await page.setViewportSize({ width: WIDTH, height });
      const parts = await open(page);
      // An operator's address in place of the test's, whose port differs each time.
      await page.locator(".bar-host").evaluate((host) => (host.textContent = "gateway.example"));
      const frame = [page.getByRole("banner"), page.getByRole("navigation", { name: "Pages" })];
      const description = await described([...frame, ...parts]);
      const font = await fontOf(page);
      const taken = await page.screenshot();
      const [png, txt] = [join(FOLDER, `${name}.png`), join(FOLDER, `${name}.txt`)];
      if (RENEW) {
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(png, taken);
        writeFileSync(txt, `${font}\n${description}\n`);
      }
      const [keptFont, ...keptLines] = readFileSync(txt, "utf8").trimEnd().split("\n");
      const changed = description.split("\n").filter((line) => !keptLines.includes(line));
      assert.ok(description === keptLines.join("\n"), `${ADVICE}\n${changed.join("\n")}`);
      const kept = readFileSync(png);
      assert.ok(kept.length <= MOST_OCTETS, `${png} has ${kept.length} octets`);
      if (font !== keptFont) {
        console.log(`        ${name}: only its description is compared, the font is ${font}`);
        return;
      }
      const share = await difference(context, taken, kept);
      console.log(`        ${name}: ${(100 * share).toFixed(2)} % of the cells differ`);
      assert.ok(share <= TOLERANCE, ADVICE);
    },
  ];
}

await runAll(
  [
    picture("endpoint", 935, endpoint),
    picture("endpoints", 803, endpoints),
    picture("network", 710, network),
  ],
  {
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: process.env["ZONE"] ?? "UTC",
    storageState: await administrator(),
  },
);
