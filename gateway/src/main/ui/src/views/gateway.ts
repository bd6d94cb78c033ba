import { createContext, useContext, useSyncExternalStore } from "react";
import type { Pins } from "../verify/pins";
import type { Api } from "../watch/api";
import type { Board, Snapshot } from "../watch/board";

export interface Gateway {
  api: Api;
  board: Board;
  pins: Pins;
  /** False on pages that came over plain HTTP from another machine. */
  canVerify: boolean;
}

export const GatewayContext = createContext<Gateway | undefined>(undefined);

export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext);
  if (gateway === undefined) throw new Error("a view outside of the gateway's context");
  return gateway;
}

export function useSnapshot(): Snapshot {
  const { board } = useGateway();
  return useSyncExternalStore(board.subscribe, board.getSnapshot);
}

let second = Math.floor(Date.now() / 1000);
const watchers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function onTick(watcher: () => void): () => void {
  watchers.add(watcher);
  ticking ??= setInterval(() => {
    second = Math.floor(Date.now() / 1000);
    for (const one of watchers) one();
  }, 1000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/**
 * The moment as of which motes are judged: while the connection is broken, when it broke. A mote is
 * not late because the page does not hear the gateway.
 */
export function useJudgedNow(): number {
  const now = useGatewayNow();
  const { board } = useGateway();
  const frozenAt = useSyncExternalStore(board.subscribe, () => board.getSnapshot().frozenAt);
  return frozenAt ?? now;
}

/** Milliseconds by the gateway's clock; the view is drawn again every second. */
export function useGatewayNow(): number {
  const { api } = useGateway();
  useSyncExternalStore(onTick, () => second);
  return api.now();
}
