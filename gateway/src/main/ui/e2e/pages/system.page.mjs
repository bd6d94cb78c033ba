// System: health, version and figures of the gateway.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/system");
  const gateway = page.locator('[data-panel="gateway"]');
  await gateway.locator("[data-health]").waitFor();
  const written = gateway.locator('[data-figure="vigil_store_landed_total"]');
  await written.waitFor();
  assert.ok(Number((await written.textContent())?.replace(/\D/g, "")) > 0);
  await gateway.getByText("Version", { exact: true }).waitFor();
  await page.locator('[data-panel="directories"]').getByText("None are set.").waitFor();
  await page.locator('[data-panel="systems"]').getByText("None are set.").waitFor();
  await page.locator('[data-panel="authority"]').getByText("no authority of its own").waitFor();
  await axe();
  await shot("system");
}
