import { expect, test } from "vitest";
import {
  draftOf,
  faultyDurations,
  faultyNumbers,
  inForce,
  settingsOf,
} from "../src/pages/domains/draft";
import { nameFault, typedName } from "../src/pages/domains/name";
import type { Domain } from "../src/pages/domains/api";

test("a draft of stored settings stores the same again", () => {
  const stored = {
    trust: "listed",
    policy: { read: ["psk:a", "account:bob"], command: [] },
    confidential: false,
    window: 12,
    history: { ageSeconds: 0 },
    limits: { payload: 500 },
  };
  const draft = draftOf(stored);
  expect(draft["policy.read"]).toBe("psk:a, account:bob");
  // An empty list of principals is left out, so the default applies.
  expect(settingsOf(draft)).toEqual({ ...stored, policy: { read: ["psk:a", "account:bob"] } });
  expect(settingsOf(draftOf(undefined))).toEqual({});
});

test("wrong numbers are reported, and values in force are found by their members", () => {
  const draft = { ...draftOf(undefined), window: "many", "limits.payload": " 7 " };
  expect([...faultyNumbers(draft)]).toEqual(["window"]);
  const domain = { limits: { payload: 8192 }, policy: { read: ["anyone"] } } as unknown as Domain;
  expect(inForce(domain, "limits.payload")).toBe("8192");
  expect(inForce(domain, "policy.read")).toBe("anyone");
});

test("durations have units in the form, and are seconds in what is stored", () => {
  const stored = { maxDelaySeconds: 5400, history: { ageSeconds: 2_592_000 } };
  const draft = draftOf(stored);
  expect([draft.maxDelaySeconds, draft["history.ageSeconds"]]).toEqual(["1 h 30 min", "30 d"]);
  expect(settingsOf(draft)).toEqual(stored);
  expect(settingsOf({ ...draft, maxDelaySeconds: "2w 1d" })).toMatchObject({
    maxDelaySeconds: 1_296_000,
  });
  for (const wrong of ["30", "5 m", "d", "1.5 h", "-1 s", "1 h x"]) {
    const typed = { ...draft, "history.ageSeconds": wrong };
    expect([...faultyDurations(typed)]).toEqual(["history.ageSeconds"]);
  }
  expect(faultyDurations({ ...draft, "history.ageSeconds": "0" }).size).toBe(0);
});

test.each([
  [" plant 2 ", undefined],
  ["50%2F", undefined],
  ["Stra\u00dfe", undefined],
  ["u\u0308ber", undefined],
  ["", "needed"],
  ["\u00e4".repeat(32), "long"],
  ["..", "dot"],
  ["a/b", "slash"],
  ["a\\b", "slash"],
  ["-", "hyphen"],
  ["a\u200bb", "hidden"],
  ["a  b", "spaces"],
  ["a\u00a0b", "spaces"],
])("the name %j of a domain has the fault %s", (typed, fault) => {
  expect(nameFault(typedName(typed))).toBe(fault);
});
