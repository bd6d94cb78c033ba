import { describe, expect, test } from "vitest";
import { ApiProblem } from "../src/gateway/api";
import { fieldFault } from "../src/gateway/fieldFault";
import { bodyOf, draftOf, faultsOf, NEW_RADIO } from "../src/pages/network/settingsDraft";
import { originOf, type Stored } from "../src/pages/network/stored";

const STORED: Stored = {
  radios: [
    { kind: "serial", device: "/dev/ttyACM0", baud: 9600 },
    { kind: "zep", host: "sim", port: 17754 },
  ],
  filter: ["allow in udp 5683", "deny in any"],
  linkSecurity: { level: 6, keyIndex: 3 },
};

describe("a draft of the network's stored settings", () => {
  test("stores the same again, and keeps the key that nobody can read", () => {
    expect(bodyOf(draftOf(STORED))).toEqual(STORED);
    expect(bodyOf(draftOf(undefined))).toEqual({});
    const without = { linkSecurity: { level: 5, keyIndex: -1 } };
    expect(bodyOf(draftOf(without))).toEqual(without);
  });

  test("leaves out fields that another kind of radio has", () => {
    const radio = { ...NEW_RADIO, kind: "tcp" as const, device: "/dev/ttyS0", port: " 1 " };
    expect(bodyOf({ ...draftOf(undefined), radios: [radio] })).toEqual({
      radios: [{ kind: "tcp", port: 1 }],
    });
  });

  test("reports faults by the names of the API", () => {
    const draft = draftOf(STORED);
    expect([...faultsOf(draft, true)]).toEqual([]);
    expect([...faultsOf(draft, false)]).toEqual([["linkSecurity.key", "noKey"]]);
    const radios = [
      { ...NEW_RADIO, baud: "0" },
      { ...NEW_RADIO, kind: "zep" as const, baud: "0", port: "65536" },
    ];
    expect([...faultsOf({ ...draft, radios, key: "12", keyIndex: "-1" }, true)]).toEqual([
      ["radios[0].baud", "baud"],
      ["radios[1].port", "port"],
      ["linkSecurity.key", "key"],
      ["linkSecurity.keyIndex", "keyIndex"],
    ]);
  });
});

test("a refused line of the filter is found by its number", () => {
  const refused = new ApiProblem(400, "filter[1]: alow is neither allow nor deny");
  expect(fieldFault(refused, ["filter[0]", "filter[1]"])).toEqual({
    field: "filter[1]",
    fault: "Alow is neither allow nor deny.",
  });
});

test("members come from the settings file, the store or the defaults", () => {
  const settings = { fileMembers: ["radios" as const], stored: STORED, restartNeeded: false };
  const named = [
    { name: "border.radios[0].baud", source: "default" as const },
    { name: "border.radios[0].kind", source: "file" as const, place: "site.yaml, line 3" },
  ];
  expect(originOf("radios", settings, named)).toEqual({
    source: "file",
    place: "site.yaml, line 3",
  });
  expect(originOf("filter", settings, named)).toEqual({ source: "store" });
  expect(originOf("filter", { ...settings, stored: {} }, named)).toEqual({ source: "default" });
});
