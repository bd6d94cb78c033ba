// Tests the page in Chromium against a running gateway with motes.
//
//   VIGIL_URL=http://127.0.0.1:8080 VIGIL_ENDPOINTS=3 npm run e2e
//
// VIGIL_ENDPOINTS: number of registered endpoints (default: those that the gateway lists)
// Prints one line for each test, then "N passed, N failed"; the exit code is 1 if one failed.
import assert from "node:assert/strict";
import { runAll, url } from "./browser.mjs";

/** Motes wake at different times. */
const TIMEOUT = 60_000;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./browser.mjs").Body} Body */

/** @type {[string, Body][]} */
const tests = [];
/** @param {string} name @param {Body} body */
const test = (name, body) => tests.push([name, body]);

const ROW = "[data-resource]";
const REFUSED = `${ROW}[data-state="refused"]`;
const ORIGINALS = new RegExp("/ms/[^/]+/.+");

/** @returns {Promise<{ id: string, ep: string, d: string, resources: { path: string }[] }[]>} */
async function listed() {
  const answer = await fetch(new URL("api/endpoints", url), {
    headers: { Accept: "application/json" },
  });
  assert.equal(answer.status, 200);
  return (await answer.json()).endpoints;
}

/** Opens the page and waits for the first endpoint. @param {Page} page */
async function open(page) {
  await page.goto(`${url}#/endpoints`);
  await page.waitForSelector("[data-endpoint]");
}

/** Waits until every value has this verdict. @param {Page} page @param {string} state */
async function allAre(page, state) {
  try {
    await page.waitForFunction(
      ([row, wanted]) => {
        const rows = [...document.querySelectorAll(/** @type {string} */ (row))];
        return rows.length > 0 && rows.every((one) => one.getAttribute("data-state") === wanted);
      },
      [ROW, state],
      { timeout: TIMEOUT },
    );
  } catch {
    const rows = await page.locator(`${ROW}:not([data-state="${state}"])`).allTextContents();
    assert.fail(`not ${state} after ${TIMEOUT / 1000} s:\n${rows.join("\n")}`);
  }
}

test("every endpoint and resource is listed, and the page is live", async (page) => {
  await open(page);
  const endpoints = await listed();
  const expected = Number(process.env["VIGIL_ENDPOINTS"] ?? endpoints.length);
  assert.ok(expected > 0, "no endpoint is registered: start motes first");
  await page.waitForFunction(
    (count) => document.querySelectorAll("[data-endpoint]").length === count,
    expected,
    { timeout: TIMEOUT },
  );
  await page.waitForSelector('[data-connection="live"]');
  for (const { id, ep, resources } of endpoints) {
    const card = page.locator(`[data-endpoint="${id}"]`);
    if (resources.length > 0)
      await card
        .locator(ROW)
        .nth(resources.length - 1)
        .waitFor();
    assert.equal(await card.locator("[data-name]").textContent(), ep);
    assert.equal(await card.locator(ROW).count(), resources.length);
  }
});

test("each resource is verified in this browser", async (page) => {
  await open(page);
  await allAre(page, "verified");
  const rows = await page.locator(ROW).count();
  // A value that is being checked is left out of the sentence.
  const all = new RegExp(`^${rows} of ${rows} values? in view verified in this browser$`);
  await page.locator("[data-all-verified]").filter({ hasText: all }).waitFor();
});

test("values change live, and the new ones are verified too", async (page) => {
  await open(page);
  await allAre(page, "verified");
  const before = await page
    .locator(ROW)
    .evaluateAll((rows) =>
      rows.map((row) => [row.getAttribute("data-resource"), Number(row.getAttribute("data-seq"))]),
    );
  await page.waitForFunction(
    (seen) =>
      seen.every(([resource, seq]) => {
        const row = document.querySelector(`[data-resource="${CSS.escape(String(resource))}"]`);
        const now = Number(row?.getAttribute("data-seq"));
        return now > Number(seq) && row?.getAttribute("data-state") === "verified";
      }),
    before,
    { timeout: TIMEOUT },
  );
});

