import { KeyError } from "../../../gateway/web-ui/src/verify/jwk.ts";
import { Commands, type Command } from "./commands.ts";
import { Refused, UnknownEndpoint, UnknownResource, type Unverified } from "./errors.ts";
import { History, report, type HistoryOptions } from "./history.ts";
import { Memory, type Storage } from "./memory.ts";
import { required } from "./names.ts";
import { isAborted, patiently, views } from "./observation.ts";
import { Verifier, type Endpoint, type Reading, type Resource } from "./reading.ts";
import type { components } from "./rest.ts";
import { Transport } from "./transport.ts";

export interface GatewayOptions {
  /** An API token. */
  token?: string;
  /** Keeps keys and numbers: `localStorage`, or `fileMemory` of `vigil-client/node`. */
  memory?: Storage;
  /** Another function than the global one. */
  fetch?: typeof globalThis.fetch;
}

export interface Filter {
  name?: string | undefined;
  /** "" is the domain without a name, undefined all of them. */
  domain?: string | undefined;
  text?: string;
  freshness?: Endpoint["freshness"];
  trust?: Endpoint["trust"];
  /** One tag, or several that an endpoint must all have. */
  tag?: string | readonly string[];
  /** A resource type (rt) that one of their resources has. */
  type?: string;
}

export interface ObserveOptions {
  domain?: string;
  /** Gets the error of a reading that is not verified; without it the error is thrown. */
  refused?: (error: Unverified) => void;
  /** Ends the observation. */
  signal?: AbortSignal;
}

export interface CommandOptions {
  /** A commander's private key as JWK, as `./vigil command --new-key FILE` makes it. */
  key: JsonWebKey;
  domain?: string;
  /** Seconds after which the command is dropped. */
  expires?: number;
  /** Seconds to follow the command; 0 only sends it. */
  timeout?: number;
}

/**
 * Finds, reads, observes and commands the endpoints of one gateway.
 *
 * Each reading is verified with the mote's own key. The first key of an endpoint is remembered,
 * unless `pin` or `trust` has named one before. The numbers of its readings are remembered too.
 */
export class Gateway {
  private readonly transport: Transport;
  private readonly verifier: Verifier;
  private readonly commands: Commands;

  constructor(url: string, { token, memory, fetch }: GatewayOptions = {}) {
    // The global function must be called without another `this`.
    this.transport = new Transport(
      url,
      token,
      fetch ?? ((...request) => globalThis.fetch(...request)),
    );
    this.verifier = new Verifier(new Memory(memory), (thumbprint) => this.jwk(thumbprint));
    this.commands = new Commands(this.transport, this.verifier);
  }

  /**
   * Endpoints as the gateway describes them.
   *
   * @throws WrongEndpoint for an endpoint of another name or domain than the given ones
   */
  async *endpoints(filter: Filter = {}): AsyncGenerator<Endpoint> {
    const { name, domain, text, freshness, trust, tag, type } = filter;
    let after: string | undefined;
    do {
      const d = domain === "" ? "-" : domain;
      const query = { ep: name, d, text, freshness, trust, tag, after };
      const page = await this.transport.json<components["schemas"]["Endpoints"]>(
        "api/endpoints",
        query,
      );
      for (const one of page.endpoints) {
        required(one, { ep: name, d: domain });
        if (type === undefined || one.resources.some(({ rt }) => rt?.split(" ").includes(type)))
          yield one;
      }
      after = page.next;
    } while (after !== undefined);
  }

  /** @throws UnknownEndpoint, or WrongEndpoint for an answer about another endpoint */
  async endpoint(name: string, domain?: string): Promise<Endpoint> {
    const found: Endpoint[] = [];
    for await (const one of this.endpoints({ name, domain })) found.push(one);
    const [first, second] = found;
    const { url } = this.transport;
    if (first === undefined) {
      const place = domain === undefined ? "" : ` in the domain "${domain}"`;
      throw new UnknownEndpoint(
        `${url} has no endpoint ${name}${place} that this token may see: endpoints() lists them.`,
      );
    }
    if (second !== undefined) {
      const domains = found.map(({ d }) => `"${d}"`).join(", ");
      throw new UnknownEndpoint(
        `${url}: the domains ${domains} each have an endpoint ${name}: give one as domain.`,
      );
    }
    return first;
  }

  /** Pins the key that somebody compared with the mote's label; spaces between groups are ignored. */
  trust(name: string, thumbprint: string, domain = ""): void {
    const compact = thumbprint.replace(/\s/g, "");
    if (compact.length !== 43) {
      throw new TypeError(`"${thumbprint}" is not a thumbprint of 43 characters`);
    }
    this.verifier.memory.pin(domain, name, compact, true);
  }

  /**
   * The last value.
   *
   * @throws BadSignature, KeyChanged, Replayed or WrongEndpoint instead of returning a value that is not verified
   */
  async read(
    endpoint: string | Endpoint,
    resource: string,
    { domain, pin }: { domain?: string; pin?: string } = {},
  ): Promise<Reading> {
    const found = await this.found(endpoint, domain);
    if (pin !== undefined) this.trust(found.ep, pin, found.d);
    const its = found.resources.find(({ path }) => path === resource);
    if (its !== undefined) return this.verified(found, its);
    const paths = found.resources.map(({ path }) => path).join(", ") || "none";
    throw new UnknownResource(`${found.ep} has no resource ${resource}; it has: ${paths}.`);
  }

