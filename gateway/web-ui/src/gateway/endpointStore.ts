import type { Connection, FeedListener } from "./feed";
import type { Endpoint } from "./model";
import { nameKey } from "./names";
import { RateMeter } from "./rateMeter";
import { same } from "./same";
import {
  ResourceVerification,
  sameReading,
  type ShownResource,
  type Timing,
  type Verification,
} from "./verification";
import type { Verifier } from "./verifier";
import { pinName, type Pin, type Pins } from "../verify/pins";

export interface ShownEndpoint {
  endpoint: Endpoint;
  resources: readonly ShownResource[];
  pin: Pin | undefined;
}

export interface Snapshot {
  connection: Connection;
  /** Start of the interruption, by the gateway's clock; undefined while the connection is live. */
  frozenAt: number | undefined;
  loaded: boolean;
  endpoints: readonly ShownEndpoint[];
}

/**
 * Many endpoints are published only a few times a second, because each snapshot costs time for all
 * of them.
 */
const PAUSE_PER_ENDPOINT = 0.05;
const MAX_PAUSE = 500;
/** Fewer endpoints than this are published without a pause. */
const MIN_PAUSE = 20;

/**
 * The state that the pages show: the endpoints of the feed, each value with the result of its
 * verification in this browser. Pages subscribe to its snapshots.
 *
 * Only the values of watched endpoints are verified, because each costs a request: a list of
 * thousands watches only visible endpoints.
 */
export class EndpointStore implements FeedListener {
  private snapshot: Snapshot = {
    connection: "connecting",
    frozenAt: undefined,
    loaded: false,
    endpoints: [],
  };
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly verifications = new Map<string, Map<string, ResourceVerification>>();
  private readonly listeners = new Set<() => void>();
  private readonly watched = new Map<string, number>();
  /** Position of an endpoint in the snapshot. */
  private readonly places = new Map<string, number>();
  private stale = new Set<string>();
  /** Whether endpoints were added, removed or renamed since the last snapshot. */
  private reordered = true;
  private scheduled = false;
  private publishedAt = 0;

  /** Updates received as events; updates that only a list contained are not counted. */
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

  /** The least time between two snapshots, in milliseconds. */
  get pause(): number {
    return Math.min(MAX_PAUSE, this.endpoints.size * PAUSE_PER_ENDPOINT);
  }

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

  /** Keeps the known object if an endpoint is unchanged, so that nothing is rendered again. */
  known(endpoint: Endpoint): Endpoint {
    const before = this.endpoints.get(endpoint.id);
    return before !== undefined && same(before, endpoint) ? before : endpoint;
  }

  onAll(endpoints: Endpoint[], changedMeanwhile: ReadonlySet<string>): void {
    const named = new Set(endpoints.map((endpoint) => endpoint.id));
    for (const id of [...this.endpoints.keys()]) {
      if (named.has(id) || changedMeanwhile.has(id)) continue;
      this.endpoints.delete(id);
      this.verifications.delete(id);
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
    const ofEndpoint =
      this.verifications.get(endpoint.id) ?? new Map<string, ResourceVerification>();
    this.verifications.set(endpoint.id, ofEndpoint);
    const paths = new Set(endpoint.resources.map((resource) => resource.path));
    for (const path of [...ofEndpoint.keys()]) if (!paths.has(path)) ofEndpoint.delete(path);
    for (const resource of endpoint.resources) {
      let verification = ofEndpoint.get(resource.path);
      if (verification === undefined) {
        verification = this.verificationFor(endpoint.id);
        ofEndpoint.set(resource.path, verification);
      }
      verification.offer(pinName(endpoint), resource);
    }
  }

  private verificationFor(id: string): ResourceVerification {
    const { verifier, pins, timing } = this;
    return new ResourceVerification(verifier, pins, timing, () => this.changed(id));
  }

  onGone(id: string): void {
    this.endpoints.delete(id);
    this.verifications.delete(id);
    this.reordered = true;
    this.notify();
  }

  /** Remembers a new key of an endpoint that the operator has accepted. */
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

  private verifyAgain(which: (verification: Verification) => boolean, onlyId?: string): void {
    for (const [id, ofEndpoint] of this.verifications) {
      const endpoint = this.endpoints.get(id);
      if (endpoint === undefined || !this.watched.has(id)) continue;
      if (onlyId !== undefined && id !== onlyId) continue;
      for (const one of ofEndpoint.values()) one.again(pinName(endpoint), which);
    }
  }

  private changed(id: string): void {
    this.stale.add(id);
    this.notify();
  }

  /** Publishes a snapshot soon; it combines all changes until then. */
  private notify(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const wait = this.publishedAt + this.pause - performance.now();
    if (this.pause < MIN_PAUSE || wait <= 0) queueMicrotask(() => this.publish());
    else setTimeout(() => this.publish(), wait);
  }

  private publish(): void {
    this.scheduled = false;
    this.publishedAt = performance.now();
    const endpoints = this.reordered ? this.ordered() : this.patched();
    this.reordered = false;
    this.stale = new Set();
    this.snapshot = { ...this.snapshot, endpoints };
    for (const listener of this.listeners) listener();
  }

  /** The endpoints of the last snapshot in their order; the changed ones are new objects. */
  private patched(): readonly ShownEndpoint[] {
    if (this.stale.size === 0) return this.snapshot.endpoints;
    const endpoints = [...this.snapshot.endpoints];
    for (const id of this.stale) {
      const place = this.places.get(id);
      const endpoint = this.endpoints.get(id);
      if (place !== undefined && endpoint !== undefined) endpoints[place] = this.shown(endpoint);
    }
    return endpoints;
  }

  /** All endpoints by name; unchanged ones are the same objects as before. */
  private ordered(): ShownEndpoint[] {
    const before = new Map(this.snapshot.endpoints.map((shown) => [shown.endpoint.id, shown]));
    this.places.clear();
    return byName([...this.endpoints.values()]).map((endpoint, place) => {
      this.places.set(endpoint.id, place);
      const kept = before.get(endpoint.id);
      return kept !== undefined && !this.stale.has(endpoint.id) ? kept : this.shown(endpoint);
    });
  }

  private shown(endpoint: Endpoint): ShownEndpoint {
    const verifications = this.verifications.get(endpoint.id);
    const watched = this.watched.has(endpoint.id);
    const resources = endpoint.resources.map((resource): ShownResource => {
      const shown = verifications?.get(resource.path)?.shown;
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

/** The number of resources of an endpoint that have a newer reading than before. */
function updates(before: Endpoint | undefined, endpoint: Endpoint): number {
  const known = new Map(before?.resources.map(({ path, seq }) => [path, seq]));
  return endpoint.resources.filter(({ path, seq }) => seq > (known.get(path) ?? 0)).length;
}
