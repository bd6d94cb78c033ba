// The mesh as a picture, the details of a node, actions and captures.
import assert from "node:assert/strict";

const PCAPNG = 0x0a0d0d0a;
// A mote two hops away waits for its parent to join and announce itself.
const TIMEOUT = 90_000;

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, signIn, shot, axe }) {
  await signIn("/network");
  // Only mote-1 hears mote-3.
  const far = page.locator('[data-node$="1003"][data-depth="2"]');
  await far.waitFor({ timeout: TIMEOUT });
  await page.locator('[data-edge$="1001 00564947494c1003"][data-link="route"]').waitFor({
    state: "attached",
  });
  const near = page.locator('[data-node$="1001"][data-depth="1"]');
  const [above, below] = [await near.boundingBox(), await far.boundingBox()];
  assert.ok(
    above !== null && below !== null && above.x < below.x,
    "parents stand left of children",
  );
  await page.getByLabel("Search nodes").fill("1003");
  await page.locator('[data-matches="1"]').waitFor();
  assert.equal(await near.getAttribute("data-dim"), "true");
  assert.equal(await far.getAttribute("data-dim"), null);
  assert.match(page.url(), /#\/network\?text=1003$/);
  await page.getByLabel("Search nodes").fill("");
  const place = () => page.locator("svg.mesh > g").getAttribute("transform");
  const before = await place();
  await page.getByRole("button", { name: "Zoom in" }).click();
  assert.notEqual(await place(), before);
  await page.getByRole("button", { name: "Fit" }).click();
  assert.equal(await place(), before);
  await page.getByText("DODAG, rank, ETX and link quality explained").click();
  await page.getByText("the tree of routes that RPL").waitFor();
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
  await page.locator("[data-dialog]").filter({ hasText: "the mesh is unreachable" }).waitFor();
  await page.locator("[data-dialog]").getByRole("button", { name: "Cancel" }).click();

  const link = page.getByRole("link", { name: "Download a capture" });
  const href = String(await link.evaluate((anchor) => /** @type {any} */ (anchor).href));
  const capture = await page.request.get(href.replace(/seconds=\d+/, "seconds=1"));
  assert.equal(capture.status(), 200);
  assert.equal((await capture.body()).readUInt32LE(0), PCAPNG);

  await storeSettings(page, { shot, axe });
}

/** Stores filter rules and a link key for the next start, and removes them. @param {import("playwright-core").Page} page @param {Pick<import("../pages.e2e.mjs").Tools, "shot" | "axe">} looks */
async function storeSettings(page, { shot, axe }) {
  const card = page.locator("[data-network-settings]");
  const dialog = page.getByRole("dialog");
  await card.locator('[data-setting="filter"]').getByText("default", { exact: true }).waitFor();
  // The test's options name a radio.
  await card.locator('[data-setting="radios"]').getByText("not set here").waitFor();
  await card.getByRole("button", { name: "Edit" }).click();
  await dialog.getByText("Stored settings have no effect").waitFor();
  await dialog.getByLabel("Filter rules").fill("allow in udp 5683\n\nalow in any");
  await dialog.getByLabel("802.15.4 security of frames").selectOption("on");
  await dialog.getByRole("button", { name: "Store" }).click();
  await dialog.getByText("Enter the key: none is stored.").waitFor();
  await dialog.getByLabel("Link key", { exact: true }).fill("00112233");
  await dialog.getByText("Enter 32 hexadecimal digits.").waitFor();
  const key = "00112233445566778899aabbccddeeff";
  await dialog.getByLabel("Link key", { exact: true }).fill(key);
  await dialog.getByRole("button", { name: "Store" }).click();
  await dialog.getByText(/^Rule 2: .*alow/).waitFor();
  await axe();
  await shot("network-settings-form");
  await dialog.getByLabel("Filter rules").fill("allow in udp 5683");
  await dialog.getByLabel("Security level").selectOption("6");
  await dialog.getByRole("button", { name: "Store" }).click();
  await card.locator("[data-restart-needed]").waitFor();
  await card.getByText("allow in udp 5683").waitFor();
  await card.getByText("level 6; the key is never shown").waitFor();
  assert.ok(!(await page.content()).includes(key), "the key is written and never read");
  await axe();
  await shot("network-settings");

  // Somebody else stores settings at the same time, and nothing is lost.
  await card.getByRole("button", { name: "Edit" }).click();
  await dialog.getByText("Leave empty to keep the stored key.").waitFor();
  const other = await page.request.put(new URL("api/network/settings", page.url()).href, {
    headers: { "X-Vigil-CSRF": "1" },
    data: { filter: ["deny in any"] },
  });
  assert.equal(other.status(), 200);
  await dialog.getByRole("button", { name: "Store" }).click();
  await dialog.getByText("Somebody else changed it in the meantime").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await card.getByText("deny in any").waitFor();
  await card.getByRole("button", { name: "Remove stored settings" }).click();
  await dialog.getByText("the key cannot be recovered").waitFor();
  await dialog.getByRole("button", { name: "Remove stored settings" }).click();
  await card.locator('[data-setting="filter"]').getByText("default", { exact: true }).waitFor();
  await card.locator("[data-restart-needed]").waitFor({ state: "detached" });
}
