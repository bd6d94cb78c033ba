// Runs tests in Chromium against the gateway at VIGIL_URL. CHROMIUM names the browser (default
// /usr/bin/chromium-headless-shell, or /usr/bin/chromium), PLAYWRIGHT_SECONDS the seconds that a step
// may take (default 60), VIGIL_CAMERA a file that the fake camera shows; a test may write it before it
// opens the camera.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const DESKTOP = "/usr/bin/chromium";
const WINDOWLESS = "/usr/bin/chromium-headless-shell";
/** Chromium without windows needs less processor time than the browser for a desktop. */
const LIGHT = existsSync(WINDOWLESS) ? WINDOWLESS : DESKTOP;
/** A page of a test lives for seconds: the optimising compilers would use more time than they save. */
const UNOPTIMISED = ["--js-flags=--no-opt --no-maglev"];

const address = process.env["VIGIL_URL"];
if (address === undefined) {
  console.error("VIGIL_URL is not set: give the address of the gateway");
  process.exit(2);
}
export const url = address;

/** The address with a host name, which passkeys need. */
export const named = new URL(address);
named.hostname = "localhost";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContext} Context */
/** @typedef {(page: Page, context: Context) => Promise<void>} Body */

/** @typedef {import("playwright-core").BrowserContextOptions} Options */

/**
 * Runs one test in its own browser context; fails on console errors and on requests to other hosts.
 *
 * @param {import("playwright-core").Browser} browser @param {Body} body @param {Options} options
 */
async function inFreshContext(browser, body, options) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(1000 * Number(process.env["PLAYWRIGHT_SECONDS"] ?? 60));
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (problem) => complaints.push(problem.message));
  page.on("console", (message) => {
    // The browser reports refusals, and responses that a test breaks on purpose, as failed loads.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("request", (request) => {
    const expected = [new URL("/", url).href, named.href, process.env["VIGIL_ISSUER"]];
    if (!expected.some((start) => start !== undefined && request.url().startsWith(start))) {
      complaints.push(request.url());
    }
  });
  try {
    await body(page, context);
    assert.deepEqual(complaints, [], "errors, policy violations or requests elsewhere");
  } catch (problem) {
    // Without the query, which may be a secret.
    console.log(`on the page ${page.url().replace(/\?.*/, "")}: ${complaints.join("; ")}`);
    throw problem;
  } finally {
    // A handler may still wait for an answer of the gateway, because the motes keep sending.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  }
}

/**
 * Runs tests, prints a line for each, and ends the process.
 *
 * @param {[name: string, body: Body, onDesktop?: boolean][]} tests
 * @param {Options} options of each test's browser context
 * @param {object} how
 * @param {number} [how.atOnce] number of tests that run at the same time, because they mostly wait
 * @param {boolean} [how.optimised] true for tests that measure
 */
export async function runAll(tests, options = {}, { atOnce = 1, optimised = false } = {}) {
  const film = process.env["VIGIL_CAMERA"];
  const launch = (/** @type {string} */ path) =>
    chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? path,
      args: [
        ...(optimised ? [] : UNOPTIMISED),
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        ...(film === undefined
          ? []
          : ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film}`]),
      ],
    });
  let failed = 0;
  const browser = await launch(LIGHT);
  const waiting = tests.values();
  const runner = async () => {
    for (const [name, body, onDesktop = false] of waiting) {
      const started = performance.now();
      const own = onDesktop ? await launch(DESKTOP) : undefined;
      try {
        await inFreshContext(own ?? browser, body, options);
        console.log(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
      } catch (problem) {
        failed++;
        console.log(`FAILED  ${name}\n${problem instanceof Error ? problem.stack : problem}`);
      } finally {
        await own?.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  await browser.close();
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
