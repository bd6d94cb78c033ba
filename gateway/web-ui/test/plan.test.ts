import { expect, test } from "vitest";
import type { Tile } from "../src/pages/dashboards/api";
import { draftOf, faultsOf, newDraft, showsSame, tileOf } from "../src/pages/dashboards/drafts";
import { fitting, freePlace, movedPlace, scaledSize } from "../src/pages/dashboards/plan";

const PLAN: Tile = {
  id: "p",
  kind: "plan",
  x: 0,
  y: 0,
  w: 8,
  h: 7,
  sources: [],
  image: "i".repeat(43),
  places: [
    { endpoint: "a", path: "temp", x: 0.25, y: 0.5 },
    { endpoint: "b", x: 1, y: 0 },
  ],
};

test("a place moves by fractions and stays on the image", () => {
  const place = { endpoint: "a", x: 0.5, y: 0.999 };
  expect(movedPlace(place, 0.005, 0.005)).toEqual({ endpoint: "a", x: 0.505, y: 1 });
  expect(movedPlace(place, -0.9, 0)).toMatchObject({ x: 0 });
  expect(movedPlace(place, 0.000_04, 0)).toMatchObject({ x: 0.5 });
});

test("new places do not cover each other", () => {
  const places: { x: number; y: number }[] = [];
  for (let number = 0; number < 250; number++) places.push(freePlace(places));
  expect(places[0]).toEqual({ x: 0.5, y: 0.5 });
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(250);
});

test("a large image keeps its proportions", () => {
  expect(scaledSize(8000, 4000, 2560)).toEqual([2560, 1280]);
  expect(scaledSize(640, 480, 2560)).toEqual([640, 480]);
  expect(scaledSize(10_000, 1, 480)).toEqual([480, 1]);
});

test("no label of 250 covers another one, and alarms come first", () => {
  const labels = Array.from({ length: 250 }, (_, at) => ({
    x: (at % 25) * 40 + 10,
    y: Math.floor(at / 25) * 60 + 10,
    width: 60,
    height: 20,
    rank: at === 101 ? 0 : 4,
  }));
  const shown = fitting(labels, 6, { width: 1000, height: 600 });
  expect(shown.size).toBeGreaterThan(100);
  expect([...shown.keys()][0]).toBe(101);
  const boxes = [...shown].map(([at, side]) => {
    const { x, y, width, height } = labels[at] ?? { x: 0, y: 0, width: 0, height: 0 };
    const right = side === "right" ? 6 : side === "left" ? -6 - width : -width / 2;
    const down = side === "below" ? 6 : side === "above" ? -6 - height : -height / 2;
    return { x: x + right, y: y + down, width, height };
  });
  for (const [at, one] of boxes.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(0);
    expect(one.x + one.width).toBeLessThanOrEqual(1000);
    for (const other of boxes.slice(at + 1)) {
      const apart =
        Math.abs(one.x - other.x) >= one.width || Math.abs(one.y - other.y) >= one.height;
      expect(apart).toBe(true);
    }
  }
});

test("a label moves to a side where there is room", () => {
  const label = { y: 50, width: 30, height: 10, rank: 4 };
  const at = (x: number, others: number[] = []) =>
    fitting([{ ...label, x }, ...others.map((other) => ({ ...label, x: other, width: 0 }))], 5, {
      width: 100,
      height: 100,
    }).get(0);
  expect(at(50)).toBe("right");
  expect(at(90)).toBe("left");
  expect(at(50, [70])).toBe("left");
  expect(at(50, [70, 30])).toBe("below");
});

test("a draft of a plan becomes the tile that it was made from", () => {
  expect(tileOf(draftOf(PLAN), "p")).toEqual(PLAN);
  expect(faultsOf(draftOf(PLAN))).toEqual({});
  expect(faultsOf(newDraft([], "plan"))).toEqual({ image: "image" });
  const [place] = PLAN.places;
  const many = Array.from({ length: 251 }, () => place ?? { endpoint: "a", x: 0, y: 0 });
  expect(faultsOf({ ...draftOf(PLAN), places: many }).places).toBe("places");
});

test("a moved place is shown only after saving", () => {
  const moved = { ...PLAN, places: [{ endpoint: "a", path: "temp", x: 0.3, y: 0.5 }] };
  expect(showsSame(PLAN, { ...PLAN, x: 3 })).toBe(true);
  expect(showsSame(PLAN, moved)).toBe(false);
  expect(showsSame(PLAN, { ...PLAN, image: "j".repeat(43) })).toBe(false);
});
