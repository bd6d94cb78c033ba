import { describe, expect, test } from "vitest";
import { compare } from "../src/pages/enrol/comparison";
import type { Key } from "../src/gateway/keys";
import { labelsOf, MAX_LABELS, sheetsOf } from "../src/pages/enrol/labels";
import { labelIn, parametersOfLabel, readKeyLabel, textOfLabel } from "../src/text/keyLabel";

// The examples of RFC 7638 section 3.1 and RFC 8037 appendix A.3.
const JKT = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const OTHER = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

const label = { thumbprint: JKT, ep: "pump & co", d: "" };

describe("a label", () => {
  test("is read from the address that a phone opens, whatever the host", () => {
    const text = textOfLabel("https://gateway.example:8443/vigil/?x=1#/trust", label);
    expect(text).toBe(
      `https://gateway.example:8443/vigil/#/enrol?key=${JKT}&ep=pump%20%26%20co&d=-`,
    );
    expect(readKeyLabel(text)).toEqual(label);
    expect(readKeyLabel(text.replace("gateway.example", "other.example"))).toEqual(label);
  });

  test("is read from a URN with and without names, and from groups", () => {
    const urn = `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${JKT}`;
    expect(readKeyLabel(`${urn}#ep=pump%20%26%20co&d=-`)).toEqual(label);
    const bare = { thumbprint: JKT, ep: undefined, d: undefined };
    expect(readKeyLabel(urn)).toEqual(bare);
    expect(readKeyLabel(` ${JKT.slice(0, 4)} ${JKT.slice(4)}\n`)).toEqual(bare);
  });

  test("is nothing else", () => {
    for (const text of [
      "",
      "https://gateway.example/",
      "https://gateway.example/#/enrol?ep=pump",
      `https://gateway.example/#/trust?key=${JKT}`,
      `https://gateway.example/#/enrol?key=${JKT.slice(1)}`,
      `https://gateway.example/#/enrol?key=${JKT}&ep=pump%E2%80%AE`,
      `WIFI:${JKT}`,
    ]) {
      expect(readKeyLabel(text), text).toBeUndefined();
    }
  });

  test("is the same after it was in the page's address", () => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(parametersOfLabel(label))) {
      if (value !== undefined) parameters.set(name, value);
    }
    expect(labelIn(parameters)).toEqual(label);
  });
});

describe("the comparison", () => {
  const key = (state: Key["state"], more: Partial<Key> = {}): Key => ({
    thumbprint: JKT,
    endpoint: "7",
    ep: "pump & co",
    d: "",
    state,
    note: "",
    since: undefined,
    from: "",
    ...more,
  });
  const outcome = (ofKey: Key[], ofName: Key[] = ofKey) => compare(label, { ofKey, ofName });

  test("is the same only if name, domain and the whole thumbprint are", () => {
    expect(outcome([key("pending")])).toMatchObject({ verdict: "same", state: "waiting" });
    expect(outcome([key("trusted")])).toMatchObject({ verdict: "same", state: "trusted" });
    expect(outcome([key("held")])).toMatchObject({ verdict: "same", state: "held" });
    for (const more of [{ ep: "pump" }, { d: "plant" }]) {
      expect(outcome([key("pending", more)], [])).toMatchObject({ reason: "otherName" });
    }
    const anyName = { thumbprint: JKT, ep: undefined, d: undefined };
    const found = { ofKey: [key("pending", { d: "plant" })], ofName: [] };
    expect(compare(anyName, found)).toMatchObject({ verdict: "same", state: "waiting" });
  });

  test("differs if another key has or requests the name, however alike", () => {
    const alike = `${JKT.slice(0, -1)}w`;
    for (const thumbprint of [OTHER, alike]) {
      for (const state of ["pending", "trusted"] as const) {
        const other = key(state, { thumbprint });
        expect(outcome([], [other])).toEqual({
          verdict: "different",
          reason: "otherKey",
          key: other,
        });
      }
    }
    const waiting = key("pending", { thumbprint: OTHER });
    expect(outcome([key("listed", { endpoint: "" })], [waiting])).toMatchObject({
      reason: "otherKey",
      key: waiting,
    });
    expect(outcome([], [key("pending", { thumbprint: OTHER, d: "plant" })])).toMatchObject({
      verdict: "none",
    });
  });

  test("never offers a key that was revoked or replaced", () => {
    expect(outcome([key("revoked"), key("pending")])).toMatchObject({ state: "ended" });
    expect(outcome([key("revoked", { ep: "" })])).toMatchObject({ state: "ended" });
    expect(outcome([key("replaced")])).toMatchObject({ state: "ended" });
  });

  test("waits for a mote that is unknown or approved ahead", () => {
    expect(outcome([])).toEqual({ verdict: "none", state: "unknown" });
    expect(outcome([key("unproven")])).toEqual({ verdict: "none", state: "unknown" });
    expect(outcome([key("listed", { ep: "" })], [])).toEqual({
      verdict: "none",
      state: "expected",
    });
  });
});

test("labels are printed for trusted keys only, 21 on a sheet", () => {
  const shown = (n: number, trust: "trusted" | "pending") =>
    ({ endpoint: { id: `${n}`, ep: `m${n}`, d: "", name: "", location: "Hall", trust } }) as never;
  const all = Array.from({ length: 50 }, (_, n) => shown(n, n === 7 ? "pending" : "trusted"));
  const labels = labelsOf(all, " hall");
  expect(labels).toHaveLength(49);
  expect(labels.slice(0, 3).map(({ ep }) => ep)).toEqual(["m0", "m1", "m2"]);
  expect(labels.some(({ ep }) => ep === "m7")).toBe(false);
  expect(sheetsOf(labels).map((sheet) => sheet.length)).toEqual([21, 21, 7]);
  expect(labelsOf(all, "cellar")).toEqual([]);
  expect(MAX_LABELS % 21).toBe(0);
});
