// Walks through the five minutes of README.md in Chromium, step by step, against a fresh demo.
//
//   VIGIL_URL=http://127.0.0.1:8080 VIGIL_PASSWORD=ONE-TIME VIGIL_COMMANDER='{"kty":...}' \
//     VIGIL_KEY=THUMBPRINT VIGIL_EXPORT=mote-1.jsonl npm run e2e:walk
//
// VIGIL_PASSWORD: the one-time password that the demo printed
// VIGIL_COMMANDER: the private key whose public half the demo got with --commander
// VIGIL_KEY: the key that the demo printed for mote-1
// VIGIL_EXPORT: the file for the exported history
// VIGIL_SHOTS: a folder for screenshots (default: none are taken)
// Prints how long each step took, then "N passed, N failed"; the exit code is 1 if one failed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { runAll, url } from "./browser.mjs";

const {
  VIGIL_PASSWORD = "",
  VIGIL_COMMANDER = "",
  VIGIL_KEY = "",
  VIGIL_EXPORT = "",
} = process.env;
const SHOTS = process.env["VIGIL_SHOTS"];
const PASSWORD = "several words are fine";
/** A mote wakes every five seconds. */
const WAKE = 60_000;
/** A refused mote asks again after a pause that grows with each refusal. */
const ASKS_AGAIN = 180_000;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {(page: Page) => Promise<unknown>} Step */

/**
 * Links of the pages' contents may have the same words as the navigation.
 *
 * @param {Page} page
 * @param {string} name
 */
const toPage = (page, name) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });

/** @type {[string, Step][]} in the order and with the words of README.md */
const steps = [
  [
    "sign in",
    async (page) => {
      await page.goto(url);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Account").fill("admin");
      await page.getByLabel("Password", { exact: true }).fill(VIGIL_PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("One-time password").fill(VIGIL_PASSWORD);
      await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
      await page.getByLabel("Repeat new password").fill(PASSWORD);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("button", { name: "Account admin" }).waitFor();
    },
  ],
  [
    "approve the key of a mote",
    async (page) => {
      await toPage(page, "Trust").click();
      const waiting = page.locator(`[data-waiting="${VIGIL_KEY}"]`);
      await waiting.getByRole("heading", { name: "mote-1" }).waitFor({ timeout: WAKE });
      await waiting.getByRole("button", { name: "Approve…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("checkbox").check();
      await dialog.getByRole("button", { name: "Approve" }).click();
      await page.getByText("The key of mote-1 is trusted.").waitFor();
    },
  ],
  [
    "find its reading",
    async (page) => {
      await toPage(page, "Endpoints").click();
      await page.getByLabel("Search endpoints").fill("load");
      const value = page.locator('[data-resource$="/load"][data-state="verified"]');
      await value.waitFor({ timeout: ASKS_AGAIN });
      // No click: a value that arrives between press and release moves the link.
      await value.press("Enter");
      await page.getByRole("heading", { level: 1, name: "mote-1" }).waitFor();
      await page.locator('[data-outcome="verified"]').waitFor();
    },
  ],
  [
    "chart it",
    async (page) => {
      await page.waitForFunction(
        () => Number(document.querySelector("[data-points]")?.getAttribute("data-points")) > 1,
        undefined,
        { timeout: WAKE },
      );
      await page.getByText("15 min", { exact: true }).click();
      await page.locator(".history-plot .u-over").hover();
    },
  ],
  [
    "send a command",
    async (page) => {
      await page.getByRole("button", { name: "Add a key…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Private key as JWK").fill(VIGIL_COMMANDER);
      await dialog.getByRole("button", { name: "Add the key" }).click();
      await dialog.waitFor({ state: "detached" });
      const composer = page.locator("[data-composer]");
      await composer.getByLabel("Resource").selectOption("led");
      await composer.getByText("On", { exact: true }).click();
      await composer.getByRole("button", { name: "Sign and send" }).click();
      await page.locator('[data-command-state="confirmed"]').waitFor({ timeout: WAKE });
    },
  ],
  [
    "see the mesh",
    async (page) => {
      await toPage(page, "Network").click();
      await page.locator("[data-node] circle").first().click();
      await page.locator("[data-node-panel]").waitFor();
      await page.keyboard.press("Escape");
    },
  ],
  [
    "set an alarm",
    async (page) => {
      await toPage(page, "Alarms").click();
      await page.getByRole("tab", { name: "Rules" }).click();
      await page.getByRole("button", { name: "Add a rule" }).click();
      const form = page.locator('[data-form="rule"]');
      await form.getByLabel("Name", { exact: true }).fill("Busy");
      await form.getByLabel("Above").fill("0");
      await form.getByLabel("Endpoints").fill("mote-1");
      await form.getByLabel("Resources").fill("load");
      await form.getByRole("button", { name: "Save rule" }).click();
      await page.getByRole("tab", { name: "Alarms" }).click();
      await page.locator('[data-alarm="value"]').waitFor({ timeout: WAKE });
    },
  ],
  [
    "export a history",
    async (page) => {
      await toPage(page, "Endpoints").click();
      // No click, as above.
      await page.getByRole("link", { name: "mote-1", exact: true }).press("Enter");
      // The list that is left has an export of its own.
      await page.getByRole("heading", { name: "mote-1", exact: true, level: 1 }).waitFor();
      await page.getByRole("button", { name: "Export" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "JSON lines" }).click();
      await (await download).saveAs(VIGIL_EXPORT);
    },
  ],
];

await runAll([
  [
    "the five minutes of README.md",
    async (page) => {
      const began = performance.now();
      for (const [at, [name, step]] of steps.entries()) {
        const started = performance.now();
        await step(page);
        console.log(`        ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
        if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `walk-${at + 1}.png`) });
      }
      assert.ok(performance.now() - began < 300_000, "it took more than five minutes");
    },
  ],
]);
