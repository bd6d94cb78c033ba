import { ApiProblem, type Api } from "./api";
import { CHANGE_KINDS, type Change, type ChangeKind } from "./changes";
import { object, type Json } from "./json";
import { readEndpoint, readEndpoints, readGone, type Endpoint } from "./model";

export type Connection = "connecting" | "live" | "reconnecting" | "forbidden";

export interface FeedListener {
  onConnection(connection: Connection): void;
  /** The object for an endpoint of the list; called once for each endpoint, a page at a time. */
  known?(endpoint: Endpoint): Endpoint;
  /**
   * The complete list; other endpoints no longer exist.
   *
   * @param changedMeanwhile ids of endpoints with an event during the request, which is newer than
   *     the list
   */
  onAll(endpoints: Endpoint[], changedMeanwhile: ReadonlySet<string>): void;
  onEndpoint(endpoint: Endpoint): void;
  onGone(id: string): void;
  /** An alarm that was raised or changed, as `GET /api/alarms/{id}` shows it. */
  onAlarm?(alarm: unknown): void;
  onChange?(change: Change): void;
}

const LIST_INTERVAL = 60_000;
const MAX_PAUSE = 15_000;

/**
 * Follows the gateway's endpoints: the list, then each change as a server-sent event.
 *
 * The browser resumes a broken event stream itself, with the id of the last event. It gives up
 * after a response other than 200; then a new stream is opened here. The list is read again after
 * each new connection and once a minute, because the end of a lifetime causes no event.
 */
export class Feed {
  private source: EventSource | undefined;
  private listed = false;
  private open = false;
  private forbidden = false;
  /** Whether the last request for the list got no answer: a dead connection may look open. */
  private unreachable = false;
  private failures = 0;
  /** Whether the list must be read again after the present reading. */
  private again = false;
  /** Endpoints with an event while the list is being read. */
  private changed: Set<string> | undefined;

  constructor(
    private readonly api: Api,
    private readonly listener: FeedListener,
    private readonly connect: (url: string) => EventSource = (url) => new EventSource(url),
  ) {}

  start(): void {
    this.listen();
    void this.list();
    setInterval(() => {
      if (document.visibilityState === "visible") void this.list();
    }, LIST_INTERVAL);
    globalThis.addEventListener?.("offline", () => void this.list());
    globalThis.addEventListener?.("online", () => this.restart());
  }

  /** Restarts with other credentials. */
  restart(): void {
    this.failures = 0;
    this.forbidden = false;
    this.again = this.changed !== undefined;
    this.listen();
    void this.list();
  }

  private listen(): void {
    this.source?.close();
    const source = this.connect(this.api.url("api/events"));
    this.source = source;
    source.addEventListener("open", () => {
      const again = this.listed || this.forbidden;
      this.open = true;
      this.failures = 0;
      this.notify();
      if (again) void this.list();
    });
    source.addEventListener("endpoint", (event) => this.onEndpoint(event));
    source.addEventListener("gone", (event) => this.onGone(event));
    source.addEventListener("alarm", (event) => this.onAlarm(event));
    source.addEventListener("missed", () => void this.list());
    for (const kind of CHANGE_KINDS) {
      source.addEventListener(kind, (event) => this.onChange(kind, event));
    }
    source.addEventListener("error", () => {
      this.open = false;
      this.notify();
      if (source.readyState === EventSource.CLOSED && source === this.source) {
        this.retry(() => this.listen());
        // The stream does not give the reason of a refusal; the list does.
        if (this.listed) void this.list();
      }
    });
  }

  private onEndpoint(event: MessageEvent<string>): void {
    let endpoint: Endpoint;
    try {
      endpoint = readEndpoint(JSON.parse(event.data));
    } catch {
      return; // The next list corrects the state.
    }
    this.changed?.add(endpoint.id);
    this.listener.onEndpoint(endpoint);
  }

  private onGone(event: MessageEvent<string>): void {
    try {
      const id = readGone(JSON.parse(event.data));
      this.changed?.add(id);
      this.listener.onGone(id);
    } catch {
      return; // The next list corrects the state.
    }
  }

  private onAlarm(event: MessageEvent<string>): void {
    let alarm: unknown;
    try {
      alarm = JSON.parse(event.data);
    } catch {
      return;
    }
    this.listener.onAlarm?.(alarm);
  }

  private onChange(kind: ChangeKind, { data }: MessageEvent<string>): void {
    let read: Json;
    try {
      read = data === "" ? {} : object(JSON.parse(data));
    } catch {
      return; // The page that shows it reads it again after the next connection.
    }
    this.listener.onChange?.({ kind, data: read });
  }

  private async list(): Promise<void> {
    if (this.changed !== undefined) return;
    this.changed = new Set();
    try {
      const endpoints = await this.pages();
      this.listener.onAll(endpoints, this.changed);
      this.listed = true;
      this.forbidden = false;
      this.unreachable = false;
    } catch (problem) {
      const status = problem instanceof ApiProblem ? problem.status : 0;
      this.forbidden = status === 401 || status === 403;
      this.unreachable = status === 0;
      if ((this.unreachable || !this.listed) && !this.forbidden) {
        this.retry(() => void this.list());
      }
    } finally {
      this.changed = undefined;
    }
    if (this.again) {
      this.again = false;
      return this.list();
    }
    this.notify();
  }

  private async pages(): Promise<Endpoint[]> {
    const endpoints: Endpoint[] = [];
    let query = "";
    do {
      const page = readEndpoints(await this.api.json(`api/endpoints${query}`));
      // A page at a time, so that no task takes long.
      for (const one of page.endpoints) endpoints.push(this.listener.known?.(one) ?? one);
      query = page.next === "" ? "" : `?after=${encodeURIComponent(page.next)}`;
    } while (query !== "");
    return endpoints;
  }

  private retry(action: () => void): void {
    const pause = Math.min(MAX_PAUSE, 1000 * 2 ** this.failures++);
    setTimeout(action, pause);
  }

  private notify(): void {
    this.listener.onConnection(
      this.forbidden
        ? "forbidden"
        : this.open && this.listed && !this.unreachable
          ? "live"
          : this.listed || this.failures > 0
            ? "reconnecting"
            : "connecting",
    );
  }

  stop(): void {
    this.source?.close();
  }
}
