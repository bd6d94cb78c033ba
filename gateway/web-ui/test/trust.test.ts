import decode from "qr/decode.js";
import { describe, expect, test } from "vitest";
import { shortAddress } from "../src/text/addresses";
import { readKeys, withFollowing } from "../src/gateway/keys";
import { placesOperated } from "../src/gateway/roles";
import { firstSeen, longestFirst, readDomains, withKeysOf } from "../src/pages/trust/api";
import { gainedIn, gainedText } from "../src/text/trustGained";
import { differingGroups, grouped, typedThumbprint } from "../src/text/fingerprint";
import { formatOf, keysIn, wrongLines } from "../src/pages/trust/importFormat";
import { identityOf, identityOfAll, selectedOf } from "../src/pages/trust/selection";
import { noteOf } from "../src/text/waitingNotes";
import { modulesOf } from "../src/parts/qr";

// The example of RFC 7638 section 3.1.
const JKT = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

describe("fingerprints", () => {
  test("stand in groups of four, the last one shorter", () => {
    const groups = grouped(JKT);
    expect(groups).toHaveLength(11);
    expect(groups.slice(0, 3)).toEqual(["NzbL", "sXh8", "uDCc"]);
    expect(groups.at(-1)).toBe("9Xs".slice(-3));
    expect(groups.join("")).toBe(JKT);
  });

  test("are read with spaces, line breaks and as the URI of RFC 9278", () => {
    for (const text of [
      JKT,
      ` ${grouped(JKT).join(" ")}\n`,
      `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${JKT}`,
    ]) {
      expect(typedThumbprint(text)).toEqual({ state: "thumbprint", thumbprint: JKT });
    }
  });

  test("are refused with a letter too few, a wrong letter or a wrong end", () => {
    expect(typedThumbprint("  ")).toEqual({ state: "empty" });
    expect(typedThumbprint(JKT.slice(1))).toEqual({ state: "wrong", letters: 42 });
    expect(typedThumbprint(`${JKT.slice(0, 20)}+${JKT.slice(21)}`).state).toBe("wrong");
    // The last letter has two bits beyond the last octet.
    expect(typedThumbprint(`${JKT.slice(0, -1)}t`).state).toBe("wrong");
  });

  test("show the groups in which they differ", () => {
    const other = `X${JKT.slice(1, -1)}0`;
    expect([...differingGroups(JKT, other)]).toEqual([0, 10]);
    expect(differingGroups(JKT, JKT).size).toBe(0);
  });

  test("equal the text that a scanner reads from the QR code", () => {
    const { path, size } = modulesOf(JKT);
    const scale = 4;
    const data = new Uint8Array(size * scale * size * scale * 4).fill(255);
    for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
      for (let row = 0; row < scale; row++) {
        for (let column = 0; column < scale; column++) {
          const at = (Number(y) * scale + row) * size * scale + Number(x) * scale + column;
          data.fill(0, at * 4, at * 4 + 3);
        }
      }
    }
    expect(decode({ width: size * scale, height: size * scale, data })).toBe(JKT);
  });
});

describe("keys of the API", () => {
  const answer = {
    keys: [
      {
        thumbprint: "b",
        ep: "two",
        d: "",
        endpoint: "2",
        state: "held",
        waitingFrom: "::1",
        waitingSince: "2026-01-02T00:00:00Z",
        note: "another key asks for the name",
      },
      {
        thumbprint: "a",
        ep: "one",
        d: "lab",
        endpoint: "1",
        state: "pending",
        waitingSince: "2026-01-01T00:00:00Z",
      },
      { thumbprint: "c", d: "stock", state: "listed" },
    ],
    next: "cursor",
  };

  test("are read with empty texts for absent members", () => {
    const { keys, next } = readKeys(answer);
    expect(next).toBe("cursor");
    expect(keys[0]).toMatchObject({ state: "held", from: "::1", ep: "two" });
    expect(keys[2]).toEqual({
      thumbprint: "c",
      endpoint: "",
      ep: "",
      d: "stock",
      state: "listed",
      note: "",
      since: undefined,
      from: "",
    });
  });

  test("are in the order of arrival", () => {
    const { keys } = readKeys(answer);
    expect(longestFirst(keys.slice(0, 2)).map(({ ep }) => ep)).toEqual(["one", "two"]);
  });

  test("begin with their oldest decision in the audit trail", () => {
    const audit = {
      decisions: [
        { key: "other", what: "revoked", by: "account:ann", at: "2026-01-01T00:00:00Z" },
        { key: JKT, what: "trusted on first use", by: "mirror", at: "2026-01-02T00:00:00Z" },
        { key: JKT, what: "approved", by: "account:ann", at: "2026-01-03T00:00:00Z" },
      ],
    };
    expect(firstSeen(audit, JKT)).toBe(Date.parse("2026-01-02T00:00:00Z"));
    expect(firstSeen({ decisions: [] }, JKT)).toBeUndefined();
  });

  test("say who approved them, else how they became trusted", () => {
    const decision = (what: string, by: string) => ({
      key: JKT,
      what,
      by,
      at: "2026-01-02T00:00:00Z",
    });
    const first = decision("trusted on first use", "mirror");
    const gained = (...decisions: object[]) => gainedIn({ decisions }, JKT);
    expect(gained(first)).toMatchObject({ how: "first-use", by: "mirror" });
    expect(gained(first, decision("approved", "ann"), first)).toEqual({
      how: "approved",
      by: "ann",
      at: Date.parse("2026-01-02T00:00:00Z"),
    });
    expect(gained(decision("approved for the next registration", "bea"))?.by).toBe("bea");
    expect(gained(decision("rotated from x", "mirror"))?.how).toBe("rotated");
    expect(gained(decision("cancelled command 7", "ann"))).toBeUndefined();
    expect(gainedText({ how: "approved", by: "account:ann", at: undefined })).toBe(
      "approved by ann",
    );
  });

  test("are trusted as their domain says", () => {
    expect(
      readDomains({
        domains: [
          { name: "-", trust: "first-use" },
          { name: "lab", trust: "listed" },
        ],
      }),
    ).toEqual([
      { d: "", trust: "first-use" },
      { d: "lab", trust: "listed" },
    ]);
  });

  test("wait for reasons that the page can explain", () => {
    expect(noteOf("waits for approval")).toEqual({ kind: "approval" });
    expect(noteOf("another key asks for the name")).toEqual({ kind: "otherKey" });
    expect(noteOf("the key is that of mote-1 in lab")).toEqual({
      kind: "elsewhere",
      owner: "mote-1 in lab",
    });
    expect(noteOf(`rotation from ${JKT}`)).toEqual({ kind: "rotation" });
    expect(noteOf("a new reason")).toEqual({ kind: "other", text: "a new reason" });
  });
});

