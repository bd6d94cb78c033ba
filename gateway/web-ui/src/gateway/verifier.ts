import { ApiProblem, type Api } from "./api";
import type { Resource } from "./model";
import { KeyError } from "../verify/jwk";
import { verifyUpdate, type Claim, type Verdict } from "../verify/verify";

/** Why a verification could not be carried out: `text/verdicts.ts` has the sentences. */
export type Obstacle =
  /** The page came neither over HTTPS nor from localhost. */
  | { code: "insecure" }
  | { code: "unreachable" }
  | { code: "not-sent"; status: number }
  /** `detail` is the browser's text. */
  | { code: "failed"; detail: string }
  /** The mirror has a newer reading than the list, and its event did not arrive. */
  | { code: "ahead"; has: number; announced: number };

/** The verification could not be carried out; the reading may still be authentic. */
export interface Unchecked {
  state: "unchecked";
  reason: Obstacle;
}

const MAX_PARALLEL = 6;
const MAX_KEYS = 2000;

/** Fetches signed originals and keys and verifies them, a few at a time. */
export class Verifier {
  private readonly keys = new Map<string, Promise<unknown>>();
  private busy = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly api: Api,
    /** Undefined on insecure origins: pages over plain HTTP from another machine. */
    private readonly subtle: SubtleCrypto | undefined,
  ) {}

  async verify(
    resource: Resource & { value: string },
    known: Pick<Claim, "pinned" | "highest">,
  ): Promise<Verdict | Unchecked> {
    if (this.subtle === undefined) {
      return { state: "unchecked", reason: { code: "insecure" } };
    }
    await this.turn();
    try {
      const signed = await this.api.original(resource.href);
      const claim = { ...known, ...resource };
      return await verifyUpdate(signed, (kid) => this.key(kid), claim, this.subtle);
    } catch (problem) {
      return { state: "unchecked", reason: obstacle(problem) };
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  private async turn(): Promise<void> {
    while (this.busy >= MAX_PARALLEL)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.busy++;
  }

  /** Keys are cached permanently: a key is named by its digest. */
  private key(kid: string): Promise<unknown> {
    const kept = this.keys.get(kid);
    if (kept !== undefined) return kept;
    const fetched = this.fetchKey(kid);
    this.keys.set(kid, fetched);
    fetched.catch(() => this.keys.delete(kid));
    for (const oldest of this.keys.keys()) {
      if (this.keys.size <= MAX_KEYS) break;
      this.keys.delete(oldest);
    }
    return fetched;
  }

  private async fetchKey(kid: string): Promise<unknown> {
    try {
      return await this.api.json(`keys/${kid}`, "application/jwk+json");
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 404) {
        throw new KeyError("is not known to the gateway", "unknown");
      }
      if (problem instanceof SyntaxError) throw new KeyError("is not JSON");
      throw problem;
    }
  }
}

function obstacle(problem: unknown): Obstacle {
  if (!(problem instanceof ApiProblem)) return { code: "failed", detail: String(problem) };
  const { status } = problem;
  return status === 0 ? { code: "unreachable" } : { code: "not-sent", status };
}
