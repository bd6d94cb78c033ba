// A calibration: made in the form, and shown in the list, at the resource and on a wallboard.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, context, url, signIn, shot, axe }) {
  await signIn("/endpoints");
  // No click: a row whose values arrive between press and release moves the link.
  await page.getByRole("link", { name: "pump", exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "pump" }).waitFor();
  await page.getByRole("button", { name: "Calibrate…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Factor").fill("0");
  await dialog.getByText("A number other than 0.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Save" }).isDisabled());
  await dialog.getByLabel("Factor").fill("2");
  await dialog.getByLabel("Offset").fill("1000");
  await dialog.getByLabel("Unit of the result").fill("Cel");
  await dialog.getByLabel("Date").fill("2026-11-03");
  await dialog.getByLabel("Note").fill("Reference thermometer 4");
  await dialog
    .locator("[data-preview]")
    .filter({ hasText: /× 2 \+ 1000 = [\d.]+ °C/ })
    .waitFor();
  await axe();
  await shot("calibration-form");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });

  await page
    .locator("[data-signed-value]")
    .filter({ hasText: /Signed as .* Calibrated: / })
    .waitFor();
  await page.locator(".resource-now").filter({ hasText: "°C" }).waitFor();
  const id = (await page.locator("[data-endpoint-page]").getAttribute("data-endpoint-page")) ?? "";
  await page.locator(".resource-now").getByRole("button", { name: "calibrated" }).click();
  await page.locator(".resource-now .calibrated-note b").filter({ hasText: "Signed: " }).waitFor();
  await page.locator("figcaption").getByRole("button", { name: "calibrated" }).waitFor();
  await shot("calibration");
  await page.keyboard.press("Escape");
  await axe();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByRole("button", { name: "Kalibrieren…" }).click();
  await dialog.getByRole("button", { name: "Kalibrierung entfernen" }).waitFor();
  assert.equal(await dialog.getByLabel("Faktor").inputValue(), "2");
  await shot("calibration-german");
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "English" }).click();

  await signIn("/endpoints");
  const chip = page.locator(`[data-resource="${id}/load"]`);
  await chip.getByRole("img", { name: "calibrated" }).waitFor();
  await chip.filter({ hasText: "°C" }).waitFor();
  await axe();
  await shot("calibration-list");

  const path = "api/dashboards/calibrated";
  const send = async (/** @type {string} */ method, /** @type {string} */ to, data = {}) => {
    const address = new URL(to, url).href;
    const headers = { "X-Vigil-CSRF": "1" };
    const answer = await page.request.fetch(address, {
      method,
      headers,
      ...(method === "DELETE" ? {} : { data }),
    });
    assert.ok(answer.ok(), `${method} ${to}: ${await answer.text()}`);
    return answer;
  };
  const sources = [{ endpoint: id, path: "load" }];
  await send("PUT", path, {
    name: "Calibrated",
    tiles: [
      { id: "a", kind: "value", x: 0, y: 0, w: 4, h: 3, sources },
      { id: "b", kind: "chart", x: 4, y: 0, w: 8, h: 3, sources, span: "1h" },
    ],
  });
  await send("PUT", "api/display-units", { chosen: ["K"] });
  const made = await send("POST", `${path}/links`, { name: "Calibrated" });
  const { token } = await made.json();
  const browser = context.browser();
  assert.ok(browser !== null);
  const wall = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const board = await wall.newPage();
    await board.goto(`${new URL("wallboard.html", url).href}#${token}`);
    const value = board.locator('[data-tile="a"]');
    await value.locator(".tile-unit").filter({ hasText: "K" }).waitFor();
    await board.locator('[data-tile="b"]').getByRole("button", { name: "calibrated" }).waitFor();
    await value.getByRole("button", { name: "calibrated" }).click();
    await value.locator(".calibrated-note").filter({ hasText: "× 2 + 1000" }).waitFor();
    await shot("calibration-wallboard", board);
    await board.keyboard.press("Escape");
    await axe(board);
  } finally {
    await wall.close();
    await send("PUT", "api/display-units", { chosen: [] });
    await send("DELETE", path);
    await send("DELETE", `api/endpoints/${id}/calibrations`);
  }
}
