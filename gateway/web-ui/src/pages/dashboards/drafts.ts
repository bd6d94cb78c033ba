import { moveElement, verticalCompactor, type LayoutItem } from "react-grid-layout/core";
import type { PlanPlace, Tile, TileKind } from "./api";
import { MOST_PLACES } from "./plan";

export const COLUMNS = 12;
const MOST_ROWS = 400;
const MOST_HEIGHT = 20;

/** The sizes of new tiles. */
const SIZES: Readonly<Record<TileKind, { w: number; h: number }>> = {
  value: { w: 3, h: 2 },
  chart: { w: 6, h: 4 },
  state: { w: 3, h: 2 },
  tag: { w: 4, h: 4 },
  mesh: { w: 6, h: 5 },
  text: { w: 3, h: 2 },
  plan: { w: 8, h: 7 },
};

export type Place = Pick<Tile, "x" | "y" | "w" | "h">;

/** A tile that is edited: every kind's members, so that a change of the kind loses nothing. */
export interface TileDraft {
  kind: TileKind;
  title: string;
  endpoint: string;
  path: string;
  resources: { endpoint: string; path: string }[];
  tag: string;
  text: string;
  span: NonNullable<Tile["span"]>;
  /** Name of the image of a plan; empty without one. */
  image: string;
  places: readonly PlanPlace[];
  /** Numbers as typed; rows and columns begin with 1. */
  x: string;
  y: string;
  w: string;
  h: string;
}

export type TileField = keyof TileDraft;

export function newDraft(tiles: readonly Tile[], kind: TileKind = "value"): TileDraft {
  const bottom = Math.max(0, ...tiles.map(({ y, h }) => y + h));
  return {
    kind,
    title: "",
    endpoint: "",
    path: "",
    resources: [],
    tag: "",
    text: "",
    span: "24h",
    image: "",
    places: [],
    x: "1",
    y: String(bottom + 1),
    w: String(SIZES[kind].w),
    h: String(SIZES[kind].h),
  };
}

/** A new draft takes the size of its kind until a size was typed. */
export function withKind(draft: TileDraft, kind: TileKind): TileDraft {
  const before = SIZES[draft.kind];
  const typed = draft.w !== String(before.w) || draft.h !== String(before.h);
  const { w, h } = SIZES[kind];
  return { ...draft, kind, ...(typed ? {} : { w: String(w), h: String(h) }) };
}

export function draftOf(tile: Tile): TileDraft {
  const [first] = tile.sources;
  return {
    ...newDraft([], tile.kind),
    title: tile.title ?? "",
    endpoint: first?.endpoint ?? "",
    path: first?.path ?? "",
    resources: tile.sources.map(({ endpoint, path }) => ({ endpoint, path: path ?? "" })),
    tag: tile.tag ?? "",
    text: tile.text ?? "",
    span: tile.span ?? "24h",
    image: tile.image ?? "",
    places: tile.places,
    x: String(tile.x + 1),
    y: String(tile.y + 1),
    w: String(tile.w),
    h: String(tile.h),
  };
}

/** The tile of a draft without faults. */
export function tileOf(draft: TileDraft, id: string): Tile {
  const { kind, endpoint, path } = draft;
  const sources =
    kind === "value"
      ? [{ endpoint, path }]
      : kind === "state"
        ? [{ endpoint }]
        : kind === "chart"
          ? draft.resources
          : [];
  return {
    id,
    kind,
    x: Number(draft.x) - 1,
    y: Number(draft.y) - 1,
    w: Number(draft.w),
    h: Number(draft.h),
    sources,
    places: kind === "plan" ? [...draft.places] : [],
    ...(kind === "plan" && draft.image !== "" ? { image: draft.image } : {}),
    ...(draft.title.trim() === "" ? {} : { title: draft.title.trim() }),
    ...(kind === "text" ? { text: draft.text } : {}),
    ...(kind === "tag" ? { tag: draft.tag } : {}),
    ...(kind === "chart" ? { span: draft.span } : {}),
  };
}

export type TileFault =
  "needed" | "text" | "most" | "image" | "places" | { least: number; most: number };

