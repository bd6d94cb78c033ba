import { ApiProblem, type Api } from "../../gateway/api";

/** A directory that publishes the gateway's endpoints too. */
export interface Directory {
  address: string;
  /** How many endpoints it shows. */
  shown: number;
  /** The last error; absent once it is resolved. */
  error?: string;
  failedAt?: string;
  succeededAt?: string;
}

export async function listDirectories(api: Api): Promise<Directory[]> {
  return ((await api.json("api/directories")) as { directories: Directory[] }).directories;
}

/** A system that gets the gateway's data. */
export interface Destination {
  name: string;
  /** Readings that it has not acknowledged. */
  waiting: number;
  lagSeconds: number;
  delivered: number;
  /** Readings that retention removed before they could be delivered. */
  lost: number;
  /** The last error; absent once it is over. */
  error?: string;
  succeededAt?: string;
}

export async function listDestinations(api: Api): Promise<Destination[]> {
  const answer = (await api.json("api/northbound")) as { destinations: Destination[] };
  return answer.destinations;
}

/** For instance UP, DEGRADED or DOWN. */
export async function readHealth(api: Api): Promise<string> {
  try {
    return ((await api.json("actuator/health")) as { status: string }).status;
  } catch (problem) {
    // The status code of a gateway that is down, and not the one of a lost connection.
    if (problem instanceof ApiProblem && problem.status === 503) return "DOWN";
    throw problem;
  }
}

export interface Part {
  /** For instance store. */
  name: string;
  status: string;
  details: Record<string, string>;
}

/** The gateway itself. */
export interface System {
  version?: string;
  build?: string;
  builtAt?: string;
  startedAt: string;
  /** The worst of the parts. */
  status: string;
  parts: Part[];
  store: Record<StoreFigure | "octets", number>;
  disk: { free: number; total: number };
  memory: { used: number; max: number };
}

export const STORE_FIGURES = [
  "endpoints",
  "waiting",
  "written",
  "refused",
  "failed",
  "transactions",
] as const;
export type StoreFigure = (typeof STORE_FIGURES)[number];

/** Undefined for accounts that may not see it. */
export function readSystem(api: Api): Promise<System | undefined> {
  return unlessRefused(api.json("api/system") as Promise<System>);
}

export type Source = "default" | "demo" | "store" | "file" | "environment" | "option";

/** A setting in force. */
export interface Setting {
  name: string;
  /** Absent for secrets. */
  value?: string;
  secret: boolean;
  source: Source;
  /** File and line, or the variable of the environment. */
  place?: string;
}

export async function listSettings(api: Api): Promise<Setting[]> {
  return ((await api.json("api/settings")) as { settings: Setting[] }).settings;
}

/** The certificate of the gateway's own authority as PEM; undefined without one. */
export async function readAuthority(api: Api): Promise<string | undefined> {
  try {
    return await api.text("ca.pem", "application/pem-certificate-chain");
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return undefined;
    throw problem;
  }
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (problem) {
    const refused = problem instanceof ApiProblem && [401, 403].includes(problem.status);
    if (refused) return undefined;
    throw problem;
  }
}