test("a reading changed on the way is not verified, and the page says why", async (page) => {
  await page.route(ORIGINALS, async (route) => {
    const answer = await route.fetch();
    const [header, payload = "", signature] = (await answer.text()).split(".");
    const octets = Buffer.from(payload, "base64url");
    // Changes the last digit, so that JSON stays well-formed; in CBOR the value comes last.
    const digit = octets.findLastIndex((octet) => octet >= 0x30 && octet <= 0x39);
    const at = octets.at(-1) === 0x5d && digit >= 0 ? digit : octets.length - 1;
    octets[at] = (octets[at] ?? 0) ^ 1;
    const body = [header, octets.toString("base64url"), signature].join(".");
    await route.fulfill({ response: answer, body });
  });
  await open(page);
  await allAre(page, "refused");
  // No click: a value that arrives between press and release moves the link.
  await page.locator(REFUSED).first().press("Enter");
  const outcome = page.locator('[data-outcome="refused"]');
  await outcome.waitFor();
  assert.match((await outcome.textContent()) ?? "", /Not verified/);
  assert.match((await outcome.textContent()) ?? "", /The signature is invalid/);
  await page.getByRole("tab", { name: "Checks" }).click();
  await page.waitForSelector('[data-check="signature"][data-result="failed"]');
  assert.equal(await page.locator('[data-check="value"]').getAttribute("data-result"), "open");
});

test("a value that the mote did not sign is not verified", async (page) => {
  // The motes keep sending: the page gets the originals of one moment, with another value.
  /** @type {Map<string, string>} */
  const originals = new Map();
  await page.route("**/api/endpoints", async (route) => {
    const answer = await route.fetch();
    const { endpoints } = await answer.json();
    for (const resource of endpoints.flatMap((/** @type {any} */ one) => one.resources)) {
      const place = new URL(resource.href.slice(1), url);
      const original = await (
        await fetch(place, { headers: { Accept: "application/jose" } })
      ).text();
      originals.set(place.pathname, original);
      const [header = ""] = original.split(".");
      resource.seq = JSON.parse(Buffer.from(header, "base64url").toString()).seq;
      resource.value = "-273.25";
    }
    await route.fulfill({ response: answer, json: { endpoints } });
  });
  await page.route(ORIGINALS, (route) =>
    route.fulfill({
      contentType: "application/jose",
      body: originals.get(new URL(route.request().url()).pathname) ?? "",
    }),
  );
  await page.route("**/api/events", (route) => route.abort());
  await open(page);
  await allAre(page, "refused");
  await page.locator(REFUSED).first().click();
  const outcome = page.locator('[data-outcome="refused"]');
  await outcome.waitFor();
  assert.match((await outcome.textContent()) ?? "", /The mote signed the value .* shows -273.25/);
});

test("a key other than the remembered one is a clear warning until the operator decides", async (page) => {
  const endpoints = await listed();
  const first = endpoints[0];
  assert.ok(first);
  const remembered = "A".repeat(43);
  const pins = {
    [JSON.stringify([first.d, first.ep])]: {
      thumbprint: remembered,
      since: "2026-01-01T00:00:00Z",
    },
  };
  await page.addInitScript((item) => {
    if (localStorage.getItem("vigil.pins.v1") === null) localStorage.setItem("vigil.pins.v1", item);
  }, JSON.stringify(pins));
  await open(page);
  const warning = page.locator(`[data-key-warning="${first.id}"]`);
  const row = page.locator(`[data-endpoint="${first.id}"] ${REFUSED}`).first();
  await row.waitFor({ timeout: TIMEOUT });
  const why = await row.locator(".verdict").getAttribute("title");
  assert.match(why ?? "", /Another key signs for this endpoint/);
  assert.equal(await warning.locator(`[data-thumbprint="${remembered}"]`).count(), 1);
  await warning.getByRole("button", { name: "Remember the new key…" }).click();
  await warning.getByRole("button", { name: "I compared it with the mote" }).click();
  await warning.waitFor({ state: "detached" });
  await allAre(page, "verified");
  await page.reload();
  await allAre(page, "verified");
  assert.equal(await page.locator("[data-key-warning]").count(), 0);
});

