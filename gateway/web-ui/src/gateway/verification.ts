import type { Resource } from "./model";
import type { Unchecked, Verifier } from "./verifier";
import type { Pins } from "../verify/pins";
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

/** The verification of one resource: readings arrive and are verified one at a time. */
export class ResourceVerification {
  /** The newest reading that waits to be verified. */
  private next: Resource | undefined;
  /** The reading that is being verified. */
  private current: Resource | undefined;
  /** The last reading with its verification; undefined before the first. */
  private last: ShownResource | undefined;
  /** The highest verified number. */
  private highest: number | undefined;
  /** Called when `next` is set. */
  private arrived: (() => void) | undefined;

  /** @param changed called when `shown` or the pin has changed */
  constructor(
    private readonly verifier: Pick<Verifier, "verify">,
    private readonly pins: Pins,
    private readonly timing: Timing,
    private readonly changed: () => void,
  ) {}

  get shown(): ShownResource | undefined {
    return this.last;
  }

  /**
   * Verifies a reading unless it is known.
   *
   * @param name the name of the endpoint's pin
   */
  offer(name: string, resource: Resource): void {
    if (this.current !== undefined && sameReading(this.current, resource)) {
      this.next = undefined;
      return;
    }
    if (
      this.current === undefined &&
      this.last !== undefined &&
      sameReading(this.last.resource, resource)
    ) {
      this.last = { ...this.last, resource };
      return;
    }
    this.next = resource;
    this.arrived?.();
    if (this.current === undefined) void this.verifyAll(name);
  }

  /** Verifies the shown reading again if its verification is one of these. */
  again(name: string, which: (verification: Verification) => boolean): void {
    if (this.last === undefined || !which(this.last.verification)) return;
    this.next ??= this.last.resource;
    if (this.current === undefined) void this.verifyAll(name);
  }

  /** Verifies the newest reading until no newer one has arrived. */
  private async verifyAll(name: string): Promise<void> {
    while (this.next !== undefined) {
      const resource = this.next;
      this.current = resource;
      this.next = undefined;
      const verifying = this.verifyReading(name, resource);
      const done = verifying.then(() => true);
      const inTime = await Promise.race([
        done,
        this.timing.after(VERIFICATION_DELAY).then(() => false),
      ]);
      if (!inTime) this.show(resource, { state: "checking" });
      const verification = await verifying;
      if (verification !== undefined) this.show(resource, verification);
    }
    this.current = undefined;
  }

  /** Undefined when a newer reading has arrived and this one can no longer be fetched. */
  private async verifyReading(name: string, resource: Resource): Promise<Verification | undefined> {
    const { value } = resource;
    if (value === undefined) return { state: "checking" };
    let verdict = await this.verifyOnce(name, { ...resource, value });
    if (verdict.state === "superseded") {
      await this.newReading(CATCH_UP_DELAY);
      if (this.next !== undefined) return undefined;
      verdict = await this.verifyOnce(name, { ...resource, value });
    } else if (verdict.state === "refused" && verdict.failed === "number") {
      // Another gateway of the cluster may be slightly behind.
      await this.newReading(VERIFICATION_DELAY);
      if (this.next !== undefined) return undefined;
      verdict = await this.verifyOnce(name, { ...resource, value });
    }
    if (verdict.state !== "superseded") return verdict;
    return {
      state: "unchecked",
      reason: { code: "ahead", has: verdict.seq, announced: resource.seq },
    };
  }

  private async verifyOnce(
    name: string,
    resource: Resource & { value: string },
  ): Promise<Verdict | Unchecked> {
    const pinned = this.pins.get(name)?.thumbprint;
    const verdict = await this.verifier.verify(resource, { pinned, highest: this.highest });
    if (verdict.state !== "verified") return verdict;
    const kid = verdict.original.header?.kid ?? "";
    if (pinned === undefined) {
      this.pins.first(name, kid);
      // Two resources may have been verified first with different keys at the same time: the second
      // is verified again, against the pin of the first.
      if (this.pins.get(name)?.thumbprint !== kid) return this.verifyOnce(name, resource);
      this.changed();
    }
    this.highest = resource.seq;
    return verdict;
  }

  private newReading(atMost: number): Promise<void> {
    if (this.next !== undefined) return Promise.resolve();
    const arrived = new Promise<void>((resolve) => (this.arrived = resolve));
    return Promise.race([arrived, this.timing.after(atMost)]);
  }

  private show(resource: Resource, verification: Verification): void {
    const before = this.last?.series ?? [[], []];
    this.last = { resource, verification, series: extended(before, resource) };
    this.changed();
  }
}

export function sameReading(one: Resource, other: Resource): boolean {
  return one.seq === other.seq && one.value === other.value && one.unit === other.unit;
}

function extended([times, values]: Series, resource: Resource): Series {
  const value = Number(resource.value);
  const time = (resource.arrivedAt ?? 0) / 1000;
  if (resource.value?.trim() === "" || !Number.isFinite(value)) return [times, values];
  if (times.length > 0 && time <= (times[times.length - 1] ?? 0)) return [times, values];
  return [[...times, time].slice(-MAX_SERIES), [...values, value].slice(-MAX_SERIES)];
}
