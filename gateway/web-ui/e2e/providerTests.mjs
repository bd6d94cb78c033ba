// Tests of signing in through a provider (provider.mjs), which accounts.e2e.mjs runs. The provider
// is unreachable at first.
import assert from "node:assert/strict";
import { url } from "./browser.mjs";

const ISSUER = process.env["VIGIL_ISSUER"] ?? "";
const PROVIDER = Number(process.env["VIGIL_PROVIDER"]);
const THROUGH = /Sign in through Plant login/;
const CSRF = { "X-Vigil-CSRF": "1" };

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./browser.mjs").Body} Body */

/** @param {string} path */
const at = (path) => new URL(path, url).href;

/** @param {Page} page @param {RegExp} words */
async function problem(page, words) {
  await page.locator("[data-problem]").filter({ hasText: words }).waitFor();
}

/** Goes from the provider's page back to the gateway. @param {Page} page @param {string} name */
async function logIn(page, name) {
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Go" }).click();
}

/** Begins a sign-in whose address of the provider is changed. @param {Page} page @param {(address: URL) => void} change */
async function beginChanged(page, change) {
  const begun = await page.request.post(at("api/sign-in/provider"), { headers: CSRF });
  const address = new URL((await begun.json()).location);
  change(address);
  await page.goto(address.href);
}

/** @param {Page} page */
async function assertNobody(page) {
  assert.equal((await page.request.get(at("api/session"))).status(), 401);
}

/** @type {(password: string, shots: (page: Page, name: string) => Promise<void>) => [string, Body][]} */
export const providerTests = (password, shots) => [
  [
    "signing in with a password works while the provider is unreachable",
    async (page) => {
      await page.goto(url);
      await page.getByRole("button", { name: THROUGH }).click();
      await problem(page, /Plant login does not answer/);
      await shots(page, "sign-in-provider-away");
      await page.getByLabel("Account").fill("admin");
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      await page.waitForSelector('[data-connection="live"]');
      process.kill(PROVIDER, "SIGUSR2");
    },
  ],
  [
    "a person with a role signs in through the provider, and the audit trail names both",
    async (page) => {
      await page.goto(url);
      const button = page.getByRole("button", { name: THROUGH });
      // The gateway asks an unreachable provider again after a moment.
      for (let asked = 503; asked !== 200;) {
        asked = (await page.request.post(at("api/sign-in/provider"), { headers: CSRF })).status();
      }
      await button.click();
      await logIn(page, "ann");
      await page.waitForSelector('[data-connection="live"]');
      assert.equal(await page.locator("[data-account]").textContent(), "oidc:ann");
      assert.equal(new URL(page.url()).origin, new URL(url).origin);
      const { decisions } = await (await page.request.get(at("api/audit?limit=1000"))).json();
      const entry = decisions.find((/** @type {any} */ one) => one.by === "account:oidc:ann");
      assert.equal(entry.what, `signed in from 127.0.0.1 through ${ISSUER} as subject-of-ann`);
      assert.equal(entry.after.login.subject, "subject-of-ann");
      await page.goto(`${url}#/accounts`);
      await page.getByRole("tab", { name: "API tokens" }).waitFor();
      assert.equal(await page.getByRole("tab", { name: /password/i }).count(), 0);
      const token = await page.request.post(at("api/tokens"), {
        headers: CSRF,
        data: { name: "mine", roles: ["viewer"] },
      });
      assert.equal(token.status(), 403);
      assert.equal((await page.request.delete(at("api/session"), { headers: CSRF })).status(), 204);
    },
  ],
  [
    "the provider's answer must be for a person with a role, and for this sign-in",
    async (page) => {
      const cookies = page.context();
      await page.goto(at("sign-in/callback?state=x&code=y"));
      await page.waitForSelector('[data-view="sign-in"]');
      await problem(page, /started in another browser/);
      assert.equal(new URL(page.url()).search, "");

      await page.getByRole("button", { name: THROUGH }).click();
      await logIn(page, "bob");
      await problem(page, /you have no role here/);
      await shots(page, "sign-in-no-role");
      await cookies.clearCookies();

      await beginChanged(page, (address) => address.searchParams.set("nonce", "of-another"));
      await logIn(page, "ann");
      await problem(page, /does not prove who you are/);

      await beginChanged(page, (address) => address.searchParams.set("client_id", "another"));
      await logIn(page, "ann");
      await problem(page, /does not prove who you are/);

      await beginChanged(page, (address) => address.searchParams.set("state", "of-another"));
      await logIn(page, "ann");
      await problem(page, /started in another browser/);
      await cookies.clearCookies();

      await beginChanged(page, () => undefined);
      await logIn(page, "nobody");
      await problem(page, /Plant login did not sign you in/);
      await assertNobody(page);
    },
  ],
];
