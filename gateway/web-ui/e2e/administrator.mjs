// The session of the account admin, without the page for signing in.
import assert from "node:assert/strict";
import { request } from "playwright-core";
import { url } from "./browser.mjs";

const PASSWORD = "several words are fine";

/** Signs in over the API and replaces the one-time password; the cookies of the session. */
export async function administrator() {
  const api = await request.newContext({ extraHTTPHeaders: { "X-Vigil-CSRF": "1" } });
  const oneTime = process.env["VIGIL_PASSWORD"] ?? "";
  const begun = await api.post(new URL("api/session", url).href, {
    data: { account: "admin", password: oneTime },
  });
  assert.equal(begun.status(), 200, await begun.text());
  if ((await begun.json()).passwordChangeNeeded) {
    const changed = await api.put(new URL("api/session/password", url).href, {
      data: { password: oneTime, newPassword: PASSWORD },
    });
    assert.equal(changed.status(), 200, await changed.text());
  }
  const state = await api.storageState();
  await api.dispose();
  return state;
}
