import { Staleness } from "./staleness";

/** A response other than 2xx, or no response (status 0). */
export class ApiProblem extends Error {
  /**
   * @param detail what the gateway says about it (RFC 9457), perhaps empty
   * @param retrySeconds when to try again
   * @param type its kind, such as "wrong-password"; empty without one
   */
  constructor(
    readonly status: number,
    readonly detail = "",
    readonly retrySeconds?: number,
    readonly type = "",
  ) {
    super(status === 0 ? "the gateway cannot be reached" : `the gateway answered ${status}`);
  }
}

/** Requests that change something need this header, which pages of other sites cannot send. */
export const CSRF_HEADER = "X-Vigil-CSRF";

/** HTTP client of the gateway. URLs are relative to the page, which may be served below a prefix. */
export class Api {
  private skew = 0;
  readonly staleness = new Staleness(() => this.now());

  constructor(
    private readonly base: string,
    private readonly fetcher: typeof fetch = (...request) => fetch(...request),
  ) {}

  url(path: string): string {
    return new URL(path.replace(/^\/+/, ""), this.base).href;
  }

  /** Milliseconds by the gateway's clock, estimated from the Date header of its last response. */
  now(): number {
    return Date.now() + this.skew;
  }

  /**
   * The signed original of a value: the text of a JWS, or the octets of a COSE_Sign1.
   *
   * @throws ApiProblem
   */
  async original(path: string): Promise<string | Uint8Array<ArrayBuffer>> {
    const response = await this.get(path, "application/jose, application/cose;q=0.9");
    const type = response.headers.get("Content-Type")?.toLowerCase() ?? "";
    if (/^application\/cose *(;|$)/.test(type)) return new Uint8Array(await response.arrayBuffer());
    // One character for each octet: UTF-8 decoding could change octets before they are verified.
    const octets = new Uint8Array(await response.arrayBuffer());
    return Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
  }

  /** @throws ApiProblem */
  async json(path: string, accept = "application/json"): Promise<unknown> {
    const response = await this.get(path, accept);
    this.setClock(response.headers.get("Date"));
    return response.json() as Promise<unknown>;
  }

  /**
   * JSON that can be edited, with the entity tag of its version for {@link send}. If a proxy removes
   * the tag, "*" stands for any version: the object must exist.
   *
   * @throws ApiProblem
   */
  async tagged(path: string): Promise<{ json: unknown; tag: string }> {
    const response = await this.get(path, "application/json");
    return { json: await response.json(), tag: response.headers.get("ETag") ?? "*" };
  }

  /** @throws ApiProblem */
  async text(path: string, accept: string): Promise<string> {
    return (await this.get(path, accept)).text();
  }

  /** An image or another file. @throws ApiProblem */
  async blob(path: string): Promise<Blob> {
    return (await this.get(path, "*/*")).blob();
  }

  /**
   * Sends a request that changes something; the JSON of its response, undefined without any.
   *
   * @param tag the change is refused (412) if the version is no longer this one
   * @throws ApiProblem
   */
  async send(
    method: "POST" | "PUT" | "DELETE",
    path: string,
    body?: object,
    tag?: string,
  ): Promise<unknown> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (tag !== undefined) headers["If-Match"] = tag;
    return this.change(
      method,
      path,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    );
  }

  /**
   * Has the gateway test its connection to another server. It awaits each answer for up to 20 s, and
   * may need several: a push service is asked twice, and a mail server answers each command.
   *
   * @throws ApiProblem
   */
  async test(path: string): Promise<unknown> {
    return this.change("POST", path, {}, undefined, AbortSignal.timeout(60_000));
  }

  /**
   * Posts a text of another media type; the JSON of its response.
   *
   * @throws ApiProblem
   */
  async sendText(path: string, type: string, text: string): Promise<unknown> {
    return this.change("POST", path, { "Content-Type": type }, text);
  }

  /**
   * Posts octets; the JSON of its response.
   *
   * @throws ApiProblem
   */
  async sendBlob(path: string, body: Blob): Promise<unknown> {
    return this.change("POST", path, { "Content-Type": "application/octet-stream" }, body);
  }

  private async change(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Blob | undefined,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const init = {
      method,
      headers: { Accept: "application/json", [CSRF_HEADER]: "1", ...headers },
      ...(body === undefined ? {} : { body }),
    };
    const response = await this.request(path, init, signal);
    // 202 (an action has begun) has no content either.
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  /**
   * Whether the gateway answers a request without credentials.
   *
   * @throws ApiProblem if the answer is neither a success nor a refusal
   */
  async isOpen(path: string): Promise<boolean> {
    try {
      await this.request(path, { credentials: "omit" });
      return true;
    } catch (problem) {
      if (problem instanceof ApiProblem && (problem.status === 401 || problem.status === 403)) {
        return false;
      }
      throw problem;
    }
  }

  /**
   * Opens a stream; it has no time limit.
   *
   * @throws ApiProblem
   */
  async stream(path: string, signal: AbortSignal): Promise<Response> {
    const headers = { Accept: "text/event-stream" };
    return this.request(path, { headers }, signal);
  }

  private get(path: string, accept: string): Promise<Response> {
    return this.request(path, { headers: { Accept: accept } });
  }

  private async request(
    path: string,
    init: RequestInit,
    signal: AbortSignal = AbortSignal.timeout(15_000),
  ): Promise<Response> {
    let response: Response;
    try {
      response = await this.fetcher(this.url(path), {
        ...init,
        cache: "no-store",
        signal,
      });
    } catch {
      throw new ApiProblem(0);
    }
    this.staleness.note(response.headers);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  private setClock(date: string | null): void {
    const skew = Date.parse(date ?? "") - Date.now();
    // The header has whole seconds: differences below two seconds are ignored.
    if (!Number.isNaN(skew)) this.skew = Math.abs(skew) < 2000 ? 0 : skew;
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const retry = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  const retrySeconds = Number.isNaN(retry) ? undefined : retry;
  try {
    const { detail, type } = (await response.json()) as { detail?: unknown; type?: unknown };
    return new ApiProblem(
      response.status,
      typeof detail === "string" ? detail : "",
      retrySeconds,
      problemType(type),
    );
  } catch {
    return new ApiProblem(response.status, "", retrySeconds);
  }
}

/** The name of a kind of problem; the gateway writes it as a path. */
export function problemType(uri: unknown): string {
  return typeof uri === "string" ? (/^\/problems\/([a-z-]+)$/.exec(uri)?.[1] ?? "") : "";
}
