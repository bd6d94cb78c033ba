import { signCommand } from "../../../gateway/web-ui/src/sign/command.ts";
import { importCommander } from "../../../gateway/web-ui/src/sign/commanderKeys.ts";
import { Refused, UnknownResource, Unverified } from "./errors.ts";
import { subtle } from "./originals.ts";
import type { Endpoint, Reading, Verifier } from "./reading.ts";
import type { components } from "./rest.ts";
import type { Transport } from "./transport.ts";

type Listed = components["schemas"]["Command"];

/** A command that was sent, in one of its states. */
export interface Command {
  /** As it was when the command was sent. */
  endpoint: Endpoint;
  resource: string;
  number: number;
  /** As the gateway says. */
  state: Listed["state"];
  /** Why the mote refused it (docs/protocol.md section 8). */
  reason: number | undefined;
  /** No state follows. */
  ended: boolean;
  /** Whether the mote's signed acknowledgement was verified. */
  verified: boolean;
  /** That acknowledgement; without it *confirmed* is only the gateway's statement. */
  confirmation: Reading | undefined;
}

const ATTEMPTS = 3;
const NUMBER_USED = 409;
/**
 * The resource of signed refusals, which have the number of their command as `ack` too
 * (docs/protocol.md section 8).
 */
const REFUSALS = ".result";
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

/** Commands to sleeping motes (docs/protocol.md section 8). */
export class Commands {
  constructor(
    private readonly transport: Transport,
    private readonly verifier: Verifier,
  ) {}

  /**
   * Signs with the next number; if another commander used it meanwhile, signs again with a new one.
   */
  async send(
    endpoint: Endpoint,
    resource: string,
    value: number | boolean | string,
    key: JsonWebKey,
    expires: number | undefined,
  ): Promise<Command> {
    const { commander } = await importCommander(JSON.stringify(key), subtle);
    const place = placeOf(endpoint, resource);
    for (let attempt = 1; ; attempt++) {
      const { last } = await this.transport.json<components["schemas"]["Commands"]>(place);
      const { ep, d } = endpoint;
      const exp = expires === undefined ? undefined : Math.floor(Date.now() / 1000 + expires);
      const text = { ep, d, res: resource, seq: last + 1, exp, value };
      try {
        const jws = await signCommand(text, commander, subtle);
        const queued = await this.transport.send<Listed>("PUT", place, jws);
        return command(endpoint, resource, last + 1, queued ?? { state: "queued" }, undefined);
      } catch (problem) {
        const used = problem instanceof Refused && problem.status === NUMBER_USED;
        if (!used || attempt === ATTEMPTS) throw problem;
      }
    }
  }

  /** @param timeout seconds; undefined: as long as the mote sleeps */
  async *follow(sent: Command, timeout: number | undefined): AsyncGenerator<Command> {
    const deadline = timeout === undefined ? Infinity : performance.now() + timeout * 1000;
    let shown: string | undefined;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
      const now = await this.now(sent);
      if (now.state !== shown) {
        shown = now.state;
        yield now;
      }
      const left = deadline - performance.now();
      if (now.ended || left <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
    }
  }

  async cancel({ endpoint, resource, number }: Command): Promise<void> {
    await this.transport.send("DELETE", `${placeOf(endpoint, resource)}/${number}`);
  }

  private async now({ endpoint, resource, number }: Command): Promise<Command> {
    const place = placeOf(endpoint, resource);
    const { commands } = await this.transport.json<components["schemas"]["Commands"]>(place);
    const listed = commands.find((one) => one.seq === number);
    if (listed === undefined) {
      throw new UnknownResource(
        `${endpoint.ep}: the gateway no longer lists command ${number}; it keeps only the last ones.`,
      );
    }
    const confirmed = listed.state === "confirmed";
    const confirmation = confirmed ? await this.confirmation(endpoint, number) : undefined;
    return command(endpoint, resource, number, listed, confirmation);
  }

  /**
   * The mote acknowledges in its next update, which may be of any resource; one of `.result` is a
   * refusal.
   */
  private async confirmation(endpoint: Endpoint, number: number): Promise<Reading | undefined> {
    for (const { path } of endpoint.resources) {
      if (path === REFUSALS) continue;
      for (const text of await this.later(endpoint, path)) {
        try {
          const original = await this.verifier.check(endpoint, path, text);
          if (original.ack !== number) continue;
          this.verifier.checkKey(endpoint, path, original.kid);
          return this.verifier.reading(endpoint, original, undefined);
        } catch (problem) {
          if (!(problem instanceof Unverified)) throw problem;
        }
      }
    }
    return undefined;
  }

  /** The originals of the updates that arrived after the command was sent. */
  private async later(endpoint: Endpoint, path: string): Promise<string[]> {
    try {
      const query = { after: endpoint.high, limit: 1000 };
      return await this.transport.json(`ms/${endpoint.id}/${path}`, query);
    } catch (problem) {
      if (problem instanceof UnknownResource) return [];
      throw problem;
    }
  }
}

function command(
  endpoint: Endpoint,
  resource: string,
  number: number,
  { state, reason }: Pick<Listed, "state" | "reason">,
  confirmation: Reading | undefined,
): Command {
  const ended = state !== "queued" && state !== "fetched";
  const verified = confirmation !== undefined;
  return { endpoint, resource, number, state, reason, ended, verified, confirmation };
}

function placeOf({ id }: Endpoint, resource: string): string {
  return `api/endpoints/${id}/resources/${resource}/commands`;
}
