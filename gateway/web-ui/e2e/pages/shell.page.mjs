// The frame of the application: navigation, languages, colours, account, an unreachable gateway.
import assert from "node:assert/strict";

/**
 * Opens the address of the sign-in page without being signed in. @param
 * {import("playwright-core").BrowserContext} context @param {string} url
 */
async function typedSignIn(context, url) {
  const stranger = await context.browser()?.newContext();
  const page = await stranger?.newPage();
  await page?.goto(`${url}#/sign-in`);
  await page?.getByLabel("Password", { exact: true }).waitFor();
  assert.match(page?.url() ?? "", /#\/sign-in$/);
  await stranger?.close();
}

/**
 * A gateway without contact with its cluster says so in each answer. @param
 * {import("../pages.e2e.mjs").Tools} tools
 */
async function staleValues({ page, shot, axe }) {
  const answers = /\/(api\/(?!events)|actuator\/|ms\/|keys\/)/;
  await page.route(answers, async (route) => {
    try {
      const response = await route.fetch();
      const headers = { ...response.headers(), "vigil-stale": "75" };
      await route.fulfill({ response, headers });
    } catch {
      return; // The page that asked was left.
    }
  });
  await page.reload();
  await page.getByText("The values may be old").waitFor();
  await page.getByRole("link", { name: "Network" }).click();
  const banner = page.locator("[data-stale]");
  assert.match(await banner.innerText(), /no contact with its cluster since .* \(.*ago\)/);
  await axe();
  await shot("stale");
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByText("Die Werte sind vielleicht veraltet").waitFor();
  await shot("stale-german");
  await page.getByRole("button", { name: "English" }).click();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.waitForSelector("[data-endpoint]");
  assert.equal(await banner.count(), 0);
}

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run(tools) {
  const { page, context, url, signIn, shot, axe } = tools;
  await typedSignIn(context, url);
  await signIn("/endpoints");
  // Only pages after the first one take the focus.
  await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  const navigation = page.getByRole("navigation");
  await navigation.getByRole("link", { name: "Network" }).click();
  await page.getByRole("heading", { level: 1, name: "Network" }).waitFor();
  assert.equal(await page.title(), "Network · Vigil");
  // The new page gets the focus, in an effect after it was drawn.
  await page.locator(".content:focus").waitFor();
  await axe();

  await page.getByRole("button", { name: "Deutsch" }).click();
  await navigation.getByRole("link", { name: "Netz" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.reload();
  await page.getByRole("link", { name: "Endpunkte" }).click();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("link", { name: "Endpoints" }).waitFor();

  await page.getByRole("button", { name: "Account admin" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(page.url().replace(/#.*/, "#/no-such-page"));
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();

  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await navigation.isVisible(), false);
  await page.getByRole("button", { name: "Show the list of pages" }).click();
  await navigation.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  assert.equal(await navigation.isVisible(), false, "the list closes behind the choice");
  if (size !== null) await page.setViewportSize(size);
  await page.waitForSelector("[data-endpoint]");
  await staleValues(tools);

  // Chromium finds no obstacle to installing the page except the test's private window.
  const browser = await context.newCDPSession(page);
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  const obstacles = installabilityErrors.map(({ errorId }) => errorId);
  assert.deepEqual(
    obstacles.filter((id) => id !== "in-incognito"),
    [],
    "the page can be installed",
  );

  // A stream that is just being opened may outlive the change.
  await page.waitForSelector('[data-connection="live"]');
  await context.setOffline(true);
  await page.locator("[data-lost]").filter({ hasText: "has been unreachable since" }).waitFor();
  assert.ok((await page.locator("[data-endpoint]").count()) > 0, "what is known stays");
  await axe();
  await shot("lost");
  await context.setOffline(false);
  await page.waitForSelector('[data-connection="live"]');
  await page.waitForSelector("[data-lost]", { state: "detached" });
}