export function faultsOf(draft: TileDraft): Partial<Record<TileField, TileFault>> {
  const faults: Partial<Record<TileField, TileFault>> = {};
  const { kind } = draft;
  if ((kind === "value" || kind === "state") && draft.endpoint === "") faults.endpoint = "needed";
  if (kind === "value" && draft.path === "") faults.path = "needed";
  if (kind === "chart" && draft.resources.length === 0) faults.resources = "needed";
  if (draft.resources.length > 8) faults.resources = "most";
  if (kind === "plan" && draft.image === "") faults.image = "image";
  if (draft.places.length > MOST_PLACES) faults.places = "places";
  if (kind === "tag" && draft.tag === "") faults.tag = "needed";
  if (kind === "text" && draft.text.trim() === "") faults.text = "text";
  const x = whole(draft.x);
  const bounds = {
    x: { least: 1, most: COLUMNS },
    y: { least: 1, most: MOST_ROWS },
    w: { least: 1, most: COLUMNS + 1 - Math.min(COLUMNS, Math.max(1, x)) },
    h: { least: 1, most: MOST_HEIGHT },
  };
  for (const field of ["x", "y", "w", "h"] as const) {
    const number = whole(draft[field]);
    const { least, most } = bounds[field];
    if (!(number >= least && number <= most)) faults[field] = bounds[field];
  }
  return faults;
}

function whole(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : NaN;
}

/** Whether two tiles show the same, wherever they are. */
export function showsSame(one: Tile, other: Tile | undefined): boolean {
  const subject = ({ kind, sources, span, tag, text, image, places }: Tile) =>
    JSON.stringify([
      kind,
      sources.map(({ endpoint, path }) => [endpoint, path]),
      span,
      tag,
      text,
      image,
      places.map(({ endpoint, path, x, y }) => [endpoint, path, x, y]),
    ]);
  return other !== undefined && subject(one) === subject(other);
}

/** An id that no tile has yet. */
export function freshId(tiles: readonly Tile[]): string {
  const taken = new Set(tiles.map(({ id }) => id));
  let number = tiles.length + 1;
  while (taken.has(`t${number}`)) number++;
  return `t${number}`;
}

/** Moves or resizes a tile by steps; others make room, and no row stays empty. */
export function moved(tiles: readonly Tile[], id: string, by: Partial<Place>): Tile[] {
  const layout = tiles.map(itemOf);
  const item = layout.find(({ i }) => i === id);
  if (item === undefined) return [...tiles];
  const w = within(item.w + (by.w ?? 0), 1, COLUMNS - item.x);
  const h = within(item.h + (by.h ?? 0), 1, MOST_HEIGHT);
  const x = within(item.x + (by.x ?? 0), 0, COLUMNS - w);
  const down = (by.y ?? 0) > 0;
  // One row is not enough: compacting would move it back.
  const y = Math.max(0, down ? rowBelow(layout, item) : item.y + (by.y ?? 0));
  item.w = w;
  item.h = h;
  const after = moveElement(layout, item, x, y, true, false, "vertical", COLUMNS);
  return placed(tiles, verticalCompactor.compact(after, COLUMNS));
}

/** The row of a tile after it has changed places with the next tile below it. */
function rowBelow(layout: readonly LayoutItem[], { i, x, y, w, h }: LayoutItem): number {
  const below = layout.filter(
    (one) => one.i !== i && one.y >= y + h && one.x < x + w && one.x + one.w > x,
  );
  return below.length === 0 ? y : Math.min(...below.map((one) => one.y + one.h)) - h;
}

/** The tiles without overlaps and without empty rows. */
export function compacted(tiles: readonly Tile[]): Tile[] {
  return placed(tiles, verticalCompactor.compact(tiles.map(itemOf), COLUMNS));
}

/** The tiles at the places of a layout; the same tiles if none is at another place. */
export function placed(tiles: readonly Tile[], layout: readonly LayoutItem[]): Tile[] {
  const places = new Map(layout.map((item) => [item.i, item]));
  return tiles.map((tile) => {
    const place = places.get(tile.id);
    if (place === undefined) return tile;
    const { x, y, w, h } = place;
    const same = x === tile.x && y === tile.y && w === tile.w && h === tile.h;
    return same ? tile : { ...tile, x, y, w, h };
  });
}

export function itemOf({ id, x, y, w, h }: Tile): LayoutItem {
  return { i: id, x, y, w, h };
}

function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(number, least), Math.max(least, most));
}
