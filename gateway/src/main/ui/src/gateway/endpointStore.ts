import type { Connection, FeedListener } from "./feed";
import type { Endpoint, Resource } from "./model";
import { nameKey } from "./names";
import { RateMeter } from "./rateMeter";
import { same } from "./same";
import type { Unchecked, Verifier } from "./verifier";
import { pinName, type Pin, type Pins } from "../verify/pins";
import type { Verdict } from "../verify/verify";

/** The result of the verification of a value, or why there is none. */
export type Verification =
  Exclude<Verdict, { state: "superseded" }> | Unchecked | { state: "checking" };

/** Numbers received since the page was opened: unix seconds and values, oldest first. */
export type Series = readonly [times: readonly number[], values: readonly number[]];

/** A value with its verification; the two always belong to the same reading. */
export interface ShownResource {
  resource: Resource;
  verification: Verification;
  series: Series;
}

export interface ShownEndpoint {
  endpoint: Endpoint;
  resources: readonly ShownResource[];
  pin: Pin | undefined;
}

export interface Snapshot {
  connection: Connection;
  /** Since when there is no connection, by the gateway's clock; undefined while it is live. */
  frozenAt: number | undefined;
  loaded: boolean;
  endpoints: readonly ShownEndpoint[];
}

/** The gateway's clock and a timer; tests replace them. */
export interface Timing {
  now(): number;
  after(milliseconds: number): Promise<void>;
}

/** How long a new value waits for its verification before it is shown as "checking". */
const VERIFICATION_DELAY = 500;
/** How long to wait for the event of a reading that the mirror already has. */
const CATCH_UP_DELAY = 4000;
const MAX_SERIES = 240;
/** Many endpoints are published a few times a second only: each time costs all of them something. */
const PAUSE_PER_ENDPOINT = 0.05;
const MAX_PAUSE = 500;
/** Without any pause below this. */
const MIN_PAUSE = 20;

/** The verification of one resource: readings arrive, one is verified at a time. */
interface Track {
  /** The newest reading that waits to be verified. */
  next: Resource | undefined;
  /** The reading that is being verified. */
  current: Resource | undefined;
  shown: ShownResource | undefined;
  /** The highest verified number. */
  highest: number | undefined;
  /** Called when `next` is set. */
  arrived: (() => void) | undefined;
}

/**
 * The state that the pages show: the endpoints of the feed, each value with the result of its
 * verification in this browser. Pages subscribe to its snapshots.
 *
 * Only the values of watched endpoints are verified, because each costs a request: a list of
 * thousands watches those in sight.
 */
export class EndpointStore implements FeedListener {
  private snapshot: Snapshot = {
    connection: "connecting",
    frozenAt: undefined,
    loaded: false,
    endpoints: [],
  };
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly tracks = new Map<string, Map<string, Track>>();
  private readonly listeners = new Set<() => void>();
  private readonly watched = new Map<string, number>();
  private stale = new Set<string>();
  /** Whether endpoints came, went or were renamed since the last snapshot. */
  private reordered = true;
  private scheduled = false;
  private publishedAt = 0;

  /** Updates received, not counting those that only a list told. */
  readonly rate: RateMeter;

  constructor(
    private readonly verifier: Pick<Verifier, "verify">,
    private readonly pins: Pins,
    private readonly timing: Timing,
  ) {
    this.rate = new RateMeter(timing.now());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): Snapshot => this.snapshot;

  onConnection(connection: Connection): void {
    if (connection === this.snapshot.connection) return;
    const { connection: before, frozenAt: since } = this.snapshot;
    const lost =
      before === "live" || connection === "reconnecting" ? (since ?? this.timing.now()) : since;
    const frozenAt = connection === "live" ? undefined : lost;
    this.snapshot = { ...this.snapshot, connection, frozenAt };
    if (connection === "live") this.verifyAgain(({ state }) => state === "unchecked");
    this.notify();
  }

  /** Verifies the values of an endpoint until the returned function is called. */
  watch(id: string): () => void {
    const watchers = this.watched.get(id) ?? 0;
    this.watched.set(id, watchers + 1);
    const endpoint = this.endpoints.get(id);
    if (watchers === 0 && endpoint !== undefined) {
      this.offerAll(endpoint);
      this.changed(id);
    }
    return () => {
      const left = (this.watched.get(id) ?? 1) - 1;
      if (left > 0) this.watched.set(id, left);
      else this.watched.delete(id);
    };
  }