test("source addresses are short", () => {
  expect(shortAddress("fd00:0:0:0:56:4947:494c:1")).toBe("fd00::56:4947:494c:1");
  expect(shortAddress("10.0.0.1")).toBe("10.0.0.1");
  expect(shortAddress("not:an:address")).toBe("not:an:address");
});

describe("imports", () => {
  const set = '{\n  "keys": [\n    {"kty": "EC", "x": "{["},\n    {"kty":\n      "OKP"}\n  ]\n}';

  test("are distinguished by their first letter", () => {
    expect(formatOf(set)).toBe("jwk-set");
    expect(formatOf("\ufeff {")).toBe("jwk-set");
    expect(formatOf("jkt;ep\n")).toBe("csv");
  });

  test("are counted before they are sent", () => {
    expect(keysIn(set)).toBe(2);
    expect(keysIn("jkt,ep\na,b\n\nc,d\n")).toBe(2);
    expect(keysIn("{ no JSON")).toBeUndefined();
  });

  test("show the line that the gateway refuses", () => {
    const csv = "jkt,ep\nfirst,one\nsecond,two";
    const second = { number: 3, text: "second,two" };
    expect(wrongLines(csv, 'line 3: the key is for domain "x"')).toEqual([second]);
    const both = "line 2: jkt: no thumbprint; line 3: another; nothing was imported";
    expect(wrongLines(csv, both)).toEqual([{ number: 2, text: csv.split("\n")[1] }, second]);
    expect(wrongLines(set, "keys[1]: ep must be a string")).toEqual([
      { number: 4, text: '    {"kty":' },
    ]);
    expect(wrongLines(csv, "line 9: too far")).toEqual([]);
    expect(wrongLines(set, "keys[2]: too far")).toEqual([]);
    expect(wrongLines(csv, "the body: it contains no key")).toEqual([]);
  });
});

test("an event replaces the waiting keys of its name, and of no other", () => {
  const key = (endpoint: string, thumbprint: string, state: string) => ({
    endpoint,
    ep: `mote-${endpoint}`,
    thumbprint,
    state,
    waitingSince: `2026-01-01T0${endpoint}:00:00Z`,
  });
  const { keys } = readKeys({ keys: [key("1", "a", "pending"), key("2", "b", "held")] });
  const event = { endpoint: "1", keys: [key("1", "a", "trusted"), key("1", "c", "held")] };
  expect(withKeysOf(keys, event).map(({ thumbprint }) => thumbprint)).toEqual(["c", "b"]);
  expect(withKeysOf(keys, { endpoint: "2", keys: [] })).toHaveLength(1);
});

describe("selected keys", () => {
  const key = (endpoint: string, thumbprint: string) => ({
    endpoint,
    thumbprint,
    state: "pending",
  });
  const { keys: before } = readKeys({ keys: [key("1", "a"), key("2", "b")] });
  const { keys: after } = readKeys({ keys: [key("2", "b"), key("1", "c")] });

  test("do not include a later key of the same endpoint", () => {
    const chosen = new Set(before.map(identityOf));
    expect(selectedOf(before, chosen)).toEqual(before);
    expect(selectedOf(after, chosen).map(({ thumbprint }) => thumbprint)).toEqual(["b"]);
  });

  test("are compared as a set: with another key, all over again", () => {
    expect(identityOfAll([...before].reverse())).toBe(identityOfAll(before));
    expect(identityOfAll(after)).not.toBe(identityOfAll(before));
    expect(identityOfAll(before.slice(1))).not.toBe(identityOfAll(before));
  });
});

test("a page of keys is added once, and only after the page it follows", () => {
  const page = (thumbprint: string, next: string) =>
    readKeys({ keys: [{ thumbprint, state: "trusted" }], next });
  const two = withFollowing(page("a", "1"), "1", page("b", "2"));
  expect(two.keys.map(({ thumbprint }) => thumbprint)).toEqual(["a", "b"]);
  expect(two.next).toBe("2");
  expect(withFollowing(two, "1", page("b", "2"))).toBe(two);
});

test("approval ahead in all domains needs the role in all of them", () => {
  const session = (...roles: string[]) => ({
    state: "signed-in" as const,
    account: { name: "ann", roles, provider: "", passwordChangeNeeded: false },
  });
  const domains = ["-", "lab", "plant"];
  expect(placesOperated(session("operator"), domains)).toEqual(["", ...domains]);
  expect(placesOperated(session("operator:lab", "viewer"), domains)).toEqual(["lab"]);
  expect(placesOperated(session("administrator:-"), domains)).toEqual(["-"]);
});
