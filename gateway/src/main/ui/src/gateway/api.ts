/** A response other than 2xx, or no response (status 0). */
export class ApiProblem extends Error {
  constructor(readonly status: number) {
    super(status === 0 ? "the gateway cannot be reached" : `the gateway answered ${status}`);
  }
}

/** HTTP client of the gateway. URLs are relative to the page, which may be served below a prefix. */
export class Api {
  private skew = 0;

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

  private async get(path: string, accept: string): Promise<Response> {
    let response: Response;
    try {
      response = await this.fetcher(this.url(path), {
        headers: { Accept: accept },
        cache: "no-store",
        signal: AbortSignal.timeout(15_000),
      });
    } catch {
      throw new ApiProblem(0);
    }
    if (!response.ok) throw new ApiProblem(response.status);
    return response;
  }

  private setClock(date: string | null): void {
    const skew = Date.parse(date ?? "") - Date.now();
    // The header has whole seconds: differences below two seconds are ignored.
    if (!Number.isNaN(skew)) this.skew = Math.abs(skew) < 2000 ? 0 : skew;
  }
}
