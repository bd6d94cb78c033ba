// Domains: policies and limits of each, and how much is used.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/domains");
  const careful = page.locator('[data-domain="careful"]');
  await careful.getByText("Trust: approve").waitFor();
  await careful.getByRole("heading", { name: "careful" }).click();
  await careful.getByText("An operator approves each key").waitFor();
  await careful
    .locator('[data-use="endpoints"]')
    .filter({ hasText: /^\d+ of 1,000,000/ })
    .waitFor();
  const lab = page.locator('[data-domain="lab"]');
  await lab.getByRole("heading", { name: "lab" }).click();
  await lab.getByRole("button", { name: "Copy thumbprint" }).waitFor();
  assert.equal(await careful.getByText("none: no command is accepted").count(), 1);
  await axe();
  await shot("domains");
}
