/** An answer that is not 2xx, or none at all (status 0). */
export class ApiProblem extends Error {
  constructor(readonly status: number) {
    super(status === 0 ? "the gateway cannot be reached" : `the gateway answered ${status}`);
  }
}

/** The gateway, relative to where the page came from, so that it may live below a prefix. */
export class Api {
  private skew = 0;

  constructor(
    private readonly base: string,
    private readonly fetching: typeof fetch = (...request) => fetch(...request),
  ) {}

  url(path: string): string {
    return new URL(path.replace(/^\/+/, ""), this.base).href;
  }

  /** Now by the gateway's clock, as well as its last answer lets us know. */
  now(): number {
    return Date.now() + this.skew;
  }

  /**
   * What a mote signed: the text of a JWS, or the octets of a COSE_Sign1 where it came as one.
   *
   * @throws ApiProblem
   */
  async original(path: string): Promise<string | Uint8Array<ArrayBuffer>> {
    const answer = await this.get(path, "application/jose, application/cose;q=0.9");
    const type = answer.headers.get("Content-Type")?.toLowerCase() ?? "";
    if (/^application\/cose *(;|$)/.test(type)) return new Uint8Array(await answer.arrayBuffer());
    // Each octet as a letter: nothing is dropped or mended before it is checked.
    const octets = new Uint8Array(await answer.arrayBuffer());
    return Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
  }

  /** @throws ApiProblem */
  async json(path: string, accept = "application/json"): Promise<unknown> {
    const answer = await this.get(path, accept);
    this.setClock(answer.headers.get("Date"));
    return answer.json() as Promise<unknown>;
  }

  private async get(path: string, accept: string): Promise<Response> {
    let answer: Response;
    try {
      answer = await this.fetching(this.url(path), {
        headers: { Accept: accept },
        cache: "no-store",
        signal: AbortSignal.timeout(15_000),
      });
    } catch {
      throw new ApiProblem(0);
    }
    if (!answer.ok) throw new ApiProblem(answer.status);
    return answer;
  }

  private setClock(date: string | null): void {
    const skew = Date.parse(date ?? "") - Date.now();
    // The header counts whole seconds: below two, the clocks agree.
    if (!Number.isNaN(skew)) this.skew = Math.abs(skew) < 2000 ? 0 : skew;
  }
}
