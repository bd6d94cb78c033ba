import { expect, test } from "vitest";
import { derOf, fingerprintOf } from "../src/pages/system/certificate";
import { metricsOf } from "../src/pages/system/metrics";

test("metrics are summed over their labels", () => {
  const metrics = metricsOf(
    '# HELP a x\n# TYPE a gauge\na{x="1 2",y="}"} 3.5\na{x="2"} 1.5\nb_total 7\nc NaN\n',
  );
  expect([...metrics]).toEqual([
    ["a", 5],
    ["b_total", 7],
  ]);
});

test("the fingerprint of a certificate is the digest of its octets", async () => {
  const der = derOf("x\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n");
  expect(der && (await fingerprintOf(der, crypto.subtle))).toMatch(/^BA:78:16:BF:.*:15:AD$/);
  expect(derOf("no certificate")).toBeUndefined();
});
