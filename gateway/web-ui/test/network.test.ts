import { describe, expect, test } from "vitest";
import { interfaceId, interfaceIdOf, shortName } from "../src/pages/network/addresses";
import type { ChangeKind } from "../src/gateway/changes";
import type { Json } from "../src/gateway/json";
import { readEndpoint } from "../src/gateway/model";
import { readNetwork } from "../src/pages/network/api";
import { changed, needsReading } from "../src/pages/network/live";
import { dropMessages } from "../src/pages/network/dropMessages";
import {
  caption,
  endpointsByNode,
  graphOf,
  kindOf,
  levelName,
  qualityOf,
  search,
  wayTo,
} from "../src/pages/network/graph";
import { SPACING, treeLayout, type Kind, type TreeNode } from "../src/parts/meshLayout";

describe("addresses", () => {
  test("have the identifier of the node's EUI-64", () => {
    expect(interfaceId("fd00::56:4947:494c:1001")).toBe("00564947494c1001");
    expect(interfaceIdOf("02:56:49:47:49:4c:10:01")).toBe("00564947494c1001");
    expect(interfaceIdOf("02564947494c1001")).toBe(interfaceId("fe80::56:4947:494c:1001%wpan0"));
    expect(interfaceId("1:2:3:4:5:6:7:8")).toBe("0005000600070008");
  });

  test("that are invalid have none", () => {
    for (const none of ["", "10.0.0.1", "fd00:::1", "1:2:3", "1::2::3", "fd00::g"]) {
      expect(interfaceId(none)).toBe("");
    }
    expect(interfaceIdOf("0256")).toBe("");
    expect(shortName("00564947494c1001")).toBe("1001");
  });
});

describe("the layout", () => {
  const tree = (...pairs: [string, string | undefined][]): TreeNode[] =>
    pairs.map(([id, parent]) => ({ id, parent, name: id, kind: "fine" }));
  const leaves = (count: number, parent: string | undefined, kind: Kind = "fine"): TreeNode[] =>
    Array.from({ length: count }, (_, at) => {
      const id = `${kind}-${at}`;
      return { id, parent, name: id, kind };
    });
  const placesOf = (nodes: TreeNode[], opened?: ReadonlySet<string>) =>
    new Map(treeLayout("root", nodes, opened).nodes.map((place) => [place.id, place]));

  test("places parents left of their children, in the middle of them", () => {
    const places = placesOf(tree(["a", "root"], ["b", "a"], ["c", "a"], ["d", "root"]));
    expect(places.get("root")).toMatchObject({ depth: 0, leaf: false });
    expect(places.get("c")).toMatchObject({ depth: 2, parent: "a", leaf: true });
    for (const { parent, x } of places.values()) {
      if (parent !== undefined) expect(places.get(parent)?.x).toBeLessThan(x);
    }
    const middle = ((places.get("b")?.y ?? 0) + (places.get("c")?.y ?? 0)) / 2;
    expect(places.get("a")?.y).toBe(middle);
  });

  test("does not depend on the order of nodes", () => {
    const nodes = tree(
      ["a", "root"],
      ["b", "a"],
      ["c", "root"],
      ["d", "c"],
      ["e", "c"],
      ["x", undefined],
    );
    expect(treeLayout("root", nodes)).toEqual(treeLayout("root", [...nodes].reverse()));
  });

  test("gives every node its own place inside the picture", () => {
    const nodes = [
      ...tree(["a", "root"], ["b", "a"]),
      ...leaves(40, "a"),
      ...leaves(9, "b", "poor"),
    ];
    const closed = treeLayout("root", nodes);
    const opened = new Set(closed.clusters.map(({ id }) => id));
    for (const layout of [closed, treeLayout("root", nodes, opened)]) {
      for (const one of layout.nodes) {
        expect(one.x).toBeGreaterThan(0);
        expect(one.x).toBeLessThan(layout.width);
        expect(one.y).toBeGreaterThan(0);
        expect(one.y).toBeLessThan(layout.height);
        for (const other of layout.nodes) {
          if (one === other || one.x !== other.x) continue;
          expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(SPACING.y);
        }
      }
    }
  });

  test("shows 250 motes in a few clusters of similar motes", () => {
    const nodes = [
      ...leaves(220, "root"),
      ...leaves(27, "root", "silent"),
      ...leaves(3, "root", "poor"),
    ];
    const { nodes: placed, clusters } = treeLayout("root", nodes);
    expect(placed).toHaveLength(1 + 10 + 2 + 3);
    expect(clusters.map(({ members }) => members.length)).toEqual([13, 14, ...Array(10).fill(22)]);
    expect(clusters.flatMap(({ members }) => members)).toHaveLength(247);
    for (const { kind, members } of clusters) {
      expect(new Set(members.map((member) => member.kind))).toEqual(new Set([kind]));
    }
    const names = clusters.find(({ kind }) => kind === "fine")?.members.map(({ name }) => name);
    expect(names?.slice(0, 2)).toEqual(["fine-0", "fine-1"]);
  });

  test("shows the members of an opened cluster where it stood", () => {
    const nodes = leaves(40, "root");
    const [first] = treeLayout("root", nodes).clusters;
    const places = placesOf(nodes, new Set([first?.id ?? ""]));
    expect(places.size).toBe(1 + 20 + 1);
    expect(places.get("fine-3")).toMatchObject({ parent: "root", depth: 1, cluster: undefined });
  });

  test("puts loops and nodes without a parent below, not connected", () => {
    const places = placesOf(tree(["a", "root"], ["b", "c"], ["c", "b"], ["lost", undefined]));
    expect(places.size).toBe(5);
    for (const id of ["b", "c", "lost"]) {
      expect(places.get(id)).toMatchObject({ parent: undefined, depth: undefined });
      expect(places.get(id)?.y).toBeGreaterThan(places.get("a")?.y ?? Infinity);
    }
  });
});

