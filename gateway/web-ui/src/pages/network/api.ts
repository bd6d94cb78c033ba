import type { Api } from "../../gateway/api";
import { instant, list, number, object, text } from "../../gateway/json";

/** Figures of a radio, a neighbour or all neighbours without a place of their own. */
export interface Figures {
  frames: number;
  octetsIn: number;
  sent: number;
  octetsOut: number;
  savedIn: number;
  savedOut: number;
  failed: number;
  retries: number;
  /** Expected transmissions for each frame; undefined before the first. */
  etx: number | undefined;
  dropped: Record<string, number>;
}

export interface RadioStatus {
  name: string;
  up: boolean;
  eui64: string;
  /** Packets in the transmit queue. */
  waiting: number;
  figures: Figures;
}

/** A node whose frames the gateway's radios receive. */
export interface Neighbour {
  eui64: string;
  address: string;
  radio: string;
  /** Milliseconds since 1970, by the gateway's clock. */
  heardAt: number | undefined;
  /** Link quality, 0 to 255; undefined when the radio does not measure it. */
  lqi: number | undefined;
  /** IEEE 802.15.4 security level of the last frame, 0 to 7. */
  level: number;
  figures: Figures;
}

/** A node of the DODAG, as the root knows it. */
export interface MeshNode {
  address: string;
  parent: string;
  rank: number | undefined;
  /** Undefined without a route. */
  hops: number | undefined;
  /** When its route ends, in milliseconds by the gateway's clock. */
  routeUntil: number | undefined;
  /** When the root heard it. */
  heardAt: number | undefined;
  /** Name of the endpoint whose last message came from the node; empty when it is not known. */
  ep: string;
}

export interface Network {
  panId: string;
  channel: number | undefined;
  prefix: string;
  eui64: string;
  radios: RadioStatus[];
  neighbours: Neighbour[];
  others: Figures;
  /** Undefined when the gateway is not the root. */
  dodagVersion: number | undefined;
  routes: number;
  nodes: MeshNode[];
  drops: Record<string, number>;
  captureReaders: number;
}

/** A member that is added to nodes: when their seconds were true. */
export const TOLD_AT = "toldAt";

function later(at: number | undefined, seconds: number | undefined): number | undefined {
  return at === undefined || seconds === undefined ? undefined : at + seconds * 1000;
}

function negative(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : -seconds;
}

/**
 * @param json with the time in its nodes (`live.ts`)
 * @throws SyntaxError when the answer has not the shape of `GET /api/network`
 */
export function readNetwork(json: unknown): Network {
  const read = object(json);
  const radio = object(read["radio"]);
  return {
    panId: text(radio["panId"]),
    channel: number(radio["channel"]),
    prefix: text(radio["prefix"]),
    eui64: text(radio["eui64"]),
    radios: list(read["radios"]).map((one) => ({
      name: text(one["name"]),
      up: one["up"] === true,
      eui64: text(one["eui64"]),
      waiting: number(one["waiting"]) ?? 0,
      figures: figures(one),
    })),
    neighbours: list(read["neighbours"]).map((one) => ({
      eui64: text(one["eui64"]),
      address: text(one["address"]),
      radio: text(one["radio"]),
      heardAt: instant(one["heardAt"]),
      lqi: number(one["lqi"]),
      level: number(one["level"]) ?? 0,
      figures: figures(one),
    })),
    others: figures(object(read["others"] ?? {})),
    dodagVersion: number(read["dodagVersion"]),
    routes: number(read["routes"]) ?? 0,
    nodes: list(read["nodes"]).map((one) => ({
      address: text(one["address"]),
      parent: text(one["parent"]),
      rank: number(one["rank"]),
      hops: number(one["hops"]),
      routeUntil: later(number(one[TOLD_AT]), number(one["secondsLeft"])),
      heardAt: later(number(one[TOLD_AT]), negative(number(one["secondsSilent"]))),
      ep: text(one["ep"]),
    })),
    drops: counts(read["drops"]),
    captureReaders: number(object(read["capture"] ?? {})["readers"]) ?? 0,
  };
}

function figures(read: Record<string, unknown>): Figures {
  const count = (name: string) => number(read[name]) ?? 0;
  return {
    frames: count("frames"),
    octetsIn: count("octetsIn"),
    sent: count("sent"),
    octetsOut: count("octetsOut"),
    savedIn: count("savedIn"),
    savedOut: count("savedOut"),
    failed: count("failed"),
    retries: count("retries"),
    etx: number(read["etx"]),
    dropped: counts(read["dropped"]),
  };
}

function counts(json: unknown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(object(json ?? {})).flatMap(([reason, count]) =>
      typeof count === "number" ? [[reason, count]] : [],
    ),
  );
}

/** @throws ApiProblem */
export async function repair(api: Api): Promise<void> {
  await api.send("POST", "api/network/repair");
}

/** @throws ApiProblem */
export async function refresh(api: Api): Promise<void> {
  await api.send("POST", "api/network/refresh");
}

/** @throws ApiProblem */
export async function forgive(api: Api, eui64: string): Promise<void> {
  await api.send("POST", `api/network/neighbours/${encodeURIComponent(eui64)}/forgive`);
}

/** The address of a capture that ends by itself. */
export function captureUrl(api: Api, seconds: number): string {
  return api.url(`api/network/capture?seconds=${seconds}`);
}
