import { ApiProblem, type Api } from "./api";
import { readEndpoint, readEndpoints, readGone, type Endpoint } from "./model";

export type Connection = "connecting" | "live" | "reconnecting" | "forbidden";

export interface FeedListener {
  onConnection(connection: Connection): void;
  /** Every endpoint there is; those not named are gone, except those that spoke meanwhile. */
  onAll(endpoints: Endpoint[], spokeMeanwhile: ReadonlySet<string>): void;
  onEndpoint(endpoint: Endpoint): void;
  onGone(id: string): void;
}

const LIST_AGAIN = 60_000;
const LONGEST_PAUSE = 15_000;

/**
 * The gateway's endpoints: the list once, then each change as it is announced.
 *
 * The browser resumes a broken event stream by itself, with the id of the last event. Only when it
 * gives up (an answer other than 200) a new stream is opened here. The list is read again after each
 * new connection and once a minute, because a lifetime that ends makes no event.
 */
export class Feed {
  private source: EventSource | undefined;
  private listed = false;
  private open = false;
  private forbidden = false;
  private failures = 0;
  private spoke: Set<string> | undefined;

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
    }, LIST_AGAIN);
  }

  private listen(): void {
    const source = this.connect(this.api.url("api/events"));
    this.source = source;
    source.addEventListener("open", () => {
      const again = this.listed;
      this.open = true;
      this.failures = 0;
      this.tell();
      if (again) void this.list();
    });
    source.addEventListener("endpoint", (event) => this.take(event));
    source.addEventListener("gone", (event) => this.leave(event));
    source.addEventListener("missed", () => void this.list());
    source.addEventListener("error", () => {
      this.open = false;
      this.tell();
      if (source.readyState === EventSource.CLOSED) this.later(() => this.listen());
    });
  }

  private take(event: MessageEvent<string>): void {
    let endpoint: Endpoint;
    try {
      endpoint = readEndpoint(JSON.parse(event.data));
    } catch {
      return; // The next list says what is true.
    }
    this.spoke?.add(endpoint.id);
    this.listener.onEndpoint(endpoint);
  }

  private leave(event: MessageEvent<string>): void {
    try {
      const id = readGone(JSON.parse(event.data));
      this.spoke?.add(id);
      this.listener.onGone(id);
    } catch {
      return; // The next list says what is true.
    }
  }

  private async list(): Promise<void> {
    if (this.spoke !== undefined) return;
    this.spoke = new Set();
    try {
      const endpoints = await this.pages();
      this.listener.onAll(endpoints, this.spoke);
      this.listed = true;
      this.forbidden = false;
    } catch (problem) {
      const status = problem instanceof ApiProblem ? problem.status : 0;
      this.forbidden = status === 401 || status === 403;
      if (!this.listed) this.later(() => void this.list());
    } finally {
      this.spoke = undefined;
    }
    this.tell();
  }

  private async pages(): Promise<Endpoint[]> {
    const endpoints: Endpoint[] = [];
    let query = "";
    do {
      const page = readEndpoints(await this.api.json(`api/endpoints${query}`));
      endpoints.push(...page.endpoints);
      query = page.next === "" ? "" : `?after=${encodeURIComponent(page.next)}`;
    } while (query !== "");
    return endpoints;
  }

  private later(action: () => void): void {
    const pause = Math.min(LONGEST_PAUSE, 1000 * 2 ** this.failures++);
    setTimeout(action, pause);
  }

  private tell(): void {
    this.listener.onConnection(
      this.forbidden
        ? "forbidden"
        : this.open && this.listed
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