test("a broken connection is shown, and the page comes back by itself", async (page, context) => {
  await open(page);
  await allAre(page, "verified");
  let broken = true;
  await page.route("**/api/events", (route) => (broken ? route.abort() : route.continue()));
  await page.reload();
  await page.waitForSelector('[data-connection="reconnecting"]');
  // Known values stay once the page and its list are loaded.
  await page.waitForSelector("[data-endpoint]");
  broken = false;
  await page.waitForSelector('[data-connection="live"]', { timeout: TIMEOUT });
  await context.clearCookies();
});

test("everything is reached by keyboard", async (page) => {
  await open(page);
  await allAre(page, "verified");
  const row = page.locator(ROW).first();
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press("Tab");
    if (await row.evaluate((element) => element === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  const resource = page.locator("[data-resource-page]");
  await resource.waitFor();
  assert.match((await resource.textContent()) ?? "", /Checks/);
  await page.keyboard.press("Alt+ArrowLeft");
  await row.waitFor();
});

test("an endpoint shows what was signed and commands that name this gateway", async (page) => {
  await open(page);
  await allAre(page, "verified");
  // No click, as above.
  await page.locator(ROW).first().press("Enter");
  const resource = page.locator("[data-resource-page]");
  await resource.waitFor();
  await resource.getByRole("tab", { name: "Checks" }).click();
  // A newer value has no passed check until it is verified.
  await page.waitForFunction(
    () => document.querySelectorAll('[data-check][data-result="passed"]').length === 7,
  );
  await resource.getByRole("tab", { name: "Signed original" }).click();
  const path = String(await resource.getAttribute("data-resource-page"));
  const header = JSON.parse(
    (await resource.getByLabel("Header", { exact: true }).first().textContent()) ?? "",
  );
  assert.equal(`${path.split("/")[0]}/${header.res}`, path);
  assert.equal(await page.locator(`.thumbprint [data-thumbprint="${header.kid}"]`).count(), 1);
  await resource.getByRole("tab", { name: "Check it without this page" }).click();
  const curl = (await resource.getByLabel("curl command", { exact: true }).textContent()) ?? "";
  assert.ok(curl.includes(new URL(`ms/${path}`, url).href), curl);
});

test("hostile texts of motes stay text and within their element", async (page) => {
  const hostile =
    '<img src=x onerror="window.hit=1"><script>window.hit=1</script>\u202e\u2067evil\u0007\u001b[2J\u0000';
  await page.route("**/api/endpoints", async (route) => {
    const answer = await route.fetch();
    const { endpoints } = await answer.json();
    for (const endpoint of endpoints) {
      endpoint.ep = hostile;
      endpoint.d = hostile;
      for (const resource of endpoint.resources) {
        Object.assign(resource, { value: hostile, unit: hostile, rt: hostile, title: hostile });
      }
    }
    await route.fulfill({ response: answer, json: { endpoints } });
  });
  await page.route("**/api/events", (route) => route.abort());
  page.on("dialog", () => assert.fail("a dialog opened"));
  await open(page);
  const name = page.locator("[data-name]").first();
  assert.match((await name.textContent()) ?? "", /^<img src=x onerror=.*<script>/);
  await page.locator(ROW).first().click();
  await page.locator("[data-resource-page]").waitFor();
  const found = await page.evaluate(() => {
    // Bidirectional controls affect their paragraph: a block, a flex item or an isolate.
    const isolated = (/** @type {Element} */ element) => {
      const style = getComputedStyle(element);
      return style.display !== "inline" || /isolate|plaintext/.test(style.unicodeBidi);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const spilling = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const holder = text.parentElement;
      if (text.nodeValue?.includes("evil") && holder !== null && !isolated(holder)) {
        spilling.push(holder.outerHTML.slice(0, 120));
      }
    }
    return {
      hit: "hit" in window,
      images: document.querySelectorAll('img[src="x"]').length,
      spilling,
    };
  });
  assert.equal(found.hit, false, "a text of a mote ran");
  assert.equal(found.images, 0, "a text of a mote is an element");
  assert.deepEqual(found.spilling, [], "texts that can reorder adjacent text");
});

test("at the width of a phone nothing is cut off", async (page) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page);
  await allAre(page, "verified");
  const wider = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  assert.equal(await wider(), 0);
  // No click, as above.
  await page.locator(ROW).first().press("Enter");
  await page.waitForSelector("[data-resource-page]");
  assert.equal(await wider(), 0);
});

await runAll(tests, {}, { atOnce: 2 });
