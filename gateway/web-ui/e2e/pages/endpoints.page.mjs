// The list of endpoints: search, filters, order, a place and tags for several at a time.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/endpoints");
  await page.locator('[data-resource][data-state="verified"]').first().waitFor();
  const rows = page.locator("[data-endpoint]");
  const names = () => page.locator("[data-name]").allTextContents();
  const all = await rows.count();
  assert.ok(all >= 4, `${all} endpoints`);
  // A mote that registers late adds a row.
  const shown = await names();
  assert.deepEqual(shown, shown.toSorted());

  await page.getByLabel("Search endpoints").fill("boil");
  await page.waitForFunction(() => document.querySelectorAll("[data-endpoint]").length === 1);
  assert.deepEqual(await names(), ["boiler"]);
  // The address contains the search, so it opens the same list elsewhere.
  assert.match(page.url(), /#\/endpoints\?text=boil$/);
  await page.reload();
  await page.locator("[data-name]").filter({ hasText: "boiler" }).waitFor();
  assert.equal(await page.getByLabel("Search endpoints").inputValue(), "boil");
  assert.deepEqual(await names(), ["boiler"]);
  await page.getByLabel("Search endpoints").fill("no such name");
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByLabel("Trust").selectOption("pending");
  await page.locator("[data-name]").filter({ hasText: "boiler" }).waitFor({ state: "detached" });
  assert.ok((await names()).includes("visitor"));
  await page.getByLabel("Trust").selectOption("");
  await page.locator("[data-name]").filter({ hasText: "boiler" }).waitFor();
  const before = await names();
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  assert.deepEqual(await names(), before.toReversed());

  await page.getByLabel("Select mote-1").check();
  await page.getByLabel("Select mote-2").check();
  await page.getByRole("button", { name: "Set place…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Place").fill("Hall 3");
  await axe();
  await shot("endpoints-place");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.body.textContent?.split("Hall 3").length === 3);
  // The screenshots had other widths: wait until the height of each row is known again.
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll(".list-row")].at(-1)?.getBoundingClientRect();
    const body = document.querySelector(".list-body")?.getBoundingClientRect();
    return last !== undefined && body !== undefined && Math.abs(body.bottom - last.bottom) < 3;
  });
  await axe();
  await shot("endpoints");

  // Tags are typed; each leads to the endpoints that have it.
  await page.getByLabel("Select mote-1").check();
  await page.getByLabel("Select mote-2").check();
  await page.getByRole("button", { name: "Tags…" }).click();
  await dialog.getByRole("combobox", { name: "Add" }).waitFor();
  await page.keyboard.type("hall-3,kind:mesh");
  await page.keyboard.press("Enter");
  await axe();
  await shot("endpoints-tagging");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "kind:mesh" }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-endpoint]").length === 2);
  assert.match(page.url(), /#\/endpoints\?tag=kind%3Amesh$/);
  await axe();
  await shot("endpoints-tags");
  await page.getByRole("combobox", { name: "Tags" }).press("Backspace");
  await page.locator("[data-name]").filter({ hasText: "boiler" }).waitFor();

  // An endpoint whose mote is gone is forgotten.
  await page.getByLabel("Select leaver").check();
  await page.getByRole("button", { name: "Forget 1…" }).click();
  await dialog.getByText("are lost permanently").waitFor();
  await dialog.getByRole("button", { name: "Forget permanently" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("[data-name]").filter({ hasText: "leaver" }).waitFor({ state: "detached" });
}
