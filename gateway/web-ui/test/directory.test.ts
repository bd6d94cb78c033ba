import { describe, expect, test } from "vitest";
import { LinkFormatError, parseLinks, valueOf } from "../src/pages/directory/linkFormat";
import { asCoapClient, asCurl, FIRST, pathOf } from "../src/pages/directory/lookup";
import { coapBase } from "../src/text/clientCommands";

describe("link format", () => {
  test("the examples of RFC 9176 are read", () => {
    const [first, second] = parseLinks(
      '</rd/1234>;ep="node1";base="coap://[2001:db8:3::127]:61616";et="oic.d.sensor";lt=60,</rd/4>;obs',
    );
    expect(first?.target).toBe("/rd/1234");
    expect(first && valueOf(first, "base")).toBe("coap://[2001:db8:3::127]:61616");
    expect(first && valueOf(first, "lt")).toBe("60");
    expect(second?.attributes).toEqual([{ name: "obs", value: undefined }]);
    expect(parseLinks("")).toEqual([]);
  });

  test("quotes may hold commas, semicolons and escaped quotes", () => {
    const [link] = parseLinks(String.raw`</t>;title="a, b; \"c\" \\";if=sensor`);
    expect(link && valueOf(link, "title")).toBe(String.raw`a, b; "c" \ `.trim());
    expect(link && valueOf(link, "if")).toBe("sensor");
    expect(link && valueOf(link, "rt")).toBeUndefined();
  });

  test("malformed parts are reported with their position", () => {
    for (const [text, where] of [
      ["/rd/1", /character 1: a link begins with </],
      ["</rd/1", /> is missing/],
      ["</a>;=1", /an attribute has no name/],
      ["</a>;rt=", /attribute rt has no value/],
      ['</a>;rt="x', /a quote is not closed/],
      ["</a> ,</b>", /character 5: a comma or semicolon is missing/],
    ] as const) {
      expect(() => parseLinks(text)).toThrow(where);
      expect(() => parseLinks(text)).toThrow(LinkFormatError);
    }
  });
});

describe("lookups", () => {
  const lookup = {
    ...FIRST,
    kind: "res" as const,
    criteria: { ...FIRST.criteria, rt: "load*", ep: "a b&c", href: "coap://[::1]/t" },
    page: 2,
  };

  test("become the path that a client sends", () => {
    expect(pathOf(lookup)).toBe(
      "/rd-lookup/res?ep=a%20b%26c&rt=load*&href=coap://%5B::1%5D/t&page=2&count=50",
    );
    expect(pathOf(FIRST)).toBe("/rd-lookup/ep?count=50");
  });

  test("become commands with the gateway's own ports, quoted for a shell", () => {
    const path = pathOf(lookup);
    expect(asCoapClient("coap://[::1]:40123", path)).toBe(
      `coap-client-notls -m get -A 40 'coap://[::1]:40123${path}'`,
    );
    expect(asCurl("http://localhost:8080/rd-lookup/ep?count=50", false)).toBe(
      "curl -H 'Accept: application/link-format' 'http://localhost:8080/rd-lookup/ep?count=50'",
    );
    expect(asCurl("http://x/", true)).toMatch(/-H "Authorization: Bearer \$VIGIL_TOKEN"/);
  });

  test("name an address that the reader can reach", () => {
    const addresses = [
      "coap://[fe80::1]:5683",
      "coap://[::1]:5700",
      "coaps://[::1]:5701",
      "http://[::1]:80",
    ];
    expect(coapBase(new URL("http://localhost:8080/"), addresses)).toBe("coap://[::1]:5700");
    expect(coapBase(new URL("https://plant.example/"), addresses)).toBe(
      "coap://plant.example:5700",
    );
    expect(coapBase(new URL("http://localhost/"), ["http://[::1]:80"])).toBeUndefined();
  });
});
