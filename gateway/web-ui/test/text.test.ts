import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { freshnessAt } from "../src/gateway/freshness";
import { readEndpoint, readEndpoints } from "../src/gateway/model";
import {
  coapClient,
  curl,
  placeOf,
  quoted,
  withJose,
  withPython,
  withPythonCose,
} from "../src/text/clientCommands";
import { bytes, decimal, duration, readable, unitInWords } from "../src/text/format";
import { chooseLanguage } from "../src/text/language";

afterEach(() => chooseLanguage("en"));

describe("commands for other clients", () => {
  test("quote names so that a real shell reads one word", () => {
    const words = [
      "plain",
      "a b",
      "it's",
      "$(touch x)",
      "`x`",
      "a;b&c|d",
      "*",
      '"',
      "\\",
      "-rf",
      "",
    ];
    for (const word of words) {
      const seen = execFileSync("sh", ["-c", `printf '%s|' ${quoted(word)}`], { encoding: "utf8" });
      expect(seen).toBe(`${word}|`);
    }
  });

  test("name the resource over HTTP and CoAP", () => {
    const place = placeOf(
      "coap://gw.local:5700",
      "http://gw.local:8080/ms/7/a;b",
      "http://gw.local:8080/keys/k",
      "/ms/7/a;b",
    );
    expect(curl(place)).toBe("curl -H 'Accept: application/jose' 'http://gw.local:8080/ms/7/a;b'");
    expect(coapClient(place)).toContain(
      "\ncoap-client-notls -m get -A 65100 'coap://gw.local:5700/ms/7/a;b'",
    );
  });

  test("send a token where the gateway asks for credentials", () => {
    const place = placeOf(undefined, "http://gw/ms/7/a", "http://gw/keys/k", "/ms/7/a");
    const closed = { ...place, token: true };
    const bearer = '-H "Authorization: Bearer $VIGIL_TOKEN"';
    expect(curl(closed)).toBe(`curl ${bearer} -H 'Accept: application/jose' http://gw/ms/7/a`);
    expect(withJose(closed).split(bearer)).toHaveLength(3);
    for (const program of [withPython(closed, "kid"), withPythonCose(closed, "kid", "ES256")]) {
      expect(program).toMatch(/^from os import environ\n/);
      expect(program.split('"Authorization": "Bearer " + environ["VIGIL_TOKEN"]')).toHaveLength(3);
    }
    expect(withPython(place, "kid")).not.toContain("VIGIL_TOKEN");
  });

  test("request COSE when the mote signs COSE", () => {
    const place = placeOf(
      "coap://gw.local:5683",
      "http://gw.local/ms/7/a",
      "http://gw.local/keys/k",
      "/ms/7/a",
      "COSE_Sign1",
    );
    expect(curl(place)).toBe(
      "curl -H 'Accept: application/cose' http://gw.local/ms/7/a -o reading.cose",
    );
    expect(coapClient(place)).toContain("-A 18 -o reading.cose coap://gw.local:5683/ms/7/a");
    expect(withPythonCose(place, "kid", "ES384")).toContain("hashes.SHA384()");
    expect(coapClient({ ...place, coap: undefined })).toBeUndefined();
    expect(withPythonCose(place, "kid", "EdDSA")).toContain("public.verify(signature, signed)");
  });
});

describe("the keys that wait for a name", () => {
  test("show when and from where each arrived", () => {
    const { waitingKeys } = readEndpoint({
      id: "7",
      waitingKeys: [
        { thumbprint: "kid-1", held: true, since: "2026-11-20T12:00:00Z", from: "192.0.2.1" },
        { thumbprint: "kid-2" },
      ],
    });
    expect(waitingKeys).toEqual([
      {
        thumbprint: "kid-1",
        held: true,
        note: "",
        since: Date.parse("2026-11-20T12:00:00Z"),
        from: "192.0.2.1",
      },
      { thumbprint: "kid-2", held: false, note: "", since: undefined, from: "" },
    ]);
    expect(readEndpoint({ id: "7" }).waitingKeys).toEqual([]);
  });
});

describe("freshness", () => {
  const heard = Date.parse("2026-11-20T12:00:00Z");
  const one = readEndpoint({
    id: "7",
    freshness: "on-time",
    lateAt: "2026-11-20T12:00:15Z",
    missingAt: "2026-11-20T12:00:30Z",
  });

  test.each([
    [0, "on-time"],
    [14, "on-time"],
    [15, "late"],
    [29, "late"],
    [30, "missing"],
  ])("follows the gateway's times: after %i s it is %s", (seconds, freshness) => {
    expect(freshnessAt(one, heard + seconds * 1000)).toBe(freshness);
  });

  test("is not judged while the key waits for approval", () => {
    const waiting = readEndpoint({ id: "7", freshness: "not-trusted", wakeSeconds: 5 });
    expect(freshnessAt(waiting, heard + 86_400_000)).toBe("not-trusted");
  });
});

describe("an endpoint as the gateway shows it", () => {
  test("may lack optional members, and its resources stay below it", () => {
    const read = readEndpoint({
      id: 7,
      resources: [{ path: "a/b?c", href: "//evil/x", value: 1 }],
    });
    expect(read).toMatchObject({ id: "7", ep: "", trust: undefined, wakeSeconds: undefined });
    expect(read.resources[0]).toMatchObject({ href: "/ms/7/a/b%3Fc", value: "1", seq: 0 });
  });

  test("shows a value of any kind, and the sum of a resource without a value", () => {
    const values = [{ value: false }, { value: "on" }, { value: 0, sum: 5 }, { sum: 5 }, {}];
    const { resources } = readEndpoint({
      id: 7,
      resources: values.map((one) => ({ path: "a", ...one })),
    });
    expect(resources.map(({ value }) => value)).toEqual(["false", "on", "0", "5", undefined]);
  });

  test("is refused when it is malformed", () => {
    for (const json of [null, [], {}, { id: "7", resources: [{ path: "../x" }] }]) {
      expect(() => readEndpoint(json)).toThrow(SyntaxError);
    }
    expect(() => readEndpoints({})).toThrow(SyntaxError);
  });
});

test("durations are rounded and units have common notation", () => {
  expect([0, 89_000, 90_000, 5_400_000, 200_000_000].map(duration)).toEqual([
    "0 s",
    "89 s",
    "2 min",
    "2 h",
    "2 d",
  ]);
  expect([unitInWords("Cel"), unitInWords("/"), unitInWords("furlong")]).toEqual([
    "°C",
    "",
    "furlong",
  ]);
});

test("only bytes are scaled", () => {
  expect(readable("22709044480", "B")).toEqual({ value: "22.71", unit: "GB" });
  expect(readable("999", "B")).toEqual({ value: "999", unit: "B" });
  expect(readable("123456.7", "W")).toEqual({ value: "123456.7", unit: "W" });
  expect(readable("open", "B")).toEqual({ value: "open", unit: "B" });
});

test("numbers are written as in the language of the page", () => {
  chooseLanguage("de");
  expect(readable("22709044480", "B")).toEqual({ value: "22,71", unit: "GB" });
  expect(readable("-21.50", "Cel")).toEqual({ value: "-21,50", unit: "°C" });
  expect(readable("1.5e3", "W").value).toBe("1,5e3");
  // A version or an address is not a number.
  expect(readable("1.2.3", "").value).toBe("1.2.3");
  expect([decimal(1234.5), bytes(1_500_000)]).toEqual(["1.234,5", "1,5 MB"]);
  chooseLanguage("en");
  expect([decimal(1234.5), bytes(1_500_000)]).toEqual(["1,234.5", "1.5 MB"]);
});