  /** The known object where an endpoint shows the same: then nothing is rendered again. */
  known(endpoint: Endpoint): Endpoint {
    const before = this.endpoints.get(endpoint.id);
    return before !== undefined && same(before, endpoint) ? before : endpoint;
  }

  onAll(endpoints: Endpoint[], changedMeanwhile: ReadonlySet<string>): void {
    const named = new Set(endpoints.map((endpoint) => endpoint.id));
    for (const id of [...this.endpoints.keys()]) {
      if (named.has(id) || changedMeanwhile.has(id)) continue;
      this.endpoints.delete(id);
      this.tracks.delete(id);
      this.reordered = true;
    }
    for (const endpoint of endpoints) {
      if (!changedMeanwhile.has(endpoint.id)) this.take(endpoint);
    }
    this.snapshot = { ...this.snapshot, loaded: true };
    this.notify();
  }

  onEndpoint(endpoint: Endpoint): void {
    const before = this.endpoints.get(endpoint.id);
    this.rate.add(updates(before, endpoint), this.timing.now());
    this.take(endpoint);
  }

  private take(endpoint: Endpoint): void {
    const before = this.endpoints.get(endpoint.id);
    if (before === endpoint) return;
    if (before?.ep !== endpoint.ep) this.reordered = true;
    this.endpoints.set(endpoint.id, endpoint);
    if (this.watched.has(endpoint.id)) this.offerAll(endpoint);
    this.changed(endpoint.id);
  }

  private offerAll(endpoint: Endpoint): void {
    const tracks = this.tracks.get(endpoint.id) ?? new Map<string, Track>();
    this.tracks.set(endpoint.id, tracks);
    const paths = new Set(endpoint.resources.map((resource) => resource.path));
    for (const path of [...tracks.keys()]) if (!paths.has(path)) tracks.delete(path);
    for (const resource of endpoint.resources) this.offer(endpoint, tracks, resource);
  }

  onGone(id: string): void {
    this.endpoints.delete(id);
    this.tracks.delete(id);
    this.reordered = true;
    this.notify();
  }

  /** Remembers a new key of an endpoint, which the operator has accepted. */
  acceptKey(endpoint: Endpoint, thumbprint: string): void {
    this.pins.replace(pinName(endpoint), thumbprint);
    this.verifyAgain(() => true, endpoint.id);
    this.changed(endpoint.id);
  }

  /** Takes over the remembered keys that another tab has changed. */
  pinsChanged(): void {
    this.pins.reload();
    this.verifyAgain(
      (verification) => verification.state === "refused" && verification.failed === "pin",
    );
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
    if (current === undefined) void this.verifyAll(endpoint, track);
  }

  private verifyAgain(which: (verification: Verification) => boolean, onlyId?: string): void {
    for (const [id, tracks] of this.tracks) {
      const endpoint = this.endpoints.get(id);
      if (endpoint === undefined || !this.watched.has(id)) continue;
      if (onlyId !== undefined && id !== onlyId) continue;
      for (const track of tracks.values()) {
        if (track.shown === undefined || !which(track.shown.verification)) continue;
        track.next ??= track.shown.resource;
        if (track.current === undefined) void this.verifyAll(endpoint, track);
      }
    }
  }

  /** Verifies the newest reading until no newer one has arrived. */
  private async verifyAll(endpoint: Endpoint, track: Track): Promise<void> {
    while (track.next !== undefined) {
      const resource = track.next;
      track.current = resource;
      track.next = undefined;
      const verifying = this.verifyReading(endpoint, track, resource);
      const done = verifying.then(() => true);
      const inTime = await Promise.race([
        done,
        this.timing.after(VERIFICATION_DELAY).then(() => false),
      ]);
      if (!inTime) this.show(endpoint.id, track, resource, { state: "checking" });
      const verification = await verifying;
      if (verification !== undefined) this.show(endpoint.id, track, resource, verification);
    }
    track.current = undefined;
  }

