// Tests signing in with Chromium, against a running gateway that shows readings only to accounts.
//
//   VIGIL_URL=http://127.0.0.1:8080 VIGIL_PASSWORD=ONE-TIME npm run e2e:accounts
//
// VIGIL_PASSWORD: the one-time password of the account admin, which the test replaces
// VIGIL_ISSUER, VIGIL_PROVIDER: address and process of the provider (provider.mjs) that the gateway's
//   settings name (default: none)
// VIGIL_SHOTS: a folder for screenshots (default: none are taken)
// Prints one line for each test, then "N passed, N failed"; the exit code is 1 if one failed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { runAll, url } from "./browser.mjs";
import { providerTests } from "./providerTests.mjs";

const ONE_TIME = process.env["VIGIL_PASSWORD"] ?? "";
const PASSWORD = "several words are fine";
const SHOTS = process.env["VIGIL_SHOTS"];
const TIMEOUT = 60_000;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./browser.mjs").Body} Body */

/** @type {[string, Body][]} */
const tests = [];
/** @param {string} name @param {Body} body */
const test = (name, body) => tests.push([name, body]);

/** @param {Page} page @param {string} name */
async function shots(page, name) {
  if (SHOTS === undefined) return;
  for (const scheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(SHOTS, `${name}-${scheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: join(SHOTS, `${name}-phone.png`) });
  if (size !== null) await page.setViewportSize(size);
}

/** @param {Page} page */
async function assertNothingCutOffOnAPhone(page) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(wider, 0);
  if (size !== null) await page.setViewportSize(size);
}

/** @param {Page} page @param {string} account @param {string} password */
async function signIn(page, account, password) {
  await page.waitForSelector('[data-view="sign-in"]');
  await page.getByLabel("Account").fill(account);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** @param {Page} page @param {RegExp} words */
async function problem(page, words) {
  await page.locator("[data-problem]").filter({ hasText: words }).waitFor();
}

/** @param {Page} page @param {string} present @param {string} wanted @param {string} again */
async function change(page, present, wanted, again) {
  await page.getByLabel("One-time password").fill(present);
  await page.getByLabel("New password", { exact: true }).fill(wanted);
  await page.getByLabel("Repeat new password").fill(again);
  await page.getByRole("button", { name: "Change password" }).click();
}

test("the one-time password opens the page once it is replaced", async (page) => {
  await page.goto(`${url}#/endpoints`);
  await page.waitForSelector('[data-view="sign-in"]');
  assert.equal(await page.locator("[data-endpoint]").count(), 0);
  await shots(page, "sign-in");
  await assertNothingCutOffOnAPhone(page);
  await signIn(page, "admin", "not the password");
  await problem(page, /name or the password is wrong/);
  await shots(page, "sign-in-wrong");
  await signIn(page, "Admin", ONE_TIME);
  await page.waitForSelector('[data-view="change-password"]');
  await shots(page, "change-password");
  await assertNothingCutOffOnAPhone(page);
  await page.reload();
  await page.waitForSelector('[data-view="change-password"]');
  await change(page, ONE_TIME, "too short", "too short");
  await problem(page, /at least 12 characters/);
  await change(page, ONE_TIME, PASSWORD, `${PASSWORD}!`);
  await problem(page, /passwords differ/);
  await change(page, "not the one-time password", PASSWORD, PASSWORD);
  await problem(page, /password is wrong/);
  await change(page, ONE_TIME, PASSWORD, PASSWORD);
  await page.waitForSelector("[data-endpoint]", { timeout: TIMEOUT });
  await page.waitForSelector('[data-connection="live"]');
  assert.equal(await page.locator("[data-account]").textContent(), "admin");
  assert.equal(await page.evaluate(() => document.cookie), "", "no script can read the session");
  await page.reload();
  await page.waitForSelector("[data-endpoint]");
  await shots(page, "signed-in");
  await assertNothingCutOffOnAPhone(page);
});

test("signing out forgets displayed data, and an ended session is reported", async (page) => {
  await page.goto(`${url}#/endpoints`);
  await signIn(page, "admin", PASSWORD);
  await page.waitForSelector("[data-endpoint]", { timeout: TIMEOUT });
  await page.getByRole("button", { name: "Account admin" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForSelector('[data-view="sign-in"]');
  assert.equal(await page.getByText("Your session has ended").count(), 0);
  await page.goto(`${url}#/endpoints`);
  assert.equal((await page.request.get(new URL("api/endpoints", url).href)).status(), 401);
  await signIn(page, "admin", PASSWORD);
  await page.waitForSelector('[data-connection="live"]', { timeout: TIMEOUT });
  const ended = await page.request.delete(new URL("api/session", url).href, {
    headers: { "X-Vigil-CSRF": "1" },
  });
  assert.equal(ended.status(), 204);
  await page.getByText("Your session has ended").waitFor({ timeout: TIMEOUT });
  assert.equal(await page.locator("[data-endpoint]").count(), 0);
  await shots(page, "session-ended");
});

if (process.env["VIGIL_ISSUER"] !== undefined) tests.push(...providerTests(PASSWORD, shots));

await runAll(tests);
