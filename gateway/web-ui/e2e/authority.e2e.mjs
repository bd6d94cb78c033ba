// Runs the printed commands against a gateway whose certificate comes from its own authority.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runAll, url } from "./browser.mjs";

/** @param {import("playwright-core").Page} page */
async function commandsTrustTheAuthority(page) {
  await page.goto(`${url}#/endpoints`);
  // No click: a row whose values arrive between press and release moves the link.
  await page.getByRole("link", { name: "mote-1", exact: true }).press("Enter");
  await page.getByRole("navigation", { name: "Resources" }).getByRole("link").first().click();
  await page.getByRole("tab", { name: "Check it without this page" }).click();
  const folder = await mkdtemp(join(tmpdir(), "vigil-authority-"));
  const downloaded = page.waitForEvent("download");
  await page.getByRole("link", { name: "ca.pem" }).click();
  await (await downloaded).saveAs(join(folder, "ca.pem"));
  const text = async (/** @type {string} */ label) =>
    (await page.getByLabel(label, { exact: true }).textContent()) ?? "";
  const trust = await text("command that sets the authority");
  const run = async (/** @type {string} */ script) =>
    promisify(execFile)("bash", ["-c", script], { cwd: folder, timeout: 60_000 });
  const curl = await text("curl command");
  await assert.rejects(run(`${curl} -sS`), /certificate/);
  assert.match((await run(`${trust}\n${curl} -sS`)).stdout, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  await page.getByRole("tab", { name: "Verify with Python" }).click();
  const program = await text("Python program");
  const python = process.env["VIGIL_PYTHON"] ?? "python3";
  const verified = await run(`${trust}\nexec ${python} - <<'END'\n${program}\nEND`);
  assert.match(verified.stdout, /mote-1/);
  await rm(folder, { recursive: true });
}

await runAll([["printed commands trust the gateway's authority", commandsTrustTheAuthority]], {
  acceptDownloads: true,
  ignoreHTTPSErrors: true,
});
