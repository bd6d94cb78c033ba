// Passkeys, kept by a virtual authenticator: added, used alone and in addition to the password, removed by
// their user and by an administrator. The page is opened by its name: addresses have no passkeys.
import assert from "node:assert/strict";

const PASSWORD = "quite another password";

/** @typedef {import("playwright-core").Page} Page */

/** An authenticator in this machine that checks its user. @param {import("playwright-core").BrowserContext} context @param {Page} page */
async function authenticator(context, page) {
  const browser = await context.newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const { authenticatorId } = await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** @param {boolean} isUserVerified */
    knowsItsUser: (isUserVerified) =>
      browser.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

/** @param {Page} page @param {string} password */
async function signIn(page, password) {
  await page.getByLabel("Account").fill("pat");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** @param {Page} page */
async function signOut(page) {
  await page.getByRole("button", { name: "Account pat" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForSelector('[data-view="sign-in"]');
}

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, context, url, named, signIn: asAdministrator, shot, axe }) {
  await asAdministrator("/accounts");
  const headers = { "X-Vigil-CSRF": "1" };
  const made = await page.request.post(new URL("api/accounts", url).href, {
    headers,
    data: { name: "pat", roles: ["viewer"] },
  });
  const { oneTimePassword } = await made.json();
  // With an address, the page explains why there are no passkeys.
  await page.getByRole("tab", { name: "My passkeys" }).click();
  await page.locator("[data-passkeys-not-here]").filter({ hasText: "127.0.0.1" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);

  const own = await context.newPage();
  await own.bringToFront();
  const device = await authenticator(context, own);
  await own.goto(`${named}#/accounts`);
  await signIn(own, oneTimePassword);
  await own.waitForSelector('[data-view="change-password"]');
  await own.getByLabel("One-time password").fill(oneTimePassword);
  await own.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await own.getByLabel("Repeat new password").fill(PASSWORD);
  await own.getByRole("button", { name: "Change password" }).click();

  await add(own, { shot, axe });
  const row = own.locator("tr").filter({ has: own.locator('[data-passkey-row="Work laptop"]') });
  await row.getByText("never", { exact: true }).waitFor();
  await own.getByRole("button", { name: "Rename: Work laptop" }).click();
  await own.getByRole("dialog").getByLabel("Name").fill("Laptop (work)");
  await own.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await own.locator('[data-passkey-row="Laptop (work)"]').waitFor();
  await axe(own);
  await shot("passkeys", own);

  await signOut(own);
  await own.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
  await device.knowsItsUser(false);
  await own.getByRole("button", { name: "Sign in with a passkey" }).click();
  await own.locator("[data-problem]").filter({ hasText: "No passkey was used" }).waitFor();
  await axe(own);
  await shot("sign-in-passkey", own);
  await device.knowsItsUser(true);
  await own.getByRole("button", { name: "Sign in with a passkey" }).click();
  await own.waitForSelector('[data-connection="live"]');
  assert.equal(await own.locator("[data-account]").textContent(), "pat");

  await demandBoth(own);
  await signOut(own);
  await signIn(own, "not the password");
  await own.locator("[data-problem]").filter({ hasText: "password is wrong" }).waitFor();
  await signIn(own, PASSWORD);
  await own.waitForSelector('[data-view="second-factor"]');
  await axe(own);
  await shot("sign-in-second", own);
  assert.equal((await own.request.get(new URL("api/session", named).href)).status(), 401);
  await own.getByRole("button", { name: "Use the passkey" }).click();
  await own.waitForSelector('[data-connection="live"]');

  await administer(page, { shot, axe });
  await own.close();
  await page.request.delete(new URL("api/accounts/pat", url).href, { headers });
}

/** @typedef {Pick<import("../pages.e2e.mjs").Tools, "shot" | "axe">} Looks */

/** Adds a passkey as its user. @param {Page} own @param {Looks} looks */
async function add(own, { shot, axe }) {
  await own.getByRole("tab", { name: "My passkeys" }).click();
  await own.getByText("You have no passkey yet.").waitFor();
  assert.ok(await own.getByRole("button", { name: "Require both" }).isDisabled());
  await own.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = own.getByRole("dialog");
  assert.match(await dialog.getByLabel("Name").inputValue(), /^Chrome \(/);
  await dialog.getByLabel("Name").fill("!");
  await dialog.getByLabel("Current password").fill("not the password");
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByText("Start with a letter or digit").waitFor();
  await dialog.getByLabel("Name").fill("Work laptop");
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByText("The current password is wrong.").waitFor();
  await axe(own);
  await shot("passkey-add", own);
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await own.locator("[data-done]").filter({ hasText: "“Work laptop” is added" }).waitFor();
  // The authenticator already has a passkey for this account.
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await dialog
    .locator("[data-problem]")
    .filter({ hasText: "already has a passkey for the account" })
    .waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
}

/** Requires a passkey in addition to the password as its user. @param {Page} own */
async function demandBoth(own) {
  await own.goto(new URL("#/accounts", own.url()).href);
  await own.getByRole("tab", { name: "My passkeys" }).click();
  await own.getByRole("button", { name: "Require both" }).click();
  const dialog = own.getByRole("dialog");
  await dialog.getByText("your password alone is refused").waitFor();
  await dialog.getByRole("button", { name: "Require both" }).click();
  await own.locator('[data-demanded="owner"]').waitFor();
  await own.getByRole("button", { name: "Remove: Laptop (work)" }).click();
  await dialog.getByText("this is its last one").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Remove" }).isDisabled());
  await dialog.getByRole("button", { name: "Cancel" }).click();
}

/** Removes the passkey of an account as its administrator. @param {Page} page @param {Looks} looks */
async function administer(page, { shot, axe }) {
  // A page in the background gets no animation frames, and a click waits for two.
  await page.bringToFront();
  await page.reload();
  const pat = page.locator("tr").filter({ has: page.locator('[data-account-row="pat"]') });
  await pat.getByText("needs a passkey").waitFor();
  await shot("accounts-with-passkeys");
  await pat.getByRole("button", { name: "Passkeys: pat" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("the password alone is refused").waitFor();
  await axe();
  await shot("account-passkeys");
  await dialog.getByRole("button", { name: "Remove: Laptop (work)" }).click();
  await dialog.getByText("Remove the requirement first").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Remove the requirement" }).click();
  await dialog.getByRole("button", { name: "Require a passkey" }).waitFor();
  await dialog.getByRole("button", { name: "Remove: Laptop (work)" }).click();
  await dialog.getByText("It is the last one").waitFor();
  await axe();
  await shot("account-passkey-remove");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText("pat has no passkey.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await pat.getByText("needs a passkey").waitFor({ state: "detached" });
}
