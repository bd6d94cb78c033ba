import { ApiProblem, type Api } from "../../gateway/api";
import { readEvents } from "../../gateway/eventStream";
import { list, object, texts } from "../../gateway/json";
import type { Schemas } from "../../gateway/schemas";
import { pathOf, readContents, type Content, type Dashboard, type TileKind } from "./api";

/** Whether the contents are current. */
export type Contact =
  | { state: "connecting" }
  | { state: "live" }
  /** Since that time, by the gateway's clock. */
  | { state: "lost"; since: number }
  /** The credentials are not valid, or the dashboard may not be seen any more. */
  | { state: "refused"; since: number };

export interface BoardListener {
  onContents(contents: readonly Content[]): void;
  /** The units in which the gateway shows numbers; with all contents. */
  onUnits(units: Schemas["DisplayUnits"]): void;
  onContact(contact: Contact): void;
  /** The dashboard itself has changed, or may have changed before the stream was opened. */
  onDashboard(): void;
}

/** The least time between two readings of a tile, in milliseconds. */
const PAUSES: Readonly<Record<TileKind, number>> = {
  value: 0,
  state: 0,
  tag: 2_000,
  chart: 30_000,
  mesh: 5_000,
  text: 0,
  plan: 2_000,
};
/** All tiles are read this often, because an endpoint becomes late without an event. */
const REFRESH = 30_000;
const MAX_PAUSE = 15_000;
const REFUSED_PAUSE = 60_000;

/** Follows the contents of a dashboard: reads all tiles, and then the tiles that events name. */
export class BoardFeed {
  private readonly ended = new AbortController();
  private readonly readAt = new Map<string, number>();
  private readonly due = new Set<string>();
  /** Number of requests for contents. */
  private requests = 0;
  /** By tile, the number of the request whose content is shown. */
  private readonly shown = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private lostSince: number | undefined;
  private open = false;

  constructor(
    private readonly api: Api,
    private readonly dashboard: Pick<Dashboard, "id" | "tiles">,
    private readonly listener: BoardListener,
  ) {}

  start(): void {
    void this.follow();
    const refresh = setInterval(() => void this.refresh(), REFRESH);
    this.ended.signal.addEventListener("abort", () => {
      clearInterval(refresh);
      clearTimeout(this.timer);
    });
  }

  stop(): void {
    this.ended.abort();
  }

  private async follow(): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        await readEvents(
          (signal) => this.api.stream(`${pathOf(this.dashboard.id)}/events`, signal),
          () => {
            this.open = true;
            // The stream reports only changes after its opening.
            this.listener.onDashboard();
            void this.refresh();
          },
          ({ name, data }) => this.onEvent(name, data),
          this.ended.signal,
        );
        this.open = false;
        this.lost(undefined);
      } catch (problem) {
        this.open = false;
        this.lost(problem);
      }
      await this.pause();
    }
  }

  /** Reads all tiles: after each connection, and because a dead connection may look open. */
  private async refresh(): Promise<void> {
    try {
      await this.read(undefined);
      if (this.open) {
        this.failures = 0;
        this.lostSince = undefined;
        this.notify({ state: "live" });
      } else if (this.lostSince !== undefined) {
        // Without events the contents are as old as their last reading.
        this.lostSince = this.api.now();
        this.notify({ state: "lost", since: this.lostSince });
      }
    } catch (problem) {
      this.lost(problem);
    }
  }

  private lost(problem: unknown): void {
    const since = (this.lostSince ??= this.api.now());
    const status = problem instanceof ApiProblem ? problem.status : 0;
    const refused = status === 401 || status === 403 || status === 404;
    this.notify({ state: refused ? "refused" : "lost", since });
    this.failures = refused ? Infinity : this.failures + 1;
  }

  private pause(): Promise<void> {
    const wait =
      this.failures === Infinity
        ? REFUSED_PAUSE
        : Math.min(MAX_PAUSE, 1000 * 2 ** (this.failures - 1));
    if (this.failures === Infinity) this.failures = 0;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.ended.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private onEvent(name: string, data: string): void {
    if (name === "dashboard") {
      this.listener.onDashboard();
      // The event stands for all tiles, also if they have stayed the same.
      void this.refresh();
    } else if (name === "tiles") {
      for (const tile of texts(object(JSON.parse(data))["tiles"])) this.due.add(tile);
      this.schedule();
    }
  }

  /** Reads the due tiles whose pause has passed, and comes back for the others. */
  private schedule(): void {
    // A tile that may be read now does not wait for one that may be read later.
    clearTimeout(this.timer);
    if (this.due.size === 0) return;
    const now = Date.now();
    const ready = [...this.due].filter((tile) => this.readyAt(tile) <= now);
    if (ready.length > 0) {
      for (const tile of ready) this.due.delete(tile);
      void this.read(ready)
        .catch(() => undefined)
        .finally(() => this.schedule());
      return;
    }
    const next = Math.min(...[...this.due].map((tile) => this.readyAt(tile)));
    this.timer = setTimeout(() => this.schedule(), next - now);
  }

  private readyAt(tile: string): number {
    const kind = this.dashboard.tiles.find(({ id }) => id === tile)?.kind ?? "text";
    return (this.readAt.get(tile) ?? 0) + PAUSES[kind];
  }

  private async read(tiles: readonly string[] | undefined): Promise<void> {
    const now = Date.now();
    for (const tile of tiles ?? this.dashboard.tiles.map(({ id }) => id)) {
      this.readAt.set(tile, now);
    }
    const request = ++this.requests;
    const { tiles: contents, units } = await readContents(this.api, this.dashboard.id, tiles);
    if (this.ended.signal.aborted) return;
    if (units !== undefined) this.listener.onUnits(units);
    // The response to a later request may arrive first.
    const newer = contents.filter(({ tile }) => request > (this.shown.get(tile) ?? 0));
    for (const { tile } of newer) this.shown.set(tile, request);
    this.listener.onContents(newer);
  }

  private notify(contact: Contact): void {
    if (!this.ended.signal.aborted) this.listener.onContact(contact);
  }
}

/** The dashboard that the token of a link shows. @throws ApiProblem */
export async function linkedDashboard(api: Api): Promise<Dashboard | undefined> {
  const [first] = list(object(await api.json("api/dashboards"))["dashboards"]);
  return first as Dashboard | undefined;
}
