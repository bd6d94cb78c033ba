import { createContext, useContext, useSyncExternalStore } from "react";
import type { Pins } from "../verify/pins";
import type { Change } from "../gateway/changes";
import type { Api } from "../gateway/api";
import type { EndpointStore, Snapshot } from "../gateway/endpointStore";
import type { Connection } from "../gateway/feed";
import { freshnessAt } from "../gateway/freshness";
import type { Endpoint, Freshness } from "../gateway/model";
import type { SessionStore } from "../gateway/session";
import type { Topic } from "../gateway/topic";

export interface Gateway {
  api: Api;
  store: EndpointStore;
  pins: Pins;
  session: SessionStore;
  /** Alarms that were raised or changed, as `GET /api/alarms/{id}` shows them. */
  alarms: Topic<unknown>;
  changes: Topic<Change>;
  /** False on insecure origins: pages over plain HTTP from another machine. */
  canVerify: boolean;
}

export const GatewayContext = createContext<Gateway | undefined>(undefined);

export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext);
  if (gateway === undefined) throw new Error("a view is not inside GatewayContext");
  return gateway;
}

export function useSnapshot(): Snapshot {
  const { store } = useGateway();
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/**
 * Only the connection: a view that uses it is not rendered again with each update of an endpoint.
 */
export function useConnection(): Connection {
  const { store } = useGateway();
  return useSyncExternalStore(store.subscribe, () => store.getSnapshot().connection);
}

/** Start of the interruption, by the gateway's clock; undefined while the connection is live. */
export function useFrozenAt(): number | undefined {
  const { store } = useGateway();
  return useSyncExternalStore(store.subscribe, () => store.getSnapshot().frozenAt);
}

/** Time at which the gateway lost contact with its cluster; undefined while it has contact. */
export function useStaleSince(): number | undefined {
  const { staleness } = useGateway().api;
  return useSyncExternalStore(staleness.subscribe, staleness.getSince);
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
 * The time used for freshness: now or, while the connection is broken, the time of the
 * interruption, because a page without a connection must not show motes as late.
 */
export function useFreshnessTime(): number {
  const now = useGatewayNow();
  return useFrozenAt() ?? now;
}

/** Whether an endpoint wakes as announced; the view is rendered again when that changes. */
export function useFreshness(endpoint: Endpoint): Freshness | undefined {
  const frozenAt = useFrozenAt();
  return useOverTime((now) => freshnessAt(endpoint, frozenAt ?? now));
}

/**
 * A value that depends on the gateway's clock, computed every second. The view is rendered again only
 * when the value changes.
 */
export function useOverTime<T extends string | undefined>(valueAt: (now: number) => T): T {
  const { api } = useGateway();
  return useSyncExternalStore(onTick, () => valueAt(api.now()));
}

/** Milliseconds by the gateway's clock; the view is rendered again every second. */
export function useGatewayNow(): number {
  const { api } = useGateway();
  useSyncExternalStore(onTick, () => second);
  return api.now();
}
