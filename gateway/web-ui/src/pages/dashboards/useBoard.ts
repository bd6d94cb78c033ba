import { useEffect, useRef, useState } from "react";
import type { Api } from "../../gateway/api";
import type { Content, Dashboard } from "./api";
import { setGatewayUnits } from "../../text/displayUnits";
import { BoardFeed, type Contact } from "./boardFeed";

/** The contents of a dashboard's tiles, by tile. */
export type ContentsByTile = ReadonlyMap<string, Content>;

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
  useEffect(() => {
    if (dashboard === undefined) return;
    const feed = new BoardFeed(api, dashboard, {
      onContents: (read) =>
        setContents(
          (before) => new Map([...before, ...read.map((one) => [one.tile, one] as const)]),
        ),
      // A wallboard receives the units only here.
      onUnits: setGatewayUnits,
      onContact: setContact,
      onDashboard: () => latest.current(),
    });
    feed.start();
    return () => feed.stop();
  }, [api, dashboard]);
  return { contents, contact };
}
