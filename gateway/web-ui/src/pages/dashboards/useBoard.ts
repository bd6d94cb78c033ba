import { useEffect, useMemo, useRef, useState } from "react";
import type { Api } from "../../gateway/api";
import type { Content, Dashboard, Tile } from "./api";
import { setGatewayUnits } from "../../text/displayUnits";
import { BoardFeed, type Contact } from "./boardFeed";

/** The contents of a dashboard's tiles, by tile. */
export type ContentsByTile = ReadonlyMap<string, Content>;

/** The contents of these tiles after some were read; contents of other tiles are forgotten. */
export function merged(
  before: ContentsByTile,
  read: readonly Content[],
  tiles: readonly Pick<Tile, "id">[],
): ContentsByTile {
  const ids = new Set(tiles.map(({ id }) => id));
  const all = new Map([...before, ...read.map((one) => [one.tile, one] as const)]);
  return new Map([...all].filter(([id]) => ids.has(id)));
}

/** Follows a dashboard while the view is mounted. */
export function useBoard(
  api: Api,
  dashboard: Dashboard | undefined,
  onDashboard: () => void,
): { contents: ContentsByTile; contact: Contact } {
  const [contents, setContents] = useState<ContentsByTile>(new Map());
  const [contact, setContact] = useState<Contact>({ state: "connecting" });
  const latest = useRef(onDashboard);
  latest.current = onDashboard;
  // Each reading brings a new object, also of an unchanged dashboard.
  const followed = useMemo(
    () => dashboard && JSON.stringify([dashboard.id, dashboard.tiles]),
    [dashboard],
  );
  useEffect(() => {
    if (dashboard === undefined) return;
    const feed = new BoardFeed(api, dashboard, {
      onContents: (read) => setContents((before) => merged(before, read, dashboard.tiles)),
      // A wallboard receives the units only here.
      onUnits: setGatewayUnits,
      onContact: setContact,
      onDashboard: () => latest.current(),
    });
    feed.start();
    return () => feed.stop();
  }, [api, followed]);
  return { contents, contact };
}
