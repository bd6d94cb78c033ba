import { expect, test } from "vitest";
import type { ShownEndpoint } from "../src/gateway/endpointStore";
import { readEndpoint } from "../src/gateway/model";
import { droppedBy } from "../src/pages/overview/api";
import { summaryOf } from "../src/pages/overview/summary";

const NOW = Date.parse("2026-11-20T12:00:00Z");

function shown(id: string, json: object): ShownEndpoint {
  const endpoint = readEndpoint({ id, ep: id, ...json });
  return { endpoint, resources: [], pin: undefined };
}

test("the summary counts states and puts the most urgent reason first", () => {
  const punctual = { lateAt: "2026-11-20T12:00:15Z", missingAt: "2026-11-20T12:00:30Z" };
  const late = { lateAt: "2026-11-20T11:59:55Z", missingAt: "2026-11-20T12:00:10Z" };
  const missing = { lateAt: "2026-11-20T11:00:15Z", missingAt: "2026-11-20T11:00:30Z" };
  const waiting = { trust: "pending", freshness: "not-trusted" };
  const summary = summaryOf(
    [
      shown("1", { ...punctual, rejections: { replay: 2 } }),
      shown("2", late),
      shown("3", { ...missing, rejections: { replay: 1, "not-trusted": 9 } }),
      shown("4", { ...waiting, waitingKeys: [{ thumbprint: "a" }] }),
      shown("5", { ...punctual, waitingKeys: [{ thumbprint: "b", held: true }] }),
    ],
    NOW,
  );
  expect(summary).toMatchObject({ endpoints: 5, onTime: 2, late: 1, missing: 1, notTrusted: 1 });
  expect(summary).toMatchObject({ heldKeys: 1, pendingKeys: 1 });
  expect(summary.attention.map(({ shown: { endpoint }, reason }) => [endpoint.id, reason])).toEqual(
    [
      ["5", "held"],
      ["4", "pending"],
      ["3", "missing"],
      ["2", "late"],
    ],
  );
  expect(summary.rejections).toEqual([
    ["not-trusted", 9],
    ["replay", 3],
  ]);
});

test("drops of a radio are summed over the reasons", () => {
  expect(droppedBy({ dropped: { busy: 1, mic: 2 } })).toBe(3);
});
