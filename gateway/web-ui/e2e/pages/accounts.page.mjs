// Accounts: creating, changing, locking and deleting; tokens and sessions; secrets are shown once.
import assert from "node:assert/strict";
import { request } from "playwright-core";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/accounts");
  const dialog = page.getByRole("dialog");
  const ann = page.locator("tr").filter({ has: page.locator('[data-account-row="ann"]') });

  await page.getByRole("button", { name: "Add an account" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Ann");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await dialog.getByText("Use 1 to 63 lower-case letters").waitFor();
  await dialog.getByLabel("Name", { exact: true }).fill("ann");
  await dialog.getByLabel("Role 1").first().selectOption("operator");
  await dialog.getByLabel("Domain of role 1").selectOption("lab");
  await axe();
  await shot("account-form");
  await dialog.getByRole("button", { name: "Create account" }).click();
  const password = (await page.locator("[data-secret]").textContent()) ?? "";
  assert.ok(password.length >= 12);
  await shot("account-one-time-password");
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await ann.getByText("operator in lab").waitFor();
  await ann.getByText("one-time password not yet changed").waitFor();
  assert.ok(!(await page.content()).includes(password), "the password is shown once");

  // Signed in elsewhere, the account has a session.
  const elsewhere = await request.newContext({ extraHTTPHeaders: { "X-Vigil-CSRF": "1" } });
  const api = (/** @type {string} */ path) => new URL(path, url).href;
  const begun = await elsewhere.post(api("api/session"), { data: { account: "ann", password } });
  assert.equal(begun.status(), 200);
  await page.reload();
  await page.getByRole("tab", { name: "Sessions" }).click();
  await page.locator('[data-session="ann"]').waitFor();
  await page.getByRole("button", { name: /^End: ann/ }).click();
  await dialog.getByRole("button", { name: "End" }).click();
  await page.locator('[data-session="ann"]').waitFor({ state: "detached" });
  assert.equal((await elsewhere.get(api("api/session"))).status(), 401);
  await elsewhere.dispose();

  await page.getByRole("tab", { name: "Accounts" }).click();
  await shot("accounts");
  await axe();
  await ann.getByRole("button", { name: "Lock: ann" }).click();
  await dialog.getByText("No session is open").waitFor();
  await dialog.getByRole("button", { name: "Lock" }).click();
  await ann.locator('[data-enabled="false"]').waitFor();
  await ann.getByRole("button", { name: "Unlock: ann" }).click();
  await ann.locator('[data-enabled="true"]').waitFor();
  await ann.getByRole("button", { name: "Edit: ann" }).click();
  await dialog.getByRole("button", { name: "Add a role" }).click();
  await dialog.getByRole("button", { name: "Save account" }).click();
  await ann.getByText("viewer in all domains").waitFor();
  await ann.getByRole("button", { name: "Delete: ann" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await ann.waitFor({ state: "detached" });
  // The gateway refuses to delete its last administrator, and the dialog gives the reason.
  await page.getByRole("button", { name: "Delete: admin" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("last administrator of all domains").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("tab", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "Create a token" }).click();
  await dialog.getByLabel("Valid for (days)").fill("400");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("whole number from 1 to 366").waitFor();
  await dialog.getByLabel("What it is for").fill("reports");
  await dialog.getByLabel("Valid for (days)").fill("7");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await page.locator("[data-secret]").textContent()) ?? "";
  const headers = { Authorization: `Bearer ${token}` };
  const program = await request.newContext({ extraHTTPHeaders: headers });
  assert.equal((await program.get(api("api/endpoints"))).status(), 200);
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await shot("tokens");
  await page.getByRole("button", { name: "Revoke: reports" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.locator('[data-token="reports"]').waitFor({ state: "detached" });
  assert.equal((await program.get(api("api/endpoints"))).status(), 401);
  await program.dispose();

  await page.getByRole("tab", { name: "My password" }).click();
  await page.getByLabel("Current password").fill("not the present one");
  await page.getByLabel("New password", { exact: true }).fill("quite another password");
  await page.getByLabel("Repeat new password").fill("quite another password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The current password is wrong.").waitFor();
  await axe();
}