  private async verified(endpoint: Endpoint, resource: Resource): Promise<Reading> {
    const { path } = resource;
    const octets = await this.transport.original(`ms/${endpoint.id}/${path}`);
    const original = await this.verifier.check(endpoint, path, octets);
    this.verifier.checkKey(endpoint, path, original.kid);
    await this.verifier.checkNumber(endpoint, original);
    let { seq, arrivedAt } = resource;
    if (seq !== original.seq && !original.hasTime) {
      // The mote sent another reading meanwhile.
      const place = `api/endpoints/${endpoint.id}/resources/${path}`;
      ({ seq, arrivedAt } = await this.transport.json<Resource>(place));
    }
    return this.verifier.reading(endpoint, original, seq === original.seq ? arrivedAt : undefined);
  }

  /** The kept values, oldest first, each verified. */
  async *history(
    endpoint: string | Endpoint,
    resource: string,
    options: HistoryOptions = {},
  ): AsyncGenerator<Reading> {
    const found = await this.found(endpoint, options.domain);
    yield* new History(this.transport, this.verifier, found, resource).readings(options);
  }

  /**
   * The last values, then each new one, of an endpoint or of all; it does not end by itself, and
   * reconnects after a pause.
   */
  async *observe(
    endpoint?: string | Endpoint,
    resource?: string,
    { domain, refused, signal }: ObserveOptions = {},
  ): AsyncGenerator<Reading> {
    const found = endpoint === undefined ? undefined : await this.found(endpoint, domain);
    const changes = views(
      {
        open: (headers) => this.transport.stream("api/events", {}, headers, signal),
        list: () => (found === undefined ? this.endpoints({ domain }) : one(this.again(found))),
        isWanted: (view) => {
          if (found === undefined) return domain === undefined || view.d === domain;
          if (view.id !== found.id) return false;
          required(view, found);
          return true;
        },
        onGone: (id) => {
          if (found?.id === id) throw this.gone(found);
        },
      },
      signal,
    );
    const seen = new Map<string, number>();
    for await (const view of changes) {
      for (const its of view.resources) {
        const key = `${view.id}/${its.path}`;
        const other = resource !== undefined && resource !== its.path;
        if (other || its.seq <= (seen.get(key) ?? 0)) continue;
        let reading: Reading;
        try {
          reading = await patiently(() => this.verified(view, its), signal);
        } catch (problem) {
          if (isAborted(signal)) return;
          // A revoked key, or a value that is stale or gone: other readings go on.
          if (problem instanceof Refused || problem instanceof UnknownResource) continue;
          report(problem, refused);
          seen.set(key, its.seq);
          continue;
        }
        seen.set(key, reading.number);
        yield reading;
      }
    }
  }

  /**
   * Signs a command with a commander's key, sends it, and follows it until it ends or the timeout
   * (60 s) is over. Its state is then confirmed, refused, expired or cancelled, or still queued or
   * fetched while the mote sleeps.
   */
  async command(
    endpoint: string | Endpoint,
    resource: string,
    value: number | boolean | string,
    { key, domain, expires, timeout = 60 }: CommandOptions,
  ): Promise<Command> {
    const found = await this.found(endpoint, domain);
    let sent = await this.commands.send(found, resource, value, key, expires);
    for await (const state of this.follow(sent, { timeout })) sent = state;
    return sent;
  }

  /** The command in each of its states, until it ends; without a timeout (s) as long as the mote sleeps. */
  follow(command: Command, { timeout }: { timeout?: number } = {}): AsyncGenerator<Command> {
    return this.commands.follow(command, timeout);
  }

  /** A mote that has fetched the command may still carry it out. */
  cancel(command: Command): Promise<void> {
    return this.commands.cancel(command);
  }

  /**
   * The endpoint, if the names in the answer are those that the caller gave.
   *
   * @throws KeyChanged for a domain that neither the caller nor the memory names
   */
  private async found(endpoint: string | Endpoint, domain: string | undefined): Promise<Endpoint> {
    if (typeof endpoint !== "string") return required(await this.again(endpoint), { d: domain });
    const found = await this.endpoint(endpoint, domain);
    if (domain === undefined) this.verifier.checkDomain(found);
    return found;
  }

  private async again(endpoint: Endpoint): Promise<Endpoint> {
    try {
      const found = await this.transport.json<Endpoint>(`api/endpoints/${endpoint.id}`);
      return required(found, endpoint);
    } catch (problem) {
      throw problem instanceof UnknownResource ? this.gone(endpoint) : problem;
    }
  }

  private gone({ ep }: Endpoint): UnknownEndpoint {
    return new UnknownEndpoint(
      `${ep} no longer exists at ${this.transport.url}: look for it with endpoints().`,
    );
  }

  private async jwk(thumbprint: string): Promise<unknown> {
    try {
      return await this.transport.json(`keys/${encodeURIComponent(thumbprint)}`);
    } catch (problem) {
      throw problem instanceof UnknownResource
        ? new KeyError("is not known to the gateway")
        : problem;
    }
  }
}

async function* one<T>(item: Promise<T>): AsyncGenerator<T> {
  yield await item;
}
