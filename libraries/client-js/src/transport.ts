import { NotAllowed, Refused, Unreachable, UnknownResource, VigilError } from "./errors.ts";

const SIGNED = "application/jose, application/cose;q=0.9";
const TIMEOUT = 30_000;
/** Longer than the pause between two heartbeats of an event stream. */
const STREAM_SILENCE = 40_000;
/** In seconds. */
const LONGEST_RETRY_AFTER = 3600;

/** A list repeats its parameter. */
export type Query = Record<string, string | number | readonly string[] | undefined>;

/** Requests to the gateway; their failures become this package's errors. */
export class Transport {
  readonly url: string;
  private readonly headers: Record<string, string>;

  constructor(
    url: string,
    token: string | undefined,
    private readonly fetch: typeof globalThis.fetch,
  ) {
    this.url = url.replace(/\/+$/, "");
    this.headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  }

  async json<T>(path: string, query: Query = {}): Promise<T> {
    return this.readJson(await this.request("GET", this.place(path, query)));
  }

  /** The text of a JWS, or the octets of a COSE_Sign1. */
  async original(path: string): Promise<string | Uint8Array<ArrayBuffer>> {
    const response = await this.request("GET", this.place(path), { headers: { Accept: SIGNED } });
    const octets = new Uint8Array(await this.read(response.arrayBuffer()));
    const type = response.headers.get("Content-Type")?.toLowerCase() ?? "";
    if (/^application\/cose *(;|$)/.test(type)) return octets;
    // One character for each octet: UTF-8 decoding could change octets before they are verified.
    return Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
  }

  async send<T>(method: "PUT" | "DELETE", path: string, jose?: string): Promise<T | undefined> {
    const more =
      jose === undefined ? {} : { body: jose, headers: { "Content-Type": "application/jose" } };
    const response = await this.request(method, this.place(path), more);
    return response.status === 204 ? undefined : this.readJson<T>(response);
  }

  /** The octets of an answer that may not end; a stream that is silent for too long is broken. */
  async *stream(
    path: string,
    query: Query,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    const silence = new AbortController();
    const abort = () => silence.abort();
    signal?.addEventListener("abort", abort);
    let timer = setTimeout(abort, STREAM_SILENCE);
    try {
      const response = await this.request("GET", this.place(path, query), {
        headers,
        signal: silence.signal,
      });
      const reader = response.body?.getReader();
      while (reader !== undefined) {
        clearTimeout(timer);
        timer = setTimeout(abort, STREAM_SILENCE);
        const { done, value } = await this.read(reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      silence.abort();
    }
  }

  private place(path: string, query: Query = {}): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const one of typeof value === "object" ? value : [value]) search.append(name, `${one}`);
    }
    return `${this.url}/${path.replace(/^\//, "")}${search.size > 0 ? `?${search}` : ""}`;
  }

  private async request(method: string, place: string, more: RequestInit = {}): Promise<Response> {
    const response = await this.read(
      this.fetch(place, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT),
        ...more,
        headers: { ...this.headers, ...more.headers },
      }),
    );
    if (!response.ok) throw await this.problem(method, new URL(place).pathname, response);
    return response;
  }

  private async readJson<T>(response: Response): Promise<T> {
    const text = await this.read(response.text());
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new Unreachable(`${this.url} does not answer like a Vigil gateway: check the address.`);
    }
  }

  /** A rejection of fetch means that no whole answer came. */
  private async read<T>(part: Promise<T>): Promise<T> {
    try {
      return await part;
    } catch (problem) {
      const { message, cause } = problem as Error;
      const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
      throw new Unreachable(
        `${this.url} does not answer: ${why}. Check the address, that the gateway runs, and that its certificate is trusted here.`,
        { cause: problem },
      );
    }
  }

  private async problem(method: string, path: string, response: Response): Promise<VigilError> {
    const problem = await this.refusal(method, path, response);
    const seconds = response.headers.get("Retry-After") ?? "";
    if (/^\d{1,9}$/.test(seconds)) {
      problem.retryAfter = Math.min(LONGEST_RETRY_AFTER, Number(seconds));
    }
    return problem;
  }

  private async refusal(method: string, path: string, response: Response): Promise<VigilError> {
    const { status } = response;
    let problem: { type?: unknown; detail?: unknown; title?: unknown };
    try {
      problem = JSON.parse(await this.read(response.text())) as typeof problem;
    } catch {
      problem = {};
    }
    if (typeof problem?.type !== "string") {
      return new Unreachable(
        `${this.url} does not answer like a Vigil gateway (status ${status}): check the address.`,
      );
    }
    const detail = String(problem.detail ?? problem.title).replace(/\.$/, "");
    const what = `${this.url} refuses ${method} ${path}: ${detail}.`;
    if ((status === 401 || status === 403) && problem.type !== "/problems/not-trusted") {
      const command =
        method === "GET"
          ? ""
          : " A command also needs the key of a commander of the domain (docs/guide/commands.md).";
      return new NotAllowed(
        `${what} Give the token of an account that may do this (docs/guide/accounts.md).${command}`,
      );
    }
    if (status === 404) return new UnknownResource(`${this.url}${path}: ${detail}.`);
    return new Refused(what, status, problem.type);
  }
}
