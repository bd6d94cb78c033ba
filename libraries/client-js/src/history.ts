import { decodeBase64url } from "../../../gateway/web-ui/src/verify/base64url.ts";
import { readSenml } from "../../../gateway/web-ui/src/verify/senml.ts";
import { BadSignature, Replayed, Unreachable, Unverified } from "./errors.ts";
import { lines } from "./events.ts";
import type { Endpoint, Reading, Verifier } from "./reading.ts";
import type { components } from "./rest.ts";
import type { Transport } from "./transport.ts";

export interface HistoryOptions {
  domain?: string;
  /** Measured at or after. */
  since?: Date;
  /** Measured before. */
  until?: Date;
  /** Further thumbprints to accept, such as a former key. */
  keys?: readonly string[];
  /** Also readings that the gateway fetched after an outage, which nobody signed. */
  recovered?: boolean;
  /** Gets the error of a value that is not verified; without it the error is thrown. */
  refused?: (error: Unverified) => void;
}

/** A line of the archive that the gateway exports. */
interface Row {
  seq: number;
  arrived: string;
  marks: string;
  senml: unknown[];
  jws?: string;
  cose?: string;
  jwk?: unknown;
}

/** The kept values of a resource. */
export class History {
  constructor(
    private readonly transport: Transport,
    private readonly verifier: Verifier,
    private readonly endpoint: Endpoint,
    private readonly path: string,
  ) {}

  async *readings(options: HistoryOptions): AsyncGenerator<Reading> {
    const query = { format: "jsonl", after: await this.before(options.since) };
    const place = `api/endpoints/${this.endpoint.id}/export/${this.path}`;
    let lowest = -1;
    const octets = this.transport.stream(place, query, {}, undefined);
    for await (const line of lines(octets, this.broken("its last line is unfinished"))) {
      const row = this.row(line);
      let reading: Reading;
      if (row.marks.includes("recovered")) {
        if (options.recovered !== true) continue;
        reading = this.recovered(row);
      } else {
        try {
          reading = await this.archived(row, options.keys ?? [], lowest);
        } catch (problem) {
          report(problem, options.refused);
          continue;
        }
        lowest = reading.number;
      }
      if (isWithin(reading.time, options)) yield reading;
    }
  }

  /** A number below those of the span, so that the gateway does not send years of older values. */
  private async before(since: Date | undefined): Promise<number> {
    if (since === undefined) return 0;
    const query = { from: since.toISOString(), limit: 1 };
    const place = `api/endpoints/${this.endpoint.id}/resources/${this.path}/history`;
    const { values } = await this.transport.json<components["schemas"]["History"]>(place, query);
    const first = values?.[0];
    return first === undefined ? this.endpoint.high : Math.max(0, first.seq - 1);
  }

  /** After the first octet the gateway can report a problem only as another line. */
  private row(line: string): Row {
    let row: (Row & { detail?: unknown }) | null;
    try {
      row = JSON.parse(line) as typeof row;
    } catch {
      row = null;
    }
    if (row !== null && typeof row.marks === "string") return row;
    throw this.broken(String(row?.detail ?? "it has a line without a reading"));
  }

  private broken(why: string): Unreachable {
    const name = `${this.endpoint.ep}/${this.path}`;
    return new Unreachable(
      `${this.transport.url} did not send the whole history of ${name}: ${why.replace(/\.$/, "")}. Read it again.`,
    );
  }

  private async archived(row: Row, keys: readonly string[], lowest: number): Promise<Reading> {
    const { ep } = this.endpoint;
    const name = `${ep}/${this.path}`;
    let octets: string | Uint8Array<ArrayBuffer>;
    try {
      octets = row.jws ?? decodeBase64url(row.cose ?? "");
    } catch {
      throw new BadSignature(`${name}: a line of the history cannot be read.`, ep, this.path);
    }
    const original = await this.verifier.check(this.endpoint, this.path, octets, row.jwk);
    this.verifier.checkKey(this.endpoint, this.path, original.kid, keys);
    if (original.seq <= lowest) {
      const why = `reading ${original.seq} follows reading ${lowest} in the history`;
      throw new Replayed(`${name}: ${why}.`, ep, this.path);
    }
    return this.verifier.reading(this.endpoint, original, row.arrived);
  }

  private recovered(row: Row): Reading {
    const pack = new TextEncoder().encode(JSON.stringify(row.senml));
    const records = readSenml(pack, "application/senml+json");
    const { value = "", unit = "", time = 0 } = records.at(-1) ?? {};
    return {
      endpoint: this.endpoint.ep,
      domain: this.endpoint.d,
      resource: this.path,
      value,
      unit,
      time: new Date(time * 1000),
      number: row.seq,
      key: "",
      verified: false,
      unproven: ["reading: nobody signed it; the gateway fetched it from the mote after an outage"],
      records,
      original: "",
    };
  }
}

/** Throws what is not about a single reading, or what nobody wants to receive. */
export function report(problem: unknown, refused: HistoryOptions["refused"]): void {
  if (!(problem instanceof Unverified) || refused === undefined) throw problem;
  refused(problem);
}

function isWithin(time: Date | undefined, { since, until }: HistoryOptions): boolean {
  if (time === undefined) return since === undefined && until === undefined;
  return (since === undefined || time >= since) && (until === undefined || time < until);
}
