// Lookups as clients send them, and the printed commands for the same lookups.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await signIn("/directory");
  const answer = page.locator("[data-answer]");
  await answer.getByText("boiler").first().waitFor();
  await axe();
  await shot("directory");

  await answer.getByRole("button", { name: "Resources: boiler" }).click();
  await page.locator('[data-answer^="/rd-lookup/res?ep=boiler&d=lab"]').waitFor();
  await answer.locator(".link-target").filter({ hasText: "/load" }).waitFor();
  assert.equal(await page.getByLabel("Endpoint name (ep)").inputValue(), "boiler");
  await page.getByLabel("Resource type (rt)").fill("lo*");
  await page.keyboard.press("Enter");
  await page.locator('[data-answer*="rt=lo*"]').waitFor();
  const found = await answer.locator(".link-target").allTextContents();
  assert.ok(found.length > 0);
  assert.ok(found.every((target) => target.endsWith("/load")));
  await answer.getByRole("tab", { name: "As sent" }).click();
  const raw = (await answer.getByLabel("As sent", { exact: true }).last().textContent()) ?? "";
  assert.ok(raw.startsWith(`<${found[0]}>;`), raw);
  await axe();
  await shot("directory-resources");

  const made = await page.request.post(new URL("api/tokens", url).href, {
    headers: { "X-Vigil-CSRF": "1" },
    data: { name: "lookup", roles: ["viewer"], days: 1 },
  });
  const environment = { ...process.env, VIGIL_TOKEN: (await made.json()).token };
  const curl = (await page.getByLabel("curl command", { exact: true }).textContent()) ?? "";
  assert.equal(await shell(`${curl} -sS`, environment), raw, "the command asks the same");
  // Over CoAP without DTLS every client is anonymous, and this gateway refuses anonymous clients.
  const coap = (await page.getByLabel("coap-client command", { exact: true }).textContent()) ?? "";
  assert.match(await shell(`${coap} -B 30 2>&1`, environment), /4\.0[13]/);
  await page.getByText("every client is anonymous").waitFor();

  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Domain (d)").fill("no such domain");
  await page.getByRole("button", { name: "Look up" }).click();
  await answer.getByRole("tab", { name: "Links" }).click();
  await page.getByText("Nothing matches.").or(page.locator("[data-problem]")).first().waitFor();
}

/** The output of a command of the page. @param {string} command @param {NodeJS.ProcessEnv} env */
async function shell(command, env) {
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env, timeout: 60_000 });
  return stdout;
}
