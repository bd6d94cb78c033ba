import type { Api } from "./api";
import type { Schemas } from "./schemas";

export type Sparkline = Schemas["Sparkline"];

/** Rows that appear within this time share a request, in milliseconds. */
const TOGETHER = 200;
/** Endpoints in a request at most. */
const MOST = 100;
/** A sparkline is read again after this time; its points are hours. */
const FRESH = 5 * 60_000;
/** The interval at which rows that stay in view are checked. */
const CHECK = 60_000;

/** The sparklines of endpoints in view: one request for all rows that appear together. */
export class Sparklines {
  private readonly known = new Map<string, { readAt: number; line: Sparkline | undefined }>();
  private readonly wanted = new Set<string>();
  private readonly listeners = new Map<string, Set<() => void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while rows are watched. */
  private checks: ReturnType<typeof setInterval> | undefined;

  /** @param now milliseconds */
  constructor(
    private readonly api: Pick<Api, "json">,
    private readonly now: () => number = Date.now,
    private readonly visible: () => boolean = () => document.visibilityState === "visible",
  ) {}

  /** The sparkline of an endpoint; undefined while it is not known or there is none. */
  get(id: string): Sparkline | undefined {
    return this.known.get(id)?.line;
  }

  /**
   * Calls back when the sparkline of an endpoint was read; reads it unless it is fresh, and again
   * when it is no longer fresh.
   */
  watch(id: string, listener: () => void): () => void {
    const of = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, of.add(listener));
    if (!this.isFresh(id)) this.want(id);
    this.checks ??= setInterval(() => this.check(), CHECK);
    return () => {
      of.delete(listener);
      if (of.size > 0) return;
      this.listeners.delete(id);
      // A row that was only scrolled past is not read.
      this.wanted.delete(id);
      if (this.listeners.size > 0) return;
      clearInterval(this.checks);
      this.checks = undefined;
    };
  }

  private check(): void {
    if (!this.visible()) return;
    for (const id of this.listeners.keys()) if (!this.isFresh(id)) this.want(id);
  }

  private isFresh(id: string): boolean {
    const known = this.known.get(id);
    return known !== undefined && this.now() - known.readAt < FRESH;
  }

  private want(id: string): void {
    this.wanted.add(id);
    this.timer ??= setTimeout(() => void this.read(), TOGETHER);
  }

  private async read(): Promise<void> {
    const ids = [...this.wanted].slice(0, MOST);
    for (const id of ids) this.wanted.delete(id);
    if (ids.length > 0) {
      const query = new URLSearchParams(ids.map((id) => ["endpoint", id]));
      try {
        const answer = (await this.api.json(`api/sparklines?${query}`)) as Schemas["Sparklines"];
        const lines = new Map(answer.sparklines.map((line) => [line.endpoint, line]));
        for (const id of ids) this.known.set(id, { readAt: this.now(), line: lines.get(id) });
      } catch {
        // Rows keep an older sparkline, and stay usable without one; the next check asks again.
      }
      for (const id of ids) for (const listener of this.listeners.get(id) ?? []) listener();
    }
    this.timer = undefined;
    if (this.wanted.size > 0) this.timer = setTimeout(() => void this.read(), TOGETHER);
  }
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The path of a sparkline in an SVG: the last day, from the least to the greatest mean. Hours without
 * a number are gaps.
 */
export function pathOf(
  points: Sparkline["points"],
  now: number,
  width: number,
  height: number,
): string {
  const times = points.map(({ start }) => Date.parse(start));
  const means = points.map(({ mean }) => mean);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const first = Math.floor((now - DAY) / HOUR) * HOUR;
  const place = (at: number, mean: number) => {
    const x = ((at - first) / DAY) * (width - 2) + 1;
    const y = high === low ? height / 2 : height - 2 - ((mean - low) / (high - low)) * (height - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  return times
    .map((at, index) => {
      const before = times[index - 1];
      const continues = before !== undefined && at - before <= HOUR;
      const dot = !continues && (times[index + 1] ?? Infinity) - at > HOUR;
      const to = place(at, means[index] ?? 0);
      return continues ? `L${to}` : `M${to}${dot ? "h1.5" : ""}`;
    })
    .join("");
}
