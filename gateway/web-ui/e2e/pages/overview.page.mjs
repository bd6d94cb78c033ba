// The overview: states, rate, what needs attention, radios.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const attention = page.locator('[data-panel="attention"]');
  await attention.getByText("its key waits for approval").first().waitFor();
  await page.locator('[data-panel="radios"] [data-up="true"]').first().waitFor();
  await page.waitForFunction(() =>
    /^[0-9]/.test(document.querySelector('[data-figure="rate"] .figure-value')?.textContent ?? ""),
  );
  // All are late for a moment if the gateway was.
  const onTime = page.locator('[data-figure="on-time"] .figure-value');
  await onTime.filter({ hasText: /^[1-9]/ }).waitFor();
  // A mote whose key waits is not missing: the gateway refuses its updates.
  const waiting = await page.locator('[data-figure="not-trusted"] .figure-value').textContent();
  assert.ok(Number(waiting) >= 1, `${waiting} endpoints are not trusted`);
  await axe();
  await shot("overview");
  // No clicks: the panels grow while the page loads, and when a mote is late.
  await attention.getByRole("link", { name: "visitor" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "visitor" }).waitFor();
  await page.goBack();
  await page.locator('[data-figure="missing"]').press("Enter");
  await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  assert.equal(await page.getByLabel("State").inputValue(), "missing");
}
