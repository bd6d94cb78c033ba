// The mesh as a picture, the details of a node, actions and captures.
import assert from "node:assert/strict";

const PCAPNG = 0x0a0d0d0a;
const TIMEOUT = 30_000;

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/network");
  // mote-3 is heard by mote-1 alone.
  const far = page.locator('[data-node$="1003"][data-depth="2"]');
  await far.waitFor({ timeout: TIMEOUT });
  await page.locator('[data-edge$="1001 00564947494c1003"][data-link="route"]').waitFor({
    state: "attached",
  });
  const near = page.locator('[data-node$="1001"][data-depth="1"]');
  const [above, below] = [await near.boundingBox(), await far.boundingBox()];
  assert.ok(above !== null && below !== null && above.y < below.y, "parents stand above children");
  await axe();
  await shot("network");

  await near.focus();
  await page.keyboard.press("Enter");
  const panel = page.locator('[data-node-panel$="1001"]');
  await panel.waitFor();
  assert.match((await panel.textContent()) ?? "", /fd00::56:4947:494c:1001/);
  assert.match((await panel.textContent()) ?? "", /Rank\d+/);
  await axe();
  await shot("network-node");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "1003", exact: true }).last().click();
  await page.getByText("The gateway does not hear it directly").waitFor();
  await page.keyboard.press("Escape");

  await page.locator("[data-drops]").getByRole("button", { name: "Reason" }).click();
  await page.getByRole("button", { name: "Refresh routes" }).click();
  await page.locator("[data-done]").filter({ hasText: "announce its route again" }).waitFor();
  await page.getByRole("button", { name: "Repair…" }).click();
  await page.locator("[data-dialog]").filter({ hasText: "cannot be reached" }).waitFor();
  await page.locator("[data-dialog]").getByRole("button", { name: "Cancel" }).click();

  const link = page.getByRole("link", { name: "Download a capture" });
  const href = String(await link.evaluate((anchor) => /** @type {any} */ (anchor).href));
  const capture = await page.request.get(href.replace(/seconds=\d+/, "seconds=1"));
  assert.equal(capture.status(), 200);
  assert.equal((await capture.body()).readUInt32LE(0), PCAPNG);
}
