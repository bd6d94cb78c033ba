// System: health, version and figures of the gateway.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/system");
  const gateway = page.locator('[data-panel="gateway"]');
  await gateway.locator("[data-health]").first().waitFor();
  const written = gateway.locator('[data-figure="written"]');
  await written.waitFor();
  assert.ok(Number((await written.textContent())?.replace(/\D/g, "")) > 0);
  await gateway.getByText("Version", { exact: true }).waitFor();
  await page.locator('[data-panel="directories"]').getByText("None is configured.").waitFor();
  const chat = page.locator('[data-panel="systems"] [data-row="webhook:chat"]');
  await chat.getByRole("button", { name: "Send a test to webhook:chat" }).click();
  const tested = page.locator('[data-panel="systems"] [data-test="accepted"]');
  await tested.getByText("200 ok").waitFor();
  await page.locator('[data-panel="authority"]').getByText("no authority of its own").waitFor();
  await gateway.locator(".health-parts summary").click();
  await gateway.locator('[data-part="store"] [data-health="UP"]').waitFor();
  // The test's settings file names the policy of each domain.
  const settings = page.locator('[data-panel="settings"]');
  const trust = settings.locator('[data-row="domains.careful.trust"]');
  assert.match((await trust.textContent()) ?? "", /approve.*site\.yaml, line \d/);
  assert.equal(await settings.locator('[data-row="metrics.token"]').count(), 0);
  await settings.getByLabel("Search settings").fill("metrics.token");
  await settings.locator('[data-row="metrics.token"]').getByText("default").waitFor();
  await trust.waitFor({ state: "detached" });
  await settings.getByLabel("Search settings").fill("");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download a report" }).click();
  const report = await download;
  assert.match(report.suggestedFilename(), /^vigil-support-.*Z\.json$/);
  const { answers } = JSON.parse(await readFile(await report.path(), "utf8"));
  assert.ok(answers["api/system"].store.written > 0);
  const { settings: sent } = answers["api/settings"];
  const shown = sent.filter((/** @type {any} */ one) => one.secret && one.value);
  assert.deepEqual(shown, [], "the report has no secrets");
  await axe();
  await shot("system");
  await shownUnits(page, { axe, shot });
  await requestFromReference(page);
  await shot("reference");
}

/**
 * Shows ratios in percent; the signed value stays visible.
 *
 * @param {import("playwright-core").Page} page
 * @param {Pick<import("../pages.e2e.mjs").Tools, "shot" | "axe">} looks
 */
async function shownUnits(page, { axe, shot }) {
  const ratio = page.locator('[data-panel="units"]').getByLabel("Ratio");
  await ratio.selectOption({ label: "%" });
  await page.goto(page.url().replace("#/system", "#/endpoints"));
  const load = page.locator('[data-resource$="/load"]').filter({ hasText: "%" }).first();
  // No click: a value that arrives between press and release moves the link.
  await load.press("Enter");
  await page
    .locator("[data-signed-value]")
    .filter({ hasText: /^Signed as \d/ })
    .waitFor();
  await page.locator(".resource-now .unit").filter({ hasText: "%" }).waitFor();
  await page.locator("[data-points]").waitFor();
  await axe();
  await shot("endpoint-units");
  await page.goto(page.url().replace(/#.*/, "#/system"));
  await ratio.selectOption({ label: "Same as the gateway (as measured)" });
}

/**
 * The reference of the REST API, from which a browser sends requests that read.
 *
 * @param {import("playwright-core").Page} page
 */
async function requestFromReference(page) {
  await page.getByRole("link", { name: "Reference of the REST API" }).click();
  await page.locator("#operations-tag-Gateway").click();
  const reading = page.locator("#operations-Gateway-getSystem");
  await reading.locator(".opblock-summary-control").click();
  await reading.getByRole("button", { name: "Try it out" }).click();
  await reading.getByRole("button", { name: "Execute" }).click();
  const status = reading.locator(".live-responses-table tbody .response-col_status");
  assert.equal((await status.textContent())?.trim(), "200");
  await page.locator("#operations-tag-Alarms").click();
  const changing = page.locator("#operations-Alarms-putAlarmRule");
  await changing.locator(".opblock-summary-control").click();
  await changing.locator(".opblock-body .parameters").first().waitFor();
  assert.equal(await changing.getByRole("button", { name: "Try it out" }).count(), 0);
}
