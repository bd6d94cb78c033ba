// A dashboard: tiles added, moved by keyboard and pointer, and shown on a wallboard without an account.
import assert from "node:assert/strict";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, context, url, signIn, shot, axe }) {
  await signIn("/dashboards");
  await page.getByRole("button", { name: "Add dashboard" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Hall 3");
  assert.equal(await dialog.getByLabel("Id", { exact: true }).inputValue(), "hall-3");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Add tile" }).waitFor();

  /** @param {string} kind @param {() => Promise<void>} fill */
  const add = async (kind, fill) => {
    await page.getByRole("button", { name: "Add tile" }).click();
    await dialog.getByLabel("Shows").selectOption(kind);
    await fill();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  /** @param {string} name */
  const choose = async (name) => {
    await dialog.getByRole("combobox", { name: "Endpoint" }).fill(name);
    await dialog.getByRole("option", { name }).first().click();
  };
  await page.getByRole("button", { name: "Add tile" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  assert.equal(await dialog.getByText("Choose one.").count(), 2);
  await axe();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await add("value", async () => {
    await choose("boiler");
    await dialog.getByLabel("Resource").selectOption("load");
  });
  await add("chart", async () => {
    await dialog.getByLabel("Time", { exact: true }).selectOption("1h");
    for (const name of ["boiler", "pump"]) {
      await choose(name);
      await dialog.getByLabel("Resource").selectOption("load");
      await dialog.getByRole("button", { name: "Add resource" }).click();
    }
  });
  await add("state", () => choose("boiler"));
  await add("mesh", async () => undefined);
  await add("text", () => dialog.getByLabel("Text", { exact: true }).fill("Shift lead: 4711"));

  const place = (/** @type {string} */ tile) =>
    page.locator(`[data-place]:has([data-tile="${tile}"])`).getAttribute("data-place");
  assert.equal(await place("t1"), "0 0 3 2");
  await page.getByRole("button", { name: /^Move Text: / }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  const [x, , w] = ((await place("t5")) ?? "").split(" ");
  assert.deepEqual([x, w], ["1", "4"]);
  await page.locator("#react-draggable-style-el").filter({ hasText: "Text: column 2" }).waitFor();
  // By pointer, to the right of the first tile.
  const handle = await page.locator('[data-tile="t3"] .tile-handle').boundingBox();
  const own = await page.locator('[data-tile="t3"]').boundingBox();
  const target = await page.locator('[data-tile="t1"]').boundingBox();
  assert.ok(handle !== null && own !== null && target !== null);
  await page.mouse.move(handle.x + 8, handle.y + 8);
  await page.mouse.down();
  const beside = target.x + target.width + 40 + handle.x - own.x;
  await page.mouse.move(beside, target.y + 20, { steps: 12 });
  await page.mouse.up();
  assert.match((await place("t3")) ?? "", /^[3-9] 0 3 2$/);
  await page.getByText("Changes are not saved yet.").waitFor();
  await axe();
  await shot("dashboard-edit");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator('.board[data-tiles="5"]').waitFor();
  await page.locator('[data-tile="t1"][data-sight="shown"] .tile-number').waitFor();
  await page.locator('[data-tile="t2"] [data-lines="2"]').waitFor();
  await page.locator('[data-tile="t4"] [data-motes]').waitFor();
  await axe();
  await shot("dashboard");

  await page.getByRole("button", { name: "Wallboard links…" }).click();
  await dialog.getByLabel("Purpose").fill("Screen in hall 3");
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = (await dialog.locator("[data-link]").textContent()) ?? "";
  assert.match(link, /wallboard\.html#vigil_link_/);
  await axe();

  // Another browser, without a session.
  const browser = context.browser();
  assert.ok(browser !== null);
  const wall = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  try {
    const board = await wall.newPage();
    /** @type {string[]} */
    const errors = [];
    board.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await board.goto(link);
    await board.locator('.wallboard[data-contact="live"]').waitFor();
    const note = board.locator('[data-tile="t1"] .tile-note');
    const before = await note.textContent();
    // The mote sends each second; the page is not loaded again.
    await board.waitForFunction(
      (text) => document.querySelector('[data-tile="t1"] .tile-note')?.textContent !== text,
      before,
    );
    await axe(board);
    await shot("wallboard", board);
    assert.deepEqual(errors, []);
    const token = link.split("#")[1] ?? "";
    for (const path of ["api/endpoints", "api/events", "api/session"]) {
      const answer = await wall.request.get(new URL(path, url).href, {
        headers: { Authorization: `Bearer ${token}` },
      });
      assert.equal(answer.status(), 403, path);
    }
    await dialog.getByRole("button", { name: "Revoke Screen in hall 3" }).click();
    await board.getByText("This link is not valid").waitFor();
  } finally {
    await wall.close();
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Delete dashboard…" }).click();
  await dialog.getByRole("button", { name: "Delete dashboard" }).click();
  await page.getByText("There is no dashboard yet.").waitFor();
}
