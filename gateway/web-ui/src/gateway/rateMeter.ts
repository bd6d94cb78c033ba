const SECONDS = 64;

/** Counts events in each of the last seconds. */
export class RateMeter {
  private readonly counts = new Array<number>(SECONDS).fill(0);
  private newest: number;

  /** @param since when counting begins, in milliseconds */
  constructor(private readonly since: number) {
    this.newest = Math.floor(since / 1000);
  }

  add(count: number, now: number): void {
    this.advance(now);
    const at = this.newest % SECONDS;
    this.counts[at] = (this.counts[at] ?? 0) + count;
  }

  /**
   * The counts of the last complete seconds, oldest first; fewer if it counts for a shorter time.
   *
   * @param seconds at most 60
   */
  last(seconds: number, now: number): number[] {
    this.advance(now);
    const known = this.newest - Math.ceil(this.since / 1000);
    const length = Math.max(0, Math.min(seconds, known));
    return Array.from(
      { length },
      (_, at) => this.counts[(this.newest - length + at) % SECONDS] ?? 0,
    );
  }

  private advance(now: number): void {
    const second = Math.floor(now / 1000);
    for (let next = Math.max(this.newest + 1, second - SECONDS + 1); next <= second; next++) {
      this.counts[next % SECONDS] = 0;
    }
    this.newest = Math.max(this.newest, second);
  }
}