const FIGURES = {
  frames: 5,
  octetsIn: 50,
  sent: 2,
  octetsOut: 20,
  etx: 1.2,
  dropped: { mic_wrong: 1 },
};
const NOW = Date.parse("2026-01-01T12:00:00Z");
const ANSWER = {
  radio: { panId: "0xabcd", channel: 26, prefix: "fd00::/64", eui64: "02564947494c0001" },
  radios: [{ name: "virtual", up: true, waiting: 0, ...FIGURES }],
  neighbours: [
    {
      eui64: "02564947494c1001",
      address: "fe80::56:4947:494c:1001",
      radio: "virtual",
      level: 5,
      heardAt: "2026-01-01T11:59:50Z",
      lqi: 200,
      ...FIGURES,
    },
    {
      eui64: "02564947494c1009",
      address: "fe80::56:4947:494c:1009",
      radio: "virtual",
      level: 0,
      heardAt: "2026-01-01T11:00:00Z",
    },
  ],
  others: { frames: 0 },
  dodagVersion: 240,
  routes: 2,
  nodes: [
    {
      address: "fd00::56:4947:494c:1001",
      parent: "fd00::56:4947:494c:1",
      rank: 256,
      hops: 1,
      ep: "a-boiler-with-a-long-name",
      secondsLeft: 900,
      secondsSilent: 4,
    },
    {
      address: "fd00::56:4947:494c:1002",
      parent: "fd00::56:4947:494c:1001",
      hops: 2,
      secondsLeft: 900,
      secondsSilent: 30,
    },
    { address: "fd00::56:4947:494c:1003", parent: "fd00::56:4947:494c:1002" },
  ],
  drops: { mic_wrong: 3, malformed: 1 },
  capture: { readers: 1, lost: 0 },
};

describe("the graph", () => {
  const graph = graphOf(readNetwork(ANSWER, NOW), NOW);
  const node = (digits: string) => graph.nodes.find(({ id }) => id.endsWith(digits));

  test("joins neighbours of the radio with nodes of the root", () => {
    expect(graph.root).toBe("00564947494c0001");
    expect(graph.nodes).toHaveLength(4);
    expect(node("1001")).toMatchObject({ parent: graph.root, link: "route", reach: "reachable" });
    expect(node("1001")?.neighbour?.level).toBe(5);
    expect(node("1002")).toMatchObject({
      parent: "00564947494c1001",
      link: "route",
      neighbour: undefined,
    });
  });

  test("shortens names of endpoints to fit", () => {
    const [boiler, unnamed] = [node("1001"), node("1002")];
    expect(boiler && caption(boiler)).toBe("a-bo…g-name");
    expect(unnamed && caption(unnamed)).toBe("");
  });

  test("shows nodes that only the radio hears below the gateway, silent ones as such", () => {
    expect(node("1009")).toMatchObject({ parent: graph.root, link: "heard", reach: "silent" });
  });

  test("leaves nodes without a route unconnected", () => {
    expect(node("1003")).toMatchObject({ parent: undefined, link: "none", reach: "no-route" });
  });

  test("says whether a node is routed to, only heard, or neither", () => {
    const ways = graph.nodes.map((one) => [one.id.slice(-4), wayTo(one)]);
    expect(ways).toEqual([
      ["1001", 1],
      ["1002", 2],
      ["1003", undefined],
      ["1009", "heard"],
    ]);
  });

  test("shows a slip-radio with another EUI-64 as the gateway", () => {
    const [virtual] = ANSWER.radios;
    const slip = { ...virtual, eui64: "0212740100010101" };
    const neighbours = [...ANSWER.neighbours, { ...ANSWER.neighbours[1], eui64: slip.eui64 }];
    const parent = "fd00::12:7401:1:101";
    const nodes = ANSWER.nodes.map((node) => (node.hops === 1 ? { ...node, parent } : node));
    const network = readNetwork({ ...ANSWER, radios: [slip], neighbours, nodes }, NOW);
    const links = ({ nodes }: typeof graph) =>
      nodes.map(({ id, parent, link }) => [id, parent, link]);
    expect(links(graphOf(network, NOW))).toEqual(links(graph));
  });

  test("rates links by transmissions, else by the radio's measurement", () => {
    const [measured, unmeasured] = readNetwork(ANSWER, NOW).neighbours;
    expect(qualityOf(measured)).toBe("good");
    expect(measured && qualityOf({ ...measured, etx: 4 })).toBe("poor");
    expect(unmeasured && qualityOf({ ...unmeasured, lqi: 100 })).toBe("fair");
    expect(qualityOf(unmeasured)).toBeUndefined();
    expect([levelName(0), levelName(5), levelName(9)]).toEqual(["none", "ENC-MIC-32", "9"]);
  });
});

