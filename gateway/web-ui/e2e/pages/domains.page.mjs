// Domains: policies, limits and use; creating, editing and removing a domain; commanders' keys.
import assert from "node:assert/strict";

/** A public key of RFC 7515, appendix A.3, and its thumbprint. */
const JWK = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

const OWNER = "the night shift of building 3, second floor";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/domains");
  const dialog = page.getByRole("dialog");
  const careful = page.locator('[data-domain="careful"]');
  await careful.getByText("Trust: approve").waitFor();
  await careful.getByRole("heading", { name: "careful" }).click();
  await careful.getByText("An operator approves each key").waitFor();
  await careful
    .locator('[data-use="endpoints"]')
    .filter({ hasText: /^\d+ of 1,000,000/ })
    .waitFor();
  await careful.getByText("none: no command is accepted").waitFor();
  const lab = page.locator('[data-domain="lab"]');
  await lab.getByRole("heading", { name: "lab" }).click();
  await lab.getByText("from the settings file").waitFor();
  await axe();
  await shot("domains");

  // Members in the settings file cannot be edited; changes of other members apply at once.
  await careful.getByRole("button", { name: "Edit settings" }).click();
  assert.equal(await dialog.getByLabel("Trust").isDisabled(), true);
  await dialog.getByText("The settings file says: approve").waitFor();
  await dialog.getByLabel("Octets per update").fill("many");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a whole number.").waitFor();
  await dialog.getByLabel("Octets per update").fill("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Must be 128 to").waitFor();
  await dialog.getByLabel("Octets per update").fill("4000");
  await dialog.getByLabel("History: age").fill("30");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a time with its unit").waitFor();
  await dialog.getByLabel("History: age").fill("30 d");
  await axe();
  await shot("domain-form");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await careful.getByText("4 kB").waitFor();
  await careful.getByText("30 d").waitFor();

  await careful.getByRole("button", { name: "Add a key" }).click();
  await dialog.getByLabel("Public key as JWK").fill(JSON.stringify({ ...JWK, d: "secret" }));
  await dialog.getByRole("button", { name: "Add a key" }).click();
  await dialog.getByText("This is a private key").waitFor();
  await dialog.getByLabel("Public key as JWK").fill(JSON.stringify(JWK));
  await dialog.getByLabel("Owner of the key").fill(OWNER);
  await dialog.getByRole("button", { name: "Add a key" }).click();
  await dialog.waitFor({ state: "detached" });
  await careful.getByText("enrolled by account:admin").waitFor();
  await shot("domain-commander");
  await careful.getByRole("button", { name: `Remove: ${OWNER}` }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await careful.getByText("none: no command is accepted").waitFor();

  await page.getByRole("button", { name: "Add a domain" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("a b/c");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("A name must not contain / or \\.").waitFor();
  // A name that looks like an escape is an ordinary name.
  await dialog.getByLabel("Name", { exact: true }).fill("50% %2F");
  await dialog.getByRole("button", { name: "Save" }).click();
  const odd = page.locator('[data-domain="50% %2F"]');
  await odd.getByRole("heading", { name: "50% %2F" }).click();
  await odd.locator('[data-use="endpoints"]').filter({ hasText: /^0 of/ }).waitFor();
  await odd.getByRole("button", { name: "Remove the domain" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await odd.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add a domain" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("annex");
  await dialog.getByRole("button", { name: "Save" }).click();
  const annex = page.locator('[data-domain="annex"]');
  await annex.getByRole("heading", { name: "annex" }).click();
  await annex.getByRole("button", { name: "Remove the domain" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await annex.waitFor({ state: "detached" });
}
