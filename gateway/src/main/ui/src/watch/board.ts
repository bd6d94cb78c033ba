import type { Connection, FeedListener } from "./feed";
import type { Endpoint, Resource } from "./model";
import type { Unchecked, Verifier } from "./verifier";
import { pinName, type Pin, type Pins } from "../verify/pins";
import type { Verdict } from "../verify/verify";

export type Judgement = Exclude<Verdict, { state: "outrun" }> | Unchecked | { state: "checking" };

/** Numbers seen since the page opened: unix seconds and values, oldest first. */
export type Series = readonly [times: readonly number[], values: readonly number[]];

/** A value and what is known of it; the two always belong together. */
export interface ShownResource {
  resource: Resource;
  judgement: Judgement;
  series: Series;
}

export interface ShownEndpoint {
  endpoint: Endpoint;
  resources: readonly ShownResource[];
  pin: Pin | undefined;
}

export interface Snapshot {
  connection: Connection;
  /** When the page last heard everything, if it does not now; by the gateway's clock. */
  frozenAt: number | undefined;
  loaded: boolean;
  endpoints: readonly ShownEndpoint[];
}

/** Waiting and the gateway's clock, so that tests need not wait. */
export interface Timing {
  now(): number;
  after(milliseconds: number): Promise<void>;
}

/** How long a new value waits for its verdict before it is shown as being checked. */
const PATIENCE = 500;
/** How long the page may lag behind the mirror, or one gateway behind another. */
const CATCH_UP = 4000;
const SERIES_KEPT = 240;

/** One resource's way from the feed through the verifier to the page. */
interface Track {
  /** The newest reading announced and not yet looked at. */
  next: Resource | undefined;
  /** The reading being looked at; undefined when none is. */
  current: Resource | undefined;
  shown: ShownResource | undefined;
  highest: number | undefined;
  arrived: (() => void) | undefined;
}

/** What the page shows: the feed joined with this browser's own verdicts. */
export class Board implements FeedListener {
  private snapshot: Snapshot = {
    connection: "connecting",
    frozenAt: undefined,
    loaded: false,
    endpoints: [],
  };
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly tracks = new Map<string, Map<string, Track>>();
  private readonly listeners = new Set<() => void>();
  private stale = new Set<string>();
  private told = true;

  constructor(
    private readonly verifier: Pick<Verifier, "verify">,
    private readonly pins: Pins,
    private readonly timing: Timing,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): Snapshot => this.snapshot;

  onConnection(connection: Connection): void {
    if (connection === this.snapshot.connection) return;
    const lost = this.snapshot.connection === "live" ? this.timing.now() : this.snapshot.frozenAt;
    const frozenAt = connection === "live" ? undefined : lost;
    this.snapshot = { ...this.snapshot, connection, frozenAt };
    if (connection === "live") this.judgeAgain(({ state }) => state === "unchecked");
    this.tell();
  }

  onAll(endpoints: Endpoint[], spokeMeanwhile: ReadonlySet<string>): void {
    const named = new Set(endpoints.map((endpoint) => endpoint.id));
    for (const id of [...this.endpoints.keys()]) {
      if (named.has(id) || spokeMeanwhile.has(id)) continue;
      this.endpoints.delete(id);
      this.tracks.delete(id);
    }
    for (const endpoint of endpoints) {
      if (!spokeMeanwhile.has(endpoint.id)) this.onEndpoint(endpoint);
    }
    this.snapshot = { ...this.snapshot, loaded: true };
    this.tell();
  }

  onEndpoint(endpoint: Endpoint): void {
    this.endpoints.set(endpoint.id, endpoint);
    const tracks = this.tracks.get(endpoint.id) ?? new Map<string, Track>();
    this.tracks.set(endpoint.id, tracks);
    const paths = new Set(endpoint.resources.map((resource) => resource.path));
    for (const path of [...tracks.keys()]) if (!paths.has(path)) tracks.delete(path);
    for (const resource of endpoint.resources) this.offer(endpoint, tracks, resource);
    this.changed(endpoint.id);
  }

  onGone(id: string): void {
    this.endpoints.delete(id);
    this.tracks.delete(id);
    this.tell();
  }

  /** The operator has decided that an endpoint's new key is right. */
  acceptKey(endpoint: Endpoint, thumbprint: string): void {
    this.pins.replace(pinName(endpoint), thumbprint);
    this.judgeAgain(() => true, endpoint.id);
    this.changed(endpoint.id);
  }

  /** Another tab has changed what the browser remembers. */
  pinsChanged(): void {
    this.pins.reload();
    this.judgeAgain((judgement) => judgement.state === "refused" && judgement.failed === "pin");
    for (const id of this.endpoints.keys()) this.changed(id);
  }

  private offer(endpoint: Endpoint, tracks: Map<string, Track>, resource: Resource): void {
    let track = tracks.get(resource.path);
    if (track === undefined) {
      track = {
        next: undefined,
        current: undefined,
        shown: undefined,
        highest: undefined,
        arrived: undefined,
      };
      tracks.set(resource.path, track);
    }
    const { shown, current } = track;
    if (current !== undefined && sameReading(current, resource)) {
      track.next = undefined;
      return;
    }
    if (current === undefined && shown !== undefined && sameReading(shown.resource, resource)) {
      track.shown = { ...shown, resource };
      return;
    }
    track.next = resource;
    track.arrived?.();
    if (current === undefined) void this.follow(endpoint, track);
  }

