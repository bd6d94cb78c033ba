import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

/** A node whose frames the gateway's radios receive. */
export type Neighbour = Schemas["Neighbour"];

/**
 * A node of the DODAG, as known to the root. Times are milliseconds since 1970, by the gateway's
 * clock.
 */
export interface MeshNode extends Omit<Schemas["Node"], "secondsLeft" | "secondsSilent"> {
  routeUntil: number | undefined;
  heardAt: number | undefined;
}

export interface Network extends Omit<Schemas["Network"], "nodes"> {
  nodes: MeshNode[];
}

/**
 * The answer of `GET /api/network`.
 *
 * @param now arrival time, by the gateway's clock
 */
export function readNetwork(json: unknown, now: number): Network {
  const read = json as Schemas["Network"];
  return { ...read, nodes: read.nodes.map((node) => readNode(node, now)) };
}

export function readNode(json: unknown, now: number): MeshNode {
  const { secondsLeft, secondsSilent, ...node } = json as Schemas["Node"];
  return {
    ...node,
    routeUntil: secondsLeft === undefined ? undefined : now + secondsLeft * 1000,
    heardAt: secondsSilent === undefined ? undefined : now - secondsSilent * 1000,
  };
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
