import { expect, test, vi } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";
import { testNotifications } from "../src/gateway/notifications";
import { testDestination } from "../src/pages/system/api";
import { derOf, fingerprintOf } from "../src/pages/system/certificate";
import { collect, fileName } from "../src/pages/system/support";

test("the fingerprint of a certificate is the digest of its octets", async () => {
  const der = derOf("x\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n");
  expect(der && (await fingerprintOf(der, crypto.subtle))).toMatch(/^BA:78:16:BF:.*:15:AD$/);
  expect(derOf("no certificate")).toBeUndefined();
});

test("a support report says what it could not read", async () => {
  const json = (path: string): Promise<unknown> =>
    path === "api/settings"
      ? Promise.reject(new ApiProblem(403, "only administrators"))
      : Promise.resolve({ path });
  const report = await collect({ json }, 0, "a browser");
  expect(report).toMatchObject({ createdAt: "1970-01-01T00:00:00.000Z", browser: "a browser" });
  expect(report.answers["api/settings"]).toEqual({ status: 403, detail: "only administrators" });
  expect(report.answers["api/system"]).toEqual({ path: "api/system" });
  const lost = () => Promise.reject(new ApiProblem(0));
  await expect(collect({ json: lost }, 0, "")).rejects.toThrow("cannot be reached");
  expect(fileName(0)).toBe("vigil-support-1970-01-01T00-00-00Z.json");
});

test("a test waits longer than the gateway waits for the other server", async () => {
  const limit = vi.spyOn(AbortSignal, "timeout");
  const asked: string[] = [];
  const api = new Api("http://gateway/", (url, init) => {
    asked.push(`${init?.method} ${new URL(String(url)).pathname}`);
    return Promise.resolve(Response.json({ accepted: true, answer: "201" }));
  });
  try {
    await testDestination(api, "webhook:shop");
    await testNotifications(api, "1");
    expect(limit.mock.calls).toEqual([[60_000], [60_000]]);
  } finally {
    limit.mockRestore();
  }
  expect(asked).toEqual([
    "POST /api/northbound/webhook%3Ashop/test",
    "POST /api/account/browsers/1/test",
  ]);
});
