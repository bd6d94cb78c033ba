// Automations: one that cannot be saved names its fields; a dry run; switching off and removing one.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/automations");
  await page.getByRole("heading", { level: 1, name: "Automations" }).waitFor();
  await page.getByText("There is no automation yet").waitFor();
  await page.getByRole("button", { name: "Add automation" }).click();
  const form = page.locator('[data-form="automation"]');
  await form.getByLabel("Name", { exact: true }).fill("Light on load");
  assert.equal(await form.getByLabel("Id", { exact: true }).inputValue(), "light-on-load");
  await form.getByLabel("Domain").selectOption("lab");

  /** @param {import("playwright-core").Locator} part @param {string} name */
  const choose = async (part, name) => {
    await part.getByRole("combobox", { name: "Endpoint" }).fill(name);
    await part.getByRole("option", { name }).first().click();
  };
  const condition = form.locator('[data-condition="0"]');
  await choose(condition, "boiler");
  await condition.getByLabel("Resource").selectOption("load");
  const action = form.locator('[data-action="0"]');
  await choose(action, "boiler");
  await action.getByLabel("Resource").selectOption("level");
  await action.getByLabel("Value").fill("7");

  // The form finds what is no number, the gateway the rest; each fault is at its field.
  await condition.getByLabel("Above").fill("much");
  await form.getByRole("button", { name: "Save" }).click();
  await condition.getByText("Enter a number").waitFor();
  await condition.getByLabel("Above").fill("");
  await form.getByRole("button", { name: "Save" }).click();
  await condition.getByText("Or below is needed.").waitFor();
  await condition.getByLabel("Above").fill("-1");
  await form.getByRole("button", { name: "Save" }).click();
  await action.getByText("a multiple of 5, not 7").waitFor();
  await axe();
  await shot("automation-faults");

  await action.getByLabel("Value").fill("35");
  await form.getByRole("switch", { name: "Only at certain times" }).press("Space");
  await form.getByRole("button", { name: "Add condition" }).click();
  const second = form.locator('[data-condition="1"]');
  await second.getByLabel("Resource").selectOption("load");
  await second.getByLabel("Kind").selectOption("age");
  await form.getByLabel("It acts when").selectOption("any");
  await axe();
  await shot("automation-form");
  await form.getByRole("button", { name: "Remove condition 2" }).click();
  await form.getByRole("switch", { name: "Only at certain times" }).press("Space");
  await form.getByRole("button", { name: "Dry run" }).click();
  await form.locator("[data-dry-run]").waitFor();
  await axe();
  await shot("automation-dry-run");

  // A limit that no load reaches.
  await condition.getByLabel("Above").fill("1000000");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "detached" });
  const row = page.locator("tr").filter({ has: page.locator('[data-automation="light-on-load"]') });
  await row.locator('[data-state="waiting"]').waitFor();
  await row.getByText("load of boiler is above 1,000,000").waitFor();
  await axe();
  await shot("automations");

  await row.getByRole("button", { name: "Runs: Light on load" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It has not acted yet.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await row.getByRole("switch", { name: "Switch on Light on load" }).press("Space");
  await row.locator('[data-state="off"]').waitFor();
  await row.getByRole("button", { name: "Remove: Light on load" }).click();
  await dialog.getByText("The audit trail stays").waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
}