test("every reason with a meaning has one in both languages", () => {
  expect(Object.keys(dropMessages.de).sort()).toEqual(Object.keys(dropMessages.en).sort());
});

test("nodes get the names of their endpoints, also those without a route", () => {
  const endpoint = readEndpoint({ id: "9", ep: "pump", eui64: "02564947494c1009" });
  const named = endpointsByNode([{ endpoint, resources: [], pin: undefined }]);
  const { nodes } = graphOf(readNetwork(ANSWER, NOW), NOW, named);
  const node = nodes.find(({ id }) => id.endsWith("1009"));
  expect(node && [caption(node), node.endpoint?.id]).toEqual(["pump", "9"]);
});

test("a search finds nodes by endpoint, name and address, with all its words", () => {
  const endpoint = readEndpoint({ id: "9", ep: "pump", eui64: "02564947494c1009" });
  const named = endpointsByNode([{ endpoint, resources: [], pin: undefined }]);
  const { nodes } = graphOf(readNetwork(ANSWER, NOW), NOW, named);
  const found = (text: string) => search(nodes, text)?.map(({ id }) => id.slice(-4));
  expect(found("  ")).toBeUndefined();
  expect(found("PUMP 1009")).toEqual(["1009"]);
  expect(found("fd00::56:4947:494c:1002")).toEqual(["1002"]);
  expect(found("boiler")).toEqual(["1001"]);
  expect(found("pump boiler")).toEqual([]);
});

test("motes of one kind look the same to an operator", () => {
  const { nodes } = graphOf(readNetwork(ANSWER, NOW), NOW);
  expect(nodes.map((node) => [node.id.slice(-4), kindOf(node)])).toEqual([
    ["1001", "fine"],
    ["1002", "fine"],
    ["1003", "no-route"],
    ["1009", "silent"],
  ]);
});

describe("changes of the network", () => {
  const network = readNetwork(ANSWER, NOW);
  const after = (kind: ChangeKind, data: Json) => changed(network, { kind, data }, NOW + 60_000);

  test("replace, add and remove one thing", () => {
    const { radios } = after("radio", { name: "virtual", up: false });
    expect(radios.map(({ name, up }) => [name, up])).toEqual([["virtual", false]]);
    expect(after("neighbour", { eui64: "02564947494c1005" }).neighbours).toHaveLength(3);
    expect(after("neighbour-gone", { eui64: "02564947494c1009" }).neighbours).toHaveLength(1);
    const address = "fd00::56:4947:494c:1003";
    expect(after("node-gone", { address }).nodes).toHaveLength(2);
    expect(after("network-figures", { drops: { no_route: 7 } }).drops).toEqual({ no_route: 7 });
  });

  test("say when the root heard a node, in any order of arrival", () => {
    const address = "fd00::56:4947:494c:1002";
    const { nodes } = after("node", { address, hops: 1, secondsSilent: 2, secondsLeft: 10 });
    const [before, heard] = nodes;
    expect(before?.heardAt).toBe(NOW - 4_000);
    expect(heard).toMatchObject({ hops: 1, heardAt: NOW + 58_000, routeUntil: NOW + 70_000 });
  });

  test("of other objects do not affect it; another DODAG is read again", () => {
    expect(changed(network, { kind: "keys", data: {} }, NOW)).toBe(network);
    expect(needsReading({ kind: "network", data: {} })).toBe(true);
    expect(needsReading({ kind: "radio", data: {} })).toBe(false);
  });
});
