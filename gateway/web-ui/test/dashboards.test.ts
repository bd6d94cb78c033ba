import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EventParser, type ServerEvent } from "../src/gateway/eventStream";
import type { Content, Line, Tile } from "../src/pages/dashboards/api";
import {
  compacted,
  draftOf,
  faultsOf,
  freshId,
  moved,
  newDraft,
  tileOf,
  withKind,
} from "../src/pages/dashboards/drafts";
import { idOf } from "../src/text/ids";
import { columnsOf, asShown } from "../src/pages/dashboards/ChartTile";
import { freshnessOf } from "../src/pages/dashboards/freshness";
import { StateBody } from "../src/pages/dashboards/TileBody";
import { merged } from "../src/pages/dashboards/useBoard";
import { setGatewayUnits } from "../src/text/displayUnits";
import { moment } from "../src/text/format";

function tile(id: string, x: number, y: number, w: number, h: number): Tile {
  return { id, kind: "mesh", x, y, w, h, sources: [], places: [] };
}

function places(tiles: readonly Tile[]): string {
  return tiles.map(({ id, x, y, w, h }) => `${id} ${x},${y} ${w}x${h}`).join("; ");
}

test("a tile moves sideways, and others make room", () => {
  const tiles = [tile("a", 0, 0, 3, 2), tile("b", 3, 0, 3, 2)];
  expect(places(moved(tiles, "a", { x: 1 }))).toBe("a 1,0 3x2; b 3,2 3x2");
  expect(places(moved(tiles, "b", { x: -1 }))).toContain("b 2,0 3x2");
  expect(places(moved(tiles, "a", { x: -1 }))).toBe("a 0,0 3x2; b 3,0 3x2");
});

test("a tile changes places with the one below it, whatever their heights", () => {
  for (const [one, other] of [
    [2, 2],
    [2, 4],
    [4, 2],
  ] as const) {
    const tiles = [tile("a", 0, 0, 3, one), tile("b", 0, one, 3, other)];
    const down = moved(tiles, "a", { y: 1 });
    expect(places(down)).toBe(`a 0,${other} 3x${one}; b 0,0 3x${other}`);
    expect(places(moved(down, "b", { y: 1 }))).toBe(places(tiles));
  }
});

test("a tile grows to the edge of the grid and shrinks to one cell", () => {
  const tiles = [tile("a", 9, 0, 3, 1)];
  expect(places(moved(tiles, "a", { w: 1 }))).toBe("a 9,0 3x1");
  expect(places(moved(tiles, "a", { w: -1 }))).toBe("a 9,0 2x1");
  expect(places(moved(tiles, "a", { h: -1 }))).toBe("a 9,0 3x1");
});

test("no row stays empty, and no tiles overlap", () => {
  expect(places(compacted([tile("a", 0, 5, 3, 2), tile("b", 1, 5, 3, 2)]))).toBe(
    "a 0,0 3x2; b 1,2 3x2",
  );
});

test("a draft becomes the tile that it was made from", () => {
  const chart: Tile = {
    id: "c",
    kind: "chart",
    title: "Ovens",
    x: 2,
    y: 3,
    w: 6,
    h: 4,
    span: "7d",
    sources: [
      { endpoint: "1", path: "temp" },
      { endpoint: "2", path: "a%20b" },
    ],
    places: [],
  };
  expect(tileOf(draftOf(chart), "c")).toEqual(chart);
  expect(faultsOf(draftOf(chart))).toEqual({});
});

test("faults name the fields of the kind", () => {
  const draft = newDraft([]);
  expect(faultsOf(draft)).toEqual({ endpoint: "needed", path: "needed" });
  expect(faultsOf({ ...draft, kind: "text" })).toEqual({ text: "text" });
  expect(faultsOf({ ...draft, kind: "mesh", x: "11", w: "3" })).toEqual({
    w: { least: 1, most: 2 },
  });
  expect(faultsOf({ ...draft, kind: "mesh", h: "21", y: "0" })).toEqual({
    h: { least: 1, most: 20 },
    y: { least: 1, most: 400 },
  });
});

test("a new tile is below the others and has the size of its kind until one is typed", () => {
  const draft = newDraft([tile("a", 0, 0, 3, 2)]);
  expect(draft.y).toBe("3");
  expect(withKind(draft, "chart")).toMatchObject({ w: "6", h: "4" });
  expect(withKind({ ...draft, w: "5" }, "chart")).toMatchObject({ w: "5", h: "2" });
  expect(freshId([tile("t2", 0, 0, 1, 1)])).toBe("t3");
});

