import { expect, test } from "vitest";
import { changed, needsReading } from "../src/pages/ipsec/live";
import { peerOf, readAssociations, refused } from "../src/pages/ipsec/api";

const ASSOCIATION = {
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

test("associations are read, with their peer and what they refused", () => {
  const read = readAssociations({
    file: "gateway.sa",
    loadedAt: "2026-01-01T00:00:00Z",
    associations: [ASSOCIATION, { ...ASSOCIATION, direction: "out", state: "melted" }],
    next: "more",
  });
  expect(read).toMatchObject({ file: "gateway.sa", problem: "", more: true });
  const [inward, outward] = read.associations;
  expect(inward && [peerOf(inward), refused(inward), inward.warnings]).toEqual([
    "fd00::1001",
    10,
    ["odd"],
  ]);
  expect(outward && [peerOf(outward), outward.state]).toEqual(["fd00::1", undefined]);
});

test("an answer of another shape is refused", () => {
  expect(() => readAssociations("no")).toThrow(SyntaxError);
});

test("an event changes the association of its line, and a loaded file is read again", () => {
  const before = { file: "gateway.sa", associations: [ASSOCIATION, { ...ASSOCIATION, line: 4 }] };
  const counted = { ...ASSOCIATION, packets: 8 };
  expect(changed(before, { kind: "association", data: counted })).toEqual({
    file: "gateway.sa",
    associations: [counted, { ...ASSOCIATION, line: 4 }],
  });
  const unknown = { kind: "association", data: { ...counted, line: 9 } } as const;
  expect(changed(before, unknown)).toBe(before);
  expect(changed(before, { kind: "node", data: counted })).toBe(before);
  expect(needsReading(unknown)).toBe(false);
  expect(needsReading({ kind: "associations", data: {} })).toBe(true);
});
