// Associations without keys, their counters, and reloading the file.
import assert from "node:assert/strict";

/** The file of associations that the gateway has. */
const ASSOCIATIONS = process.env["VIGIL_ASSOCIATIONS"] ?? "";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/ipsec");
  const rows = page.locator("[data-row]");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 2);
  const inward = page.locator('[data-row="1"]');
  await inward.filter({ hasText: "fd00::56:4947:494c:1004" }).waitFor();
  assert.match((await inward.textContent()) ?? "", /ESP ccm8.*0x11000001.*ready/);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-row]")].every(
      (row) => Number(row.querySelectorAll("[data-number]")[1]?.textContent) > 0,
    ),
  );
  const keys = ASSOCIATIONS.split("\n").flatMap((line) => line.match(/[0-9a-f]{32,}/g) ?? []);
  assert.equal(keys.length, 2);
  const shown = await page.content();
  for (const key of keys) assert.ok(!shown.includes(key), "keys are never shown");
  await axe();
  await shot("ipsec");

  await page.getByRole("button", { name: "Reload the file…" }).click();
  const dialog = page.locator("[data-dialog]");
  await dialog.filter({ hasText: "continue with their numbers" }).waitFor();
  await axe();
  await shot("ipsec-reload");
  await dialog.getByRole("button", { name: "Load" }).click();
  await page.locator("[data-done]").filter({ hasText: "0 added, 2 kept, 0 removed" }).waitFor();
}
