/** The seconds since the servers of the gateway's cluster last answered; absent while they do. */
const HEADER = "Vigil-Stale";

/** Responses with the same start may differ by this much, because the header has whole seconds. */
const TOLERANCE = 2_500;

/** Time at which the gateway lost contact with its cluster, by its latest response. */
export class Staleness {
  private since: number | undefined;
  private readonly watchers = new Set<() => void>();

  /** @param now milliseconds by the gateway's clock */
  constructor(private readonly now: () => number) {}

  note(headers: Headers): void {
    const seconds = Number.parseInt(headers.get(HEADER) ?? "", 10);
    const since = Number.isNaN(seconds) ? undefined : this.now() - seconds * 1000;
    const same =
      since === undefined || this.since === undefined
        ? since === this.since
        : Math.abs(since - this.since) < TOLERANCE;
    if (same) return;
    this.since = since;
    for (const watcher of this.watchers) watcher();
  }

  readonly getSince = (): number | undefined => this.since;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
}
