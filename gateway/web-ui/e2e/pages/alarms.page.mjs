// Alarms: acknowledging, silencing and undoing a silence; a rule that raises an alarm; faults by
// field.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/alarms");
  await page.getByRole("heading", { level: 1, name: "Alarms" }).waitFor();

  // A new rule: the form names the fields that are wrong, then the alarm arrives as an event.
  await page.getByRole("tab", { name: "Rules" }).click();
  await page.locator('[data-rule="missing"]').waitFor();
  await page.getByRole("button", { name: "Add a rule" }).click();
  const form = page.locator('[data-form="rule"]');
  await form.getByLabel("Name", { exact: true }).fill("Any load");
  assert.equal(await form.getByLabel("Id", { exact: true }).inputValue(), "any-load");
  await form.getByLabel("Hysteresis").fill("much");
  await form.getByRole("button", { name: "Save rule" }).click();
  await form.getByText("Enter “above”, “below” or both.").waitFor();
  await form.getByText("Enter a number").waitFor();
  await axe();
  await shot("alarm-rule-form");
  await form.getByLabel("Hysteresis").fill("");
  await form.getByLabel("Above").fill("-100");
  await form.getByLabel("Endpoints").fill("boiler");
  await form.getByLabel("Resources").fill("load");
  await form.getByLabel("Severity").selectOption("critical");
  await form.getByRole("button", { name: "Save rule" }).click();
  await form.waitFor({ state: "detached" });
  await page.locator('[data-rule="any-load"]').waitFor();
  await shot("alarm-rules");

  await page.getByRole("tab", { name: "Alarms" }).click();
  const row = page.locator("tr").filter({ has: page.locator('[data-alarm="value"]') });
  await row.waitFor();
  await axe();
  await shot("alarms");

  await row.getByRole("button", { name: /^Acknowledge/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note for others").fill("being looked at");
  await dialog.getByRole("button", { name: "Acknowledge" }).click();
  await row.locator('[data-state="acknowledged"]').waitFor();
  await row.getByText("by admin: being looked at").waitFor();

  await row.getByRole("button", { name: /^Silence/ }).click();
  await dialog.getByLabel("Scope").selectOption("rule");
  await dialog.getByRole("button", { name: "Silence" }).click();
  await row.getByText("silenced").waitFor();
  await page.getByRole("tab", { name: "Silences (1)" }).click();
  await page.getByText("alarms of rule any-load").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Nothing is silenced.").waitFor();

  // Switching the rule off clears its alarm, which is also an event.
  await page.getByRole("tab", { name: "Rules" }).click();
  await page.getByRole("switch", { name: "Switch rule Any load on or off" }).press("Space");
  await page.locator('.stale[data-rule="any-load"]').waitFor();
  await page.getByRole("tab", { name: "Alarms" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByText("Past", { exact: true }).click();
  await row.locator('[data-state="cleared"]').waitFor();

  await page.getByRole("tab", { name: "Rules" }).click();
  await page.getByRole("button", { name: "Delete: Any load" }).click();
  await dialog.getByText("open alarms are cleared").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.locator('[data-rule="any-load"]').waitFor({ state: "detached" });
}
