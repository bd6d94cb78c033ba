import { expect, test } from "vitest";
import { derOf, fingerprintOf } from "../src/pages/system/certificate";

test("the fingerprint of a certificate is the digest of its octets", async () => {
  const der = derOf("x\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n");
  expect(der && (await fingerprintOf(der, crypto.subtle))).toMatch(/^BA:78:16:BF:.*:15:AD$/);
  expect(derOf("no certificate")).toBeUndefined();
});
