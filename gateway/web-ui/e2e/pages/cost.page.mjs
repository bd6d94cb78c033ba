// The cost model: the form, the cheapest configuration, both plots.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/cost");
  const cheapest = page.locator('[data-choice="cheapest"]');
  await cheapest.filter({ hasText: "AES-CCM-8" }).waitFor();
  assert.equal(await page.locator("[data-plot] canvas").count(), 2);
  await axe();
  await shot("cost");

  await page.getByLabel("authentic to anyone").check();
  await cheapest.filter({ hasText: /Signed update\s*yes/ }).waitFor();
  await page.getByLabel("Hops to the gateway").fill("17");
  await page.getByText("hops must be 1 to 16").waitFor();
}