  private judgeAgain(which: (judgement: Judgement) => boolean, onlyId?: string): void {
    for (const [id, tracks] of this.tracks) {
      const endpoint = this.endpoints.get(id);
      if (endpoint === undefined || (onlyId !== undefined && id !== onlyId)) continue;
      for (const track of tracks.values()) {
        if (track.shown === undefined || !which(track.shown.judgement)) continue;
        track.next ??= track.shown.resource;
        if (track.current === undefined) void this.follow(endpoint, track);
      }
    }
  }

  /** Looks at readings, newest first, until none is left. */
  private async follow(endpoint: Endpoint, track: Track): Promise<void> {
    while (track.next !== undefined) {
      const resource = track.next;
      track.current = resource;
      track.next = undefined;
      const judging = this.judge(endpoint, track, resource);
      const judged = judging.then(() => true);
      const inTime = await Promise.race([judged, this.timing.after(PATIENCE).then(() => false)]);
      if (!inTime) this.show(endpoint.id, track, resource, { state: "checking" });
      const judgement = await judging;
      if (judgement !== undefined) this.show(endpoint.id, track, resource, judgement);
    }
    track.current = undefined;
  }

  /** Undefined when a newer reading has come meanwhile and this one can no longer be fetched. */
  private async judge(
    endpoint: Endpoint,
    track: Track,
    resource: Resource,
  ): Promise<Judgement | undefined> {
    const { value } = resource;
    if (value === undefined) return { state: "checking" };
    let verdict = await this.look(endpoint, track, { ...resource, value });
    if (verdict.state === "outrun") {
      await this.newReading(track, CATCH_UP);
      if (track.next !== undefined) return undefined;
      verdict = await this.look(endpoint, track, { ...resource, value });
    } else if (verdict.state === "refused" && verdict.failed === "number") {
      // Another gateway of the cluster may lag a moment.
      await this.newReading(track, PATIENCE);
      if (track.next !== undefined) return undefined;
      verdict = await this.look(endpoint, track, { ...resource, value });
    }
    if (verdict.state !== "outrun") return verdict;
    return {
      state: "unchecked",
      reason: `The gateway has a newer reading (${verdict.seq}) than it announces (${resource.seq}).`,
    };
  }

  private async look(
    endpoint: Endpoint,
    track: Track,
    resource: Resource & { value: string },
  ): Promise<Verdict | Unchecked> {
    const name = pinName(endpoint);
    const pinned = this.pins.get(name)?.thumbprint;
    const verdict = await this.verifier.verify(resource, { pinned, highest: track.highest });
    if (verdict.state !== "verified") return verdict;
    const kid = verdict.original.header?.kid ?? "";
    if (pinned === undefined) {
      this.pins.first(name, kid);
      // Two resources may have been first at once, with different keys: then one of them is wrong.
      if (this.pins.get(name)?.thumbprint !== kid) return this.look(endpoint, track, resource);
      this.changed(endpoint.id);
    }
    track.highest = resource.seq;
    return verdict;
  }

  private newReading(track: Track, atMost: number): Promise<void> {
    if (track.next !== undefined) return Promise.resolve();
    const arrived = new Promise<void>((resolve) => (track.arrived = resolve));
    return Promise.race([arrived, this.timing.after(atMost)]);
  }

  private show(id: string, track: Track, resource: Resource, judgement: Judgement): void {
    const before = track.shown?.series ?? [[], []];
    track.shown = { resource, judgement, series: extended(before, resource) };
    this.changed(id);
  }

  private changed(id: string): void {
    this.stale.add(id);
    this.tell();
  }

  /** Readings of one moment become one new snapshot. */
  private tell(): void {
    if (!this.told) return;
    this.told = false;
    queueMicrotask(() => {
      this.told = true;
      const before = new Map(this.snapshot.endpoints.map((shown) => [shown.endpoint.id, shown]));
      const endpoints = [...this.endpoints.values()]
        .map((endpoint) => {
          const kept = before.get(endpoint.id);
          return kept !== undefined && !this.stale.has(endpoint.id) ? kept : this.shown(endpoint);
        })
        .sort((one, other) => byName.compare(one.endpoint.ep, other.endpoint.ep));
      this.stale = new Set();
      this.snapshot = { ...this.snapshot, endpoints };
      for (const listener of this.listeners) listener();
    });
  }

  private shown(endpoint: Endpoint): ShownEndpoint {
    const tracks = this.tracks.get(endpoint.id);
    const resources = endpoint.resources.map(
      (resource): ShownResource =>
        tracks?.get(resource.path)?.shown ?? {
          resource: { ...resource, value: undefined },
          judgement: { state: "checking" },
          series: [[], []],
        },
    );
    return { endpoint, resources, pin: this.pins.get(pinName(endpoint)) };
  }
}

const byName = new Intl.Collator("en", { numeric: true });

function sameReading(one: Resource, other: Resource): boolean {
  return one.seq === other.seq && one.value === other.value && one.unit === other.unit;
}

function extended([times, values]: Series, resource: Resource): Series {
  const value = Number(resource.value);
  const time = (resource.arrivedAt ?? 0) / 1000;
  if (resource.value?.trim() === "" || !Number.isFinite(value)) return [times, values];
  if (times.length > 0 && time <= (times[times.length - 1] ?? 0)) return [times, values];
  return [[...times, time].slice(-SERIES_KEPT), [...values, value].slice(-SERIES_KEPT)];
}
