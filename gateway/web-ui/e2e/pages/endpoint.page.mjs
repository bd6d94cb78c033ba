// One endpoint: chart, history, and a command that this browser signs and the mote confirms.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/endpoints");
  // No click: a row whose values arrive between press and release moves the link.
  await page.getByRole("link", { name: "boiler", exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "boiler" }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Resources" });
  await navigation.getByRole("link", { name: "load" }).click();
  await page.locator('[data-outcome="verified"]').waitFor();
  await page.waitForFunction(
    () => Number(document.querySelector("[data-points]")?.getAttribute("data-points")) > 1,
  );
  // The axis shows the chosen span, even if only its end has values.
  await page.locator('[data-axis-seconds="3600"]').waitFor();
  await page.getByRole("radiogroup", { name: "Span of time" }).getByText("30 d").click();
  await page.locator('[data-axis-seconds="2592000"]').waitFor();
  assert.match(page.url(), /\?span=month$/);
  await page.goto(`${page.url()}&from=1767225600000&to=1767225660000`);
  await page.locator("[data-resource-page]").waitFor();
  await page.getByRole("button", { name: "Reset zoom" }).click();
  await page.locator('[data-axis-seconds="2592000"]').waitFor();
  await page.getByRole("radiogroup", { name: "Span of time" }).getByText("1 h").click();
  await page.locator('[data-axis-seconds="3600"]').waitFor();
  const chart = page.locator(".history-plot .u-over");
  await chart.hover();
  await page.locator("[data-values] summary").click();
  const first = page.locator("[data-values] tbody tr").first();
  assert.match((await first.textContent()) ?? "", /\d/);
  // Another resource is drawn into the chart, on a separate axis.
  await page.getByLabel("Compare with").selectOption("led");
  await page.locator("[data-other-points]").waitFor();
  await page.getByLabel("Compare with").selectOption({ label: "pump: load" });
  await page.locator("figcaption").filter({ hasText: "pump: load" }).waitFor();
  await page.locator("[data-wakes]").waitFor();
  await axe();
  await shot("endpoint");

  await page.locator('[data-gained="first-use"]').filter({ hasText: "Compare" }).waitFor();
  await checkOutside(page, { shot, axe });
  await page.getByRole("button", { name: "Add a key…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Private key as JWK").fill('{"kty":"EC"}');
  await dialog.getByRole("button", { name: "Add the key" }).click();
  await dialog.getByText("unsupported").waitFor();
  await dialog.getByLabel("Private key as JWK").fill(process.env["VIGIL_COMMANDER"] ?? "");
  await axe();
  await dialog.getByRole("button", { name: "Add the key" }).click();
  await dialog.waitFor({ state: "detached" });

  const composer = page.locator("[data-composer]");
  await composer.getByRole("button", { name: "Sign and send" }).click();
  await composer.getByText("Choose the resource that receives the value").waitFor();
  // Only resources that accept commands are offered, so the sensor is not. Another path can be
  // typed.
  const offered = await composer
    .getByLabel("Resource", { exact: true })
    .locator("option")
    .allTextContents();
  const writable = ["led", "level", "mode", "valve"];
  assert.deepEqual(offered, ["Choose a resource", ...writable, "Another path…"]);
  await typedControls(page, composer, { shot, axe });
  await composer.getByLabel("Resource", { exact: true }).selectOption("Another path…");
  await composer.getByRole("button", { name: "Sign and send" }).click();
  await composer.getByText("Choose the resource that receives the value").waitFor();
  await composer.getByLabel("Path of the resource").fill("led");
  await composer.getByRole("textbox", { name: "Value" }).fill("1");
  await composer.getByRole("button", { name: "Sign and send" }).click();
  const seq = await composer.locator("[data-sent]").getAttribute("data-sent");
  await page.locator(`[data-row="${seq}"] [data-command-state="confirmed"]`).waitFor();
  await composer.getByText(`Command ${seq} is confirmed`).waitFor();
  await navigation.getByRole("link", { name: "led" }).filter({ hasText: "1" }).waitFor();
  await axe();
  await shot("endpoint-command");

  // An administrator enrols a key that is created here.
  await page.getByRole("button", { name: "Add a key…" }).click();
  await dialog.getByRole("button", { name: "Create a new key in this browser" }).click();
  await dialog.getByRole("button", { name: "Enrol the key" }).click();
  await dialog.waitFor({ state: "detached" });
  const enrolled = await page.request.get(new URL("api/domains/lab/commanders", url).href);
  assert.deepEqual(
    (await enrolled.json()).commanders.map((/** @type {any} */ one) => [one.source, one.name]),
    [
      ["file", undefined],
      ["store", "browser of admin"],
    ],
  );
  // The key stays, but nothing can read its secret.
  await page.reload();
  await composer.getByRole("button", { name: "Sign and send" }).waitFor();

  await replace(page, { shot, axe });
}

/**
 * The resources of the mote declare their values: the form shows a slider, a list, a switch. @param
 * {import("playwright-core").Page} page @param {import("playwright-core").Locator} composer @param
 * {Pick<import("../pages.e2e.mjs").Tools, "shot" | "axe">} looks
 */
async function typedControls(page, composer, { shot, axe }) {
  const resource = composer.getByLabel("Resource", { exact: true });
  const value = composer.getByRole("textbox", { name: "Value" });
  const send = composer.getByRole("button", { name: "Sign and send" });
  await resource.selectOption("level");
  await composer.getByText("0 to 100, a multiple of 5.").waitFor();
  await value.fill("103");
  await send.click();
  await composer.getByText("The resource takes at most 100.").waitFor();
  const slider = composer.getByRole("slider", { name: "Value as a slider" });
  await slider.press("End");
  await slider.press("ArrowLeft");
  assert.equal(await value.inputValue(), "95");
  assert.equal(await slider.getAttribute("aria-valuetext"), "95");
  await axe();
  await shot("endpoint-command-number");
  await resource.selectOption("mode");
  const values = await composer.getByLabel("Value").locator("option").allTextContents();
  assert.deepEqual(values, ["Choose a value", "1", "2", "4"]);
  await resource.selectOption("valve");
  await composer.getByRole("radiogroup", { name: "Value" }).getByText("On").click();
  await axe();
  await shot("endpoint-command-switch");
  await send.click();
  const seq = await composer.locator("[data-sent]").getAttribute("data-sent");
  await page.locator(`[data-row="${seq}"] [data-command-state="confirmed"]`).waitFor();
  // A guess from the last value binds nobody: another kind of value can be sent.
  await resource.selectOption("led");
  await composer.getByLabel("Send another kind of value").check();
  await composer.getByText("A number, true or false, or a text.").waitFor();
}

/**
 * Runs the printed commands unchanged: the gateway requires credentials. @param
 * {import("playwright-core").Page} page @param {Pick<import("../pages.e2e.mjs").Tools, "shot" |
 * "axe">} looks
 */
async function checkOutside(page, { shot, axe }) {
  await page.getByRole("tab", { name: "Check it without this page" }).click();
  await page.getByRole("button", { name: "Create a token for one day" }).click();
  const printed = async (/** @type {string} */ label) =>
    (await page.getByLabel(label, { exact: true }).textContent()) ?? "";
  const token = await printed("command that sets the token");
  const run = async (/** @type {string[]} */ ...argv) =>
    (await promisify(execFile)(argv[0] ?? "", argv.slice(1), { timeout: 60_000 })).stdout;
  const original = await run("bash", "-c", `${token}\n${await printed("curl command")} -sS`);
  assert.match(original, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  await page.getByText("every client is anonymous").waitFor();
  await page.getByRole("tab", { name: "Verify with Python" }).click();
  const program = await printed("Python program");
  const python = process.env["VIGIL_PYTHON"] ?? "python3";
  const verified = await run("bash", "-c", `${token}\nexec "$@"`, "sh", python, "-c", program);
  assert.match(verified, /boiler\/load/);
  await axe();
  await shot("endpoint-outside");
  await page.getByRole("tab", { name: "History" }).click();
}

/**
 * Names another mote as the successor, cancels this, and opens the entries in the directory. @param
 * {import("playwright-core").Page} page @param {Pick<import("../pages.e2e.mjs").Tools, "shot" |
 * "axe">} looks
 */
async function replace(page, { shot, axe }) {
  const dialog = page.getByRole("dialog");
  const successor = page.locator("[data-successor]");
  // What is above the button moves it until it is loaded, perhaps during the click.
  for (const loaded of [".history-plot .u-over", "[data-command-state]", "[data-wakes]"]) {
    await page.locator(loaded).first().waitFor();
  }
  await page.getByRole("button", { name: "Replace this mote…" }).click();
  await dialog.getByText("history, alarms and the address of its values stay").waitFor();
  const field = dialog.getByLabel("Thumbprint of the new mote’s key");
  const confirm = dialog.getByRole("button", { name: "Replace the mote" });
  await field.fill("abc");
  await dialog.getByText("A thumbprint has 43 characters").waitFor();
  const groups = (await dialog.locator("dl code").textContent()) ?? "";
  const present = groups.replace(/ /g, "");
  assert.match(present, /^[\w-]{43}$/);
  await field.fill(present);
  await dialog.getByText("This is the key of the current mote").waitFor();
  assert.ok(await confirm.isDisabled());
  await axe();
  await shot("endpoint-replace");
  const other = `${present[0] === "A" ? "B" : "A"}${present.slice(1)}`;
  await field.fill(other.replace(/(.{4})/g, "$1 "));
  await confirm.click();
  await page.locator(`[data-successor="${other}"] [data-expected]`).waitFor();
  await axe();
  await shot("endpoint-successor");
  await successor.getByRole("button", { name: "Cancel replacement…" }).click();
  await dialog.getByRole("button", { name: "Keep the current mote" }).click();
  await page.locator("[data-expected]").waitFor({ state: "detached" });

  // No click: what is above the links moves them until it is loaded.
  await page.getByRole("link", { name: "registration in the directory" }).press("Enter");
  await page.locator('[data-answer*="/rd-lookup/ep?ep=boiler&d=lab"]').waitFor();
  await page.getByRole("heading", { level: 2, name: "One link" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "its links there" }).press("Enter");
  await page.locator('[data-answer*="/rd-lookup/res?ep=boiler&d=lab"]').waitFor();
}
