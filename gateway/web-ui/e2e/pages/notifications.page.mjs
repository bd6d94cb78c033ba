// Notifications are switched on and off in this browser. Its own push service is outside of this network, so a
// stand-in subscribes; the service worker, the page and the gateway are real.
import assert from "node:assert/strict";

/** In the page: a push manager that gives each subscription another address. */
function standIn() {
  /** @type {any} */
  let present = null;
  let count = 0;
  const text = (/** @type {ArrayBuffer} */ octets) =>
    btoa(String.fromCharCode(...new Uint8Array(octets)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const manager = {
    getSubscription: async () => present,
    subscribe: async (/** @type {PushSubscriptionOptionsInit} */ { applicationServerKey }) => {
      if (String(applicationServerKey).length !== 87) throw new TypeError("no key of P-256");
      const curve = { name: "ECDH", namedCurve: "P-256" };
      const { publicKey } = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
      const p256dh = text(await crypto.subtle.exportKey("raw", publicKey));
      const endpoint = `https://push.example/${++count}`;
      const auth = text(crypto.getRandomValues(new Uint8Array(16)).buffer);
      present = {
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => {
          present = null;
          return true;
        },
      };
      return present;
    },
  };
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", {
    get: () => manager,
  });
  const asked = { answer: "granted" };
  Object.assign(window, { asked });
  Notification.requestPermission = async () => /** @type {NotificationPermission} */ (asked.answer);
  Object.defineProperty(Notification, "permission", { get: () => asked.answer });
}

/** @param {import("../pages.e2e.mjs").Tools} tools */
export async function run({ page, url, signIn, shot, axe }) {
  await page.addInitScript(standIn);
  await signIn("/accounts");
  await page.getByRole("tab", { name: "Notifications" }).click();
  const state = page.locator("[data-notifications]");
  const known = async () => {
    const answer = await page.request.get(new URL("api/account/browsers", url).href);
    return (await answer.json()).browsers.length;
  };
  await page.locator('[data-notifications="off"]').waitFor();
  await axe();
  await shot("notifications-off");
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.locator('[data-notifications="on"]').waitFor();
  assert.equal(await known(), 1);
  const worker = await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    return active?.scriptURL;
  });
  assert.equal(worker, new URL("notifications.js", url).href);
  await axe();
  await shot("notifications-on");
  await page.getByRole("button", { name: "Switch off" }).click();
  await page.locator('[data-notifications="off"]').waitFor();
  assert.equal(await known(), 0);
  await page.evaluate(() => Object.assign(/** @type {any} */ (window).asked, { answer: "denied" }));
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.locator('[data-notifications="blocked"]').waitFor();
  assert.equal(await state.count(), 1);
}