test("an id follows from the name", () => {
  expect(idOf("Öfen, Halle 3")).toBe("oefen-halle-3");
});

test("an endpoint becomes late without an event", () => {
  const member = {
    id: "1",
    name: "oven",
    trust: "trusted" as const,
    freshness: "on-time" as const,
    heardAt: "2026-11-20T12:00:00Z",
    lateAt: "2026-11-20T12:01:00Z",
    missingAt: "2026-11-20T12:03:00Z",
  };
  expect(freshnessOf(member, Date.parse("2026-11-20T12:00:30Z"))).toBe("on-time");
  expect(freshnessOf(member, Date.parse("2026-11-20T12:02:00Z"))).toBe("late");
  expect(freshnessOf(member, Date.parse("2026-11-20T12:03:00Z"))).toBe("missing");
});

test("without contact an old message has its date, and its endpoint does not become late", () => {
  const heardAt = "2026-11-18T12:00:00Z";
  const member = {
    id: "1",
    name: "oven",
    trust: "trusted" as const,
    freshness: "on-time" as const,
    heardAt,
    lateAt: "2026-11-18T12:01:00Z",
    missingAt: "2026-11-18T12:03:00Z",
  };
  const lost = Date.parse(heardAt) + 30_000;
  const time = { now: lost + 2 * 86_400_000, freshness: lost };
  const shown = renderToStaticMarkup(createElement(StateBody, { member, time }));
  expect(shown).toContain('data-freshness="on-time"');
  expect(shown).toContain(moment(Date.parse(heardAt)));
});

test("a silence in a chart is a gap", () => {
  const point = (hour: number, mean: number) => ({
    start: new Date(hour * 3_600_000).toISOString(),
    mean,
    min: mean,
    max: mean,
  });
  const [times, means] = columnsOf([point(0, 1), point(1, 2), point(9, 3)], 3600, 9 * 3600 + 60);
  expect(times).toEqual([1800, 5400, (5400 + 32_460) / 2, 32_460]);
  expect(means).toEqual([1, 2, null, 3]);
});

test("a line is drawn in the unit that people chose", () => {
  const line: Line = {
    source: 0,
    sight: "shown",
    unit: "Cel",
    points: [{ start: "2026-03-01T12:00:00Z", mean: 20, min: 10, max: 30 }],
  };
  expect(asShown(line)).toBe(line);
  const celsius = { unit: "Cel", symbol: "°C", numerator: 1, denominator: 1, offset: 0 };
  const fahrenheit = { unit: "degF", symbol: "°F", numerator: 9, denominator: 5, offset: 32 };
  setGatewayUnits({ chosen: ["degF"], quantities: [{ units: [celsius, fahrenheit] }] });
  expect(asShown(line)).toMatchObject({
    unit: "degF",
    points: [{ mean: 68, min: 50, max: 86 }],
  });
  // First the calibration, whose negative factor exchanges the ends.
  const calibration = { path: "temp", factor: -1, offset: 5 };
  expect(asShown({ ...line, calibration })).toMatchObject({
    unit: "degF",
    points: [{ mean: 5, min: -13, max: 23 }],
  });
  setGatewayUnits({ chosen: [], quantities: [] });
});

test("events are read from pieces of a stream", () => {
  const read: ServerEvent[] = [];
  const parser = new EventParser((event) => read.push(event));
  parser.add(':vigil\n\nevent:tiles\ndata:{"til');
  expect(read).toEqual([]);
  parser.add('es":["a"]}\n\n:still here\n\nevent: dashboard\r\ndata: {}\r\n\r\n');
  expect(read).toEqual([
    { name: "tiles", data: '{"tiles":["a"]}' },
    { name: "dashboard", data: "{}" },
  ]);
});

test("the contents of removed tiles are forgotten", () => {
  const content = (id: string, sight: Content["sight"]) => ({ tile: id, sight }) as Content;
  const tiles = [tile("a", 0, 0, 1, 1), tile("b", 1, 0, 1, 1)];
  const first = merged(new Map(), [content("a", "shown"), content("b", "shown")], tiles);
  const second = merged(first, [content("b", "gone"), content("c", "shown")], tiles);
  expect([...second].map(([id, { sight }]) => [id, sight])).toEqual([
    ["a", "shown"],
    ["b", "gone"],
  ]);
  expect([...merged(second, [], tiles.slice(1)).keys()]).toEqual(["b"]);
});
