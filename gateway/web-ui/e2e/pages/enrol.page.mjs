// A mote's label: scanned before the mote registers, compared, approved with name and place; and
// labels that do not match. The label is a sheet of `./vigil label`, shown to Chromium's fake camera.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** Without windows, Chromium neither refuses nor permits a camera. */
export const onDesktop = true;
/** The thumbprint on the label of the mote arrival. */
const ARRIVAL = process.env["VIGIL_ARRIVAL"] ?? "";
/** The camera's distance: pixels of the sheet are so many pixels of its picture. */
const ZOOM = 3;
/** The first label of a sheet at this distance; `LabelSheet` has the millimetres. */
const PICTURE = { x: 72, y: 160, width: 740, height: 452 };

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, context, url, signIn, shot, axe }) {
  const paper = await context.newPage();
  await paper.setViewportSize({ width: 1000, height: 800 });
  await paper.setContent(readFileSync(process.env["VIGIL_LABEL"] ?? "", "utf8"));
  await paper.evaluate((zoom) => {
    document.body.style.margin = "0";
    document.body.style.zoom = `${zoom}`;
  }, ZOOM);
  // A file of one JPEG picture is a film of it (MJPEG).
  const film = await paper.screenshot({ type: "jpeg", quality: 90, clip: PICTURE });
  writeFileSync(process.env["VIGIL_CAMERA"] ?? "", film);
  await paper.close();

  const verdict = page.locator("[data-verdict]");
  const done = page.locator("[data-done]");
  const approve = page.getByRole("button", { name: "Approve and save" });
  await signIn("/trust");
  await page.getByRole("link", { name: "Enrol by a label" }).click();
  await page.getByRole("button", { name: "Scan with the camera" }).waitFor();
  await axe();
  await shot("enrol");
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await page.locator("[data-camera-fault=denied]").waitFor();
  await page.getByLabel("Fingerprint", { exact: true }).fill("a label");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("A fingerprint has 43 characters; this has 6.").waitFor();
  await context.grantPermissions(["camera"]);
  await page.getByRole("button", { name: "Scan with the camera" }).click();

  // The mote has not registered; the page goes on when it does.
  await verdict
    .filter({ hasText: "arrival has not registered with the key on the label" })
    .waitFor();
  assert.equal(await verdict.getAttribute("data-verdict"), "none");
  await page.getByRole("button", { name: "Approve ahead" }).waitFor();
  assert.equal(await approve.count(), 0);
  await axe();
  await shot("enrol-waits");
  const [program = "", ...words] = JSON.parse(process.env["VIGIL_ARRIVAL_MOTE"] ?? "[]");
  const mote = spawn(program, words, { stdio: "ignore" });
  try {
    await page.locator('[data-verdict="same"]').waitFor();
    await verdict.filter({ hasText: "registered as arrival has the key on the label" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Boiler");
    await page.getByLabel("Place", { exact: true }).fill("Hall 3");
    await axe();
    await shot("enrol-same");
    await approve.click();
    await done.filter({ hasText: "arrival is enrolled." }).waitFor();
  } finally {
    mote.kill();
  }
  const { keys } = await (await page.request.get(new URL(`api/keys/${ARRIVAL}`, url).href)).json();
  assert.equal(keys[0].state, "trusted");
  const path = `api/endpoints/${keys[0].endpoint}/label`;
  const label = await (await page.request.get(new URL(path, url).href)).json();
  assert.deepEqual([label.name, label.location], ["Boiler", "Hall 3"]);

  // The camera starts by itself for the next label, which is the same one.
  await page.getByRole("button", { name: "Next label" }).click();
  await verdict.filter({ hasText: "The gateway trusts the key on the label" }).waitFor();
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Boiler");

  // A label with another key than the name's, and one of which nobody says that it was scanned.
  const other = `${ARRIVAL.slice(0, -1)}${ARRIVAL.endsWith("A") ? "E" : "A"}`;
  await page.goto(`${url}#/enrol?key=${other}&ep=arrival&d=careful`);
  await page.locator('[data-verdict="different"]').filter({ hasText: "another" }).waitFor();
  assert.equal(await verdict.locator("[data-differs]").count(), 1);
  assert.equal(await page.getByRole("button", { name: /Approve|Save/ }).count(), 0);
  await axe();
  await shot("enrol-different");
  const guests = await page.request.get(new URL("api/keys?ep=guest", url).href);
  const [guest] = (await guests.json()).keys;
  await page.goto(`${url}#/enrol?key=${guest.thumbprint}&ep=guest`);
  await page.locator('[data-verdict="same"]').waitFor();
  assert.equal(await approve.isDisabled(), true, "the page did not read the label itself");
  await page.getByLabel("I scanned the mote’s label myself").check();
  assert.equal(await approve.isEnabled(), true);

  await page.getByRole("link", { name: "Print labels" }).click();
  await page.locator(`[data-label="${ARRIVAL}"]`).waitFor();
  assert.equal(await page.locator(`[data-label="${guest.thumbprint}"]`).count(), 0);
  await axe();
  await shot("labels");

  // The tests of other pages expect no silent mote.
  const forgotten = await page.request.delete(
    new URL(`api/endpoints/${keys[0].endpoint}`, url).href,
    { headers: { "X-Vigil-CSRF": "1" } },
  );
  assert.equal(forgotten.ok(), true);
}
