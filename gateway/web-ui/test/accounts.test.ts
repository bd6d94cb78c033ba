import { describe, expect, test } from "vitest";
import {
  browserOf,
  grantOf,
  include,
  isDays,
  nameFault,
  textsOf,
} from "../src/pages/accounts/grants";

describe("roles", () => {
  test("are read and written in the API's form", () => {
    expect(["viewer", "operator:plant", "viewer:-"].map(grantOf)).toEqual([
      { role: "viewer", d: "" },
      { role: "operator", d: "plant" },
      { role: "viewer", d: "-" },
    ]);
    expect(
      textsOf([
        { role: "viewer", d: "plant" },
        { role: "administrator", d: "plant" },
        { role: "viewer", d: "" },
      ]),
    ).toEqual(["administrator:plant", "viewer"]);
  });

  test("of a token are within those of its account", () => {
    expect(include(["operator:plant"], { role: "viewer", d: "plant" })).toBe(true);
    expect(include(["operator:plant"], { role: "viewer", d: "" })).toBe(false);
    expect(include(["operator"], { role: "operator", d: "plant" })).toBe(true);
    expect(include(["operator"], { role: "administrator", d: "plant" })).toBe(false);
  });

  test("belong to accounts with names that the gateway takes", () => {
    expect(nameFault("ann.o@site-1")).toBeUndefined();
    expect(["Ann", "", "-ann", "a b"].map(nameFault)).toEqual(["name", "name", "name", "name"]);
    expect(["1", "366", "0", "367", "1.5", ""].map(isDays)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge, Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 (KHTML, like Gecko) Version/18 Safari/605.1",
    "Safari, macOS",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
])("a browser is named in few words", (client, name) => {
  expect(browserOf(client)).toBe(name);
});
