// Audit: who did what, with the record before and after; the search; paging.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/audit");
  const headers = { "X-Vigil-CSRF": "1" };
  const rule = new URL("api/alarm-rules/audited", url).href;
  for (const above of [10, 20]) {
    const data = { kind: "value", name: "Audited", path: "none", above };
    assert.equal((await page.request.put(rule, { headers, data })).status(), 200);
  }
  assert.equal((await page.request.delete(rule, { headers })).status(), 204);
  await page.getByRole("button", { name: "Reload" }).click();
  const changed = page.locator('[data-decision="changed alarm rule audited"]');
  await changed.waitFor();
  await changed.getByText("admin", { exact: true }).waitFor();
  await changed.getByText("1 change").click();
  const member = changed.locator('[data-member="limits.above"]');
  assert.deepEqual(await member.locator("td").allTextContents(), ["10", "20"]);
  await axe();
  await shot("audit");

  await page.getByLabel("Search who and what").fill("removed alarm rule AUDITED");
  await changed.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("[data-decision]").length === 1);
  await page.getByLabel("Search who and what").fill("nobody did this");
  await page.getByText("No decision matches.").waitFor();
  await page.getByLabel("Search who and what").fill("");
  await page.getByLabel("Name of an endpoint").fill("boiler");
  await page.getByLabel("Domain of the endpoint").selectOption("lab");
  await page.locator("[data-decision]").filter({ hasText: "boiler" }).first().waitFor();
  await changed.waitFor({ state: "detached" });

  await page.getByLabel("Name of an endpoint").fill("");
  // More decisions than fit on a page.
  for (let above = 0; above < 101; above++) {
    const data = { kind: "value", name: "Paged", path: "none", above };
    assert.equal((await page.request.put(rule, { headers, data })).status(), 200);
  }
  assert.equal((await page.request.delete(rule, { headers })).status(), 204);
  await page.getByRole("button", { name: "Reload" }).click();
  const rows = page.locator("[data-decision]");
  await page.getByText("removed alarm rule audited").first().waitFor();
  await page.getByRole("button", { name: "Show older decisions" }).click();
  await page.locator('[data-audit-page="2"]').waitFor();
  await rows.first().waitFor();
  assert.ok((await rows.count()) <= 100, "a page is bounded");
  await page.getByRole("button", { name: "Show newer decisions" }).click();
  await page.locator('[data-audit-page="1"]').waitFor();
  await page.waitForFunction(() => document.querySelectorAll("[data-decision]").length === 100);
}