  /** Undefined when a newer reading has arrived and this one can no longer be fetched. */
  private async verifyReading(
    endpoint: Endpoint,
    track: Track,
    resource: Resource,
  ): Promise<Verification | undefined> {
    const { value } = resource;
    if (value === undefined) return { state: "checking" };
    let verdict = await this.verifyOnce(endpoint, track, { ...resource, value });
    if (verdict.state === "superseded") {
      await this.newReading(track, CATCH_UP_DELAY);
      if (track.next !== undefined) return undefined;
      verdict = await this.verifyOnce(endpoint, track, { ...resource, value });
    } else if (verdict.state === "refused" && verdict.failed === "number") {
      // Another gateway of the cluster may be a moment behind.
      await this.newReading(track, VERIFICATION_DELAY);
      if (track.next !== undefined) return undefined;
      verdict = await this.verifyOnce(endpoint, track, { ...resource, value });
    }
    if (verdict.state !== "superseded") return verdict;
    return {
      state: "unchecked",
      reason: `The gateway has a newer reading (${verdict.seq}) than it announces (${resource.seq}).`,
    };
  }

  private async verifyOnce(
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
      // Two resources may have been verified first with different keys at the same time: the second
      // is verified again, against the pin of the first.
      if (this.pins.get(name)?.thumbprint !== kid)
        return this.verifyOnce(endpoint, track, resource);
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

  private show(id: string, track: Track, resource: Resource, verification: Verification): void {
    const before = track.shown?.series ?? [[], []];
    track.shown = { resource, verification, series: extended(before, resource) };
    this.changed(id);
  }

  private changed(id: string): void {
    this.stale.add(id);
    this.notify();
  }

  /** Publishes a snapshot soon; changes until then are combined in it. */
  private notify(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const pause = Math.min(MAX_PAUSE, this.endpoints.size * PAUSE_PER_ENDPOINT);
    const wait = this.publishedAt + pause - performance.now();
    if (pause < MIN_PAUSE || wait <= 0) queueMicrotask(() => this.publish());
    else setTimeout(() => this.publish(), wait);
  }

  private publish(): void {
    this.scheduled = false;
    this.publishedAt = performance.now();
    const endpoints = this.reordered
      ? this.ordered()
      : this.snapshot.endpoints.map((shown) =>
          this.stale.has(shown.endpoint.id)
            ? this.shown(this.endpoints.get(shown.endpoint.id) ?? shown.endpoint)
            : shown,
        );
    this.reordered = false;
    this.stale = new Set();
    this.snapshot = { ...this.snapshot, endpoints };
    for (const listener of this.listeners) listener();
  }

  /** All endpoints by name; those that have not changed are the same objects as before. */
  private ordered(): ShownEndpoint[] {
    const before = new Map(this.snapshot.endpoints.map((shown) => [shown.endpoint.id, shown]));
    return byName([...this.endpoints.values()]).map((endpoint) => {
      const kept = before.get(endpoint.id);
      return kept !== undefined && !this.stale.has(endpoint.id) ? kept : this.shown(endpoint);
    });
  }

  private shown(endpoint: Endpoint): ShownEndpoint {
    const tracks = this.tracks.get(endpoint.id);
    const watched = this.watched.has(endpoint.id);
    const resources = endpoint.resources.map((resource): ShownResource => {
      const shown = tracks?.get(resource.path)?.shown;
      if (shown !== undefined && (watched || sameReading(shown.resource, resource))) return shown;
      return {
        // A watched value appears together with its verdict.
        resource: watched ? { ...resource, value: undefined } : resource,
        verification: { state: "checking" },
        series: shown?.series ?? [[], []],
      };
    });
    return { endpoint, resources, pin: this.pins.get(pinName(endpoint)) };
  }
}

function byName(endpoints: Endpoint[]): Endpoint[] {
  return endpoints
    .map((endpoint) => [nameKey(endpoint.ep), endpoint] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, endpoint]) => endpoint);
}

/** How many resources of an endpoint have a newer reading than before. */
function updates(before: Endpoint | undefined, endpoint: Endpoint): number {
  const known = new Map(before?.resources.map(({ path, seq }) => [path, seq]));
  return endpoint.resources.filter(({ path, seq }) => seq > (known.get(path) ?? 0)).length;
}

function sameReading(one: Resource, other: Resource): boolean {
  return one.seq === other.seq && one.value === other.value && one.unit === other.unit;
}

function extended([times, values]: Series, resource: Resource): Series {
  const value = Number(resource.value);
  const time = (resource.arrivedAt ?? 0) / 1000;
  if (resource.value?.trim() === "" || !Number.isFinite(value)) return [times, values];
  if (times.length > 0 && time <= (times[times.length - 1] ?? 0)) return [times, values];
  return [[...times, time].slice(-MAX_SERIES), [...values, value].slice(-MAX_SERIES)];
}
