// A floor plan: an image uploaded, endpoints placed by pointer and keyboard, and shown on a wallboard.
import assert from "node:assert/strict";

const BOARD = "api/dashboards/building";
/** Places of a plan at most. */
const MOST = 250;

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, context, url, signIn, shot, axe }) {
  const send = async (/** @type {string} */ method, /** @type {string} */ to, data = {}) => {
    const answer = await page.request.fetch(new URL(to, url).href, {
      method,
      headers: { "X-Vigil-CSRF": "1" },
      ...(method === "DELETE" ? {} : { data }),
    });
    assert.ok(answer.ok(), `${method} ${to}: ${await answer.text()}`);
    return answer;
  };
  await signIn("/endpoints");
  await send("PUT", BOARD, { name: "Building 3", tiles: [] });
  await signIn("/dashboards/building?edit");
  await page.getByRole("button", { name: "Add tile" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Shows", { exact: true }).first().selectOption("plan");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.getByText("Choose an image.").waitFor();
  const file = dialog.getByLabel("Image of the floor plan");
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>");
  await file.setInputFiles({ name: "plan.png", mimeType: "image/png", buffer: svg });
  await dialog.getByText("The browser cannot read this file").waitFor();
  // Larger than the gateway takes: the browser makes it smaller.
  const drawing = Buffer.from(await page.evaluate(drawn), "base64");
  assert.ok(drawing.length > 512 * 1024);
  await file.setInputFiles({ name: "plan.png", mimeType: "image/png", buffer: drawing });
  const picture = dialog.locator("[data-picture]");
  const size = ((await picture.getAttribute("data-picture")) ?? "").split(" ").map(Number);
  assert.ok((size[0] ?? 0) < 4800 && (size[0] ?? 0) / (size[1] ?? 1) === 1.6, String(size));

  /** @param {string} name @param {string} path */
  const add = async (name, path) => {
    await dialog.getByRole("combobox", { name: "Endpoint" }).fill(name);
    await dialog.getByRole("option", { name }).first().click();
    await dialog.locator(".plan-add").getByLabel("Shows").selectOption(path);
    await dialog.getByRole("button", { name: "Place", exact: true }).click();
  };
  await add("boiler", "load");
  await add("pump", "load");
  await add("guest", "");
  const pin = (/** @type {number} */ number) =>
    dialog.getByRole("button", { name: new RegExp(`^${number}\\. .*: arrow keys move`) });
  assert.equal(await pin(1).getAttribute("data-pin"), "0.5 0.5");
  await pin(1).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowUp");
  assert.equal(await pin(1).getAttribute("data-pin"), "0.505 0.45");
  await dialog.getByText("boiler, lab: load: 50.5 % from the left, 45 % from the top").waitFor();
  // By pointer.
  await drag(page, pin(2), dialog.locator(".plan-picture"), 0.8, 0.25);
  await drag(page, pin(3), dialog.locator(".plan-picture"), 0.2, 0.75);
  const [x, y] = ((await pin(3).getAttribute("data-pin")) ?? "").split(" ").map(Number);
  assert.ok(Math.abs((x ?? 0) - 0.2) < 0.01 && Math.abs((y ?? 0) - 0.75) < 0.01, `${x} ${y}`);
  await add("visitor", "");
  await dialog.getByRole("button", { name: /^Remove 4\. visitor/ }).click();
  await axe();
  await shot("floorplan-edit");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save" }).click();
  const plan = page.locator('[data-kind="plan"] [data-places="3"]');
  await plan.getByRole("link", { name: /^pump, [\d.]+, On time/ }).waitFor();
  await plan.getByRole("link", { name: /^guest, Waits for approval/ }).waitFor();
  await axe();
  await shot("floorplan");
  await page.getByRole("button", { name: "Deutsch" }).click();
  await plan.getByRole("link", { name: /^guest, Wartet auf Freigabe/ }).waitFor();
  await shot("floorplan-german");
  await page.getByRole("button", { name: "English" }).click();
  await plan.getByRole("link", { name: /^pump, / }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "pump" }).waitFor();

  const made = await send("POST", `${BOARD}/links`, { name: "Building" });
  const { token } = await made.json();
  const browser = context.browser();
  assert.ok(browser !== null);
  const wall = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const board = await wall.newPage();
    await board.goto(`${new URL("wallboard.html", url).href}#${token}`);
    const mark = board.getByRole("img", { name: /^boiler, [\d.]+, On time/ });
    await mark.waitFor();
    assert.equal(await board.locator(".plan-marks a").count(), 0);
    await mark.focus();
    await axe(board);
    await shot("floorplan-wallboard", board);

    await many(send);
    await board.locator(`[data-places="${MOST}"]`).waitFor();
    await shot("floorplan-wallboard-many", board);
    await signIn("/dashboards/building");
    await page.locator(`[data-places="${MOST}"] a`).first().waitFor();
    await axe();
    await shot("floorplan-many");
  } finally {
    await wall.close();
    await send("DELETE", BOARD);
  }
}

/**
 * @param {import("playwright-core").Page} page @param {import("playwright-core").Locator} from
 * @param {import("playwright-core").Locator} picture @param {number} x @param {number} y fractions
 */
async function drag(page, from, picture, x, y) {
  const start = await from.boundingBox();
  const box = await picture.boundingBox();
  assert.ok(start !== null && box !== null);
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 8 });
  await page.mouse.up();
}

/** As many places as a plan takes. @param {Function} send */
async function many(send) {
  const board = await (await send("GET", BOARD)).json();
  const { endpoints } = await (await send("GET", "api/endpoints")).json();
  const [tile] = board.tiles;
  const places = Array.from({ length: MOST }, (_, at) => {
    const endpoint = endpoints[at % endpoints.length];
    const x = 0.03 + (at % 25) * 0.039;
    return { endpoint: endpoint.id, path: "load", x, y: 0.05 + Math.floor(at / 25) * 0.1 };
  });
  const tiles = [{ ...tile, w: 12, h: 12, places }];
  await send("PUT", BOARD, { name: "Building 3", tiles });
}

/** A drawing of rooms with noise, so that it is large; in base64. */
function drawn() {
  const canvas = document.createElement("canvas");
  canvas.width = 4800;
  canvas.height = 3000;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.fillStyle = "#fdfdfb";
  context.fillRect(0, 0, 4800, 3000);
  context.strokeStyle = "#333";
  context.lineWidth = 24;
  for (const [x, y, width, height] of [
    [60, 60, 4680, 2880],
    [60, 60, 1600, 1400],
    [1660, 60, 1500, 1400],
    [3160, 60, 1580, 1400],
    [60, 1900, 2300, 1040],
    [2360, 1900, 2380, 1040],
  ]) {
    context.strokeRect(x ?? 0, y ?? 0, width ?? 0, height ?? 0);
  }
  for (let at = 0; at < 150_000; at++) {
    context.fillStyle = `hsl(${(at * 37) % 360} 20% ${80 + (at % 15)}%)`;
    context.fillRect((at * 7919) % 4800, (at * 104_729) % 3000, 3, 3);
  }
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}
