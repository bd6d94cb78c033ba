import { expect, test } from "vitest";
import { changed, needsReading } from "../src/pages/ipsec/live";
import { peerOf, refused, type Association, type Associations } from "../src/pages/ipsec/api";

const ASSOCIATION: Association = {
  line: 3,
  direction: "in",
  protocol: "esp",
  profile: "ccm8",
  spi: "0x11000002",
  source: "fd00::1001",
  destination: "fd00::1",
  state: "ready",
  packets: 7,
  octets: 700,
  icvFailures: 1,
  replays: 2,
  policyDrops: 3,
  otherDrops: 4,
  octetsSaved: 50,
  warnings: ["odd"],
};

test("the peer of an association is the other end, and its refusals are summed", () => {
  expect([peerOf(ASSOCIATION), refused(ASSOCIATION)]).toEqual(["fd00::1001", 10]);
  expect(peerOf({ ...ASSOCIATION, direction: "out" })).toBe("fd00::1");
});

test("an event changes the association of its line, and a loaded file is read again", () => {
  const before: Associations = {
    file: "gateway.sa",
    loadedAt: "2026-01-01T00:00:00Z",
    associations: [ASSOCIATION, { ...ASSOCIATION, line: 4 }],
  };
  const counted = { ...ASSOCIATION, packets: 8 };
  expect(changed(before, { kind: "association", data: counted })).toEqual({
    ...before,
    associations: [counted, { ...ASSOCIATION, line: 4 }],
  });
  const unknown = { kind: "association", data: { ...counted, line: 9 } } as const;
  expect(changed(before, unknown)).toBe(before);
  expect(changed(before, { kind: "node", data: counted })).toBe(before);
  expect(needsReading(unknown)).toBe(false);
  expect(needsReading({ kind: "associations", data: {} })).toBe(true);
});
