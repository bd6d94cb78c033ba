// One endpoint: chart, history, and a command that this browser signs and the mote confirms.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/endpoints");
  await page.getByRole("link", { name: "boiler", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "boiler" }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Resources" });
  await navigation.getByRole("link", { name: "load" }).click();
  await page.locator('[data-outcome="verified"]').waitFor();
  await page.waitForFunction(
    () => Number(document.querySelector("[data-points]")?.getAttribute("data-points")) > 1,
  );
  const chart = page.locator(".history-plot .u-over");
  await chart.hover();
  await page.locator("[data-values] summary").click();
  const first = page.locator("[data-values] tbody tr").first();
  assert.match((await first.textContent()) ?? "", /\d/);
  // Another resource is drawn into the chart, on an axis of its own.
  await page.getByLabel("Compare with").selectOption("led");
  await page.locator("[data-other-points]").waitFor();
  await page.getByLabel("Compare with").selectOption({ label: "pump: load" });
  await page.locator("figcaption").filter({ hasText: "pump: load" }).waitFor();
  await page.locator("[data-wakes]").waitFor();
  await axe();
  await shot("endpoint");

  await page.getByRole("button", { name: "Add a key…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Private key as JWK").fill('{"kty":"EC"}');
  await dialog.getByRole("button", { name: "Add the key" }).click();
  await dialog.getByText("unsupported").waitFor();
  await dialog.getByLabel("Private key as JWK").fill(process.env["VIGIL_COMMANDER"] ?? "");
  await axe();
  await dialog.getByRole("button", { name: "Add the key" }).click();
  await dialog.waitFor({ state: "detached" });

  const composer = page.locator("[data-composer]");
  await composer.getByRole("button", { name: "Sign and send" }).click();
  await composer.getByText("Say which value").waitFor();
  await composer.getByLabel("Resource").selectOption("led");
  await composer.getByRole("textbox", { name: "Value" }).fill("1");
  await composer.getByRole("button", { name: "Sign and send" }).click();
  const seq = await composer.locator("[data-sent]").getAttribute("data-sent");
  await page
    .locator(`[data-row="${seq}"] [data-command-state="confirmed"]`)
    .waitFor({ timeout: 20_000 });
  await navigation.getByRole("link", { name: "led" }).filter({ hasText: "1" }).waitFor();
  await axe();
  await shot("endpoint-command");

  // An administrator enrols a key that is made here.
  await page.getByRole("button", { name: "Add a key…" }).click();
  await dialog.getByRole("button", { name: "Make a new key in this browser" }).click();
  await dialog.getByRole("button", { name: "Enrol the key" }).click();
  await dialog.waitFor({ state: "detached" });
  const enrolled = await page.request.get(new URL("api/domains/lab/commanders", url).href);
  assert.deepEqual(
    (await enrolled.json()).commanders.map((/** @type {any} */ one) => [one.source, one.name]),
    [
      ["file", undefined],
      ["store", "browser of admin"],
    ],
  );
  // The key stays, but nothing can read its secret.
  await page.reload();
  await composer.getByRole("button", { name: "Sign and send" }).waitFor();
}
