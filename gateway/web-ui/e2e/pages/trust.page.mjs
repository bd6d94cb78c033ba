// Waiting keys: comparing, approving, refusing, revoking and importing them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

/** The thumbprints that the motes newcomer and the second pump printed. */
const NEWCOMER = process.env["VIGIL_NEWCOMER"] ?? "";
const IMPOSTOR = process.env["VIGIL_IMPOSTOR"] ?? "";
const LISTED = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/trust");
  const status = page.locator("[data-done]");
  const dialog = page.locator("[data-dialog]");
  await page.locator("[data-first-use]").filter({ hasText: "domain lab" }).waitFor();

  const newcomer = page.locator(`[data-waiting="${NEWCOMER}"]`);
  await newcomer.getByRole("heading", { name: "newcomer" }).waitFor();
  const groups = await newcomer.locator(".fingerprint-groups").textContent();
  assert.equal(groups, (NEWCOMER.match(/.{1,4}/g) ?? []).join(" "));
  await newcomer.getByRole("button", { name: "QR code" }).click();
  await newcomer.getByRole("img", { name: "QR code of the fingerprint" }).waitFor();

  const held = page.locator(`[data-waiting="${IMPOSTOR}"]`);
  const comparison = held.locator("[data-comparison]");
  await comparison.filter({ hasText: "trusted on first use" }).waitFor();
  assert.equal(await comparison.locator("[data-fingerprint]").count(), 2);
  assert.match((await held.textContent()) ?? "", /someone may be impersonating it/);
  await axe();
  await shot("trust-waiting");

  await newcomer.getByRole("button", { name: "Approve…" }).click();
  const approve = dialog.getByRole("button", { name: "Approve" });
  assert.equal(await approve.isDisabled(), true, "the fingerprint is compared first");
  await dialog.getByRole("checkbox").check();
  await axe();
  await shot("trust-approve");
  await approve.click();
  await status.filter({ hasText: "The key of newcomer is trusted." }).waitFor();
  await newcomer.waitFor({ state: "detached" });
  const answer = await page.request.get(new URL(`api/keys/${NEWCOMER}`, url).href);
  assert.equal((await answer.json()).keys[0].state, "trusted");

  // The other keys are approved together, after each was compared.
  const many = page.locator("[data-many]");
  await many.getByLabel("Select all 2 new keys").check();
  await page.getByLabel("Select the key of guest").uncheck();
  await many.getByRole("button", { name: "Approve 1 key…" }).waitFor();
  await many.getByLabel("Select all 2 new keys").check();
  await many.getByRole("button", { name: "Approve 2 keys…" }).click();
  const together = dialog.getByRole("button", { name: "Approve" });
  await together.waitFor();
  assert.equal(await dialog.locator("[data-thumbprint]").count(), 2);
  assert.equal(await together.isDisabled(), true, "the fingerprints are compared first");
  await dialog.getByRole("checkbox").check();
  await axe();
  await shot("trust-approve-many");
  await together.click();
  await status.filter({ hasText: "2 keys are trusted." }).waitFor();
  await many.waitFor({ state: "detached" });
  const [program = "", ...words] = JSON.parse(process.env["VIGIL_GUEST_MOTE"] ?? "[]");
  const guest = spawn(program, words, { stdio: "ignore" });
  try {
    await signIn("/endpoints");
    // No click: a row whose values arrive between press and release moves the link.
    await page.getByRole("link", { name: "guest", exact: true }).press("Enter");
    const gained = page.locator('[data-gained="approved"]');
    await gained.filter({ hasText: "approved by admin" }).waitFor();
    await shot("endpoint-approved");
  } finally {
    guest.kill();
  }
  await signIn("/trust");

  await page.getByRole("tab", { name: "Approve ahead" }).click();
  const typed = page.getByLabel("Fingerprint", { exact: true });
  await typed.fill(IMPOSTOR.slice(1));
  await page.getByText("A fingerprint has 43 characters; this has 42.").waitFor();
  await typed.fill((IMPOSTOR.match(/.{1,4}/g) ?? []).join(" "));
  await page.keyboard.press("Enter");
  await page.locator('[data-found="waiting"]').filter({ hasText: "waits for pump" }).waitFor();

  await page.getByRole("tab", { name: "Import" }).click();
  const table = page.getByLabel("Keys (JWK set or CSV)");
  await table.fill(`jkt,ep\n${LISTED},meter\nno thumbprint,meter-2\n`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page
    .locator('[data-wrong-line="3"]')
    .filter({ hasText: "no thumbprint,meter-2" })
    .waitFor();
  await shot("trust-import");
  await table.fill(`jkt,ep\n${LISTED},meter\n`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await status.filter({ hasText: "One key is on the list of stock." }).waitFor();

  await page.getByRole("tab", { name: "All keys" }).click();
  const listed = page.locator(`[data-row^="${LISTED}"]`);
  await listed.waitFor();
  await axe();
  await shot("trust-keys");
  await listed.getByRole("button", { name: "Remove from the list…" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await status.filter({ hasText: "The key is off the list." }).waitFor();
  await listed.waitFor({ state: "detached" });

  await page.getByLabel("State").selectOption("held");
  const impostor = page.locator(`[data-row^="${IMPOSTOR}"]`);
  await impostor.getByRole("button", { name: "Revoke…" }).click();
  await dialog.filter({ hasText: "no longer served" }).waitFor();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Revoke permanently" }).click();
  await status.filter({ hasText: "The key is revoked." }).waitFor();
  const revoked = await page.request.get(new URL(`api/keys/${IMPOSTOR}`, url).href);
  assert.equal((await revoked.json()).keys[0].state, "revoked");
}
