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

export interface Build {
  version: string;
  number: string | undefined;
  time: string | undefined;
}

/** The build; undefined where the gateway shows it to this machine's programs alone. */
export async function readBuild(api: Api): Promise<Build | undefined> {
  const info = await unlessRefused(api.json("actuator/info"));
  const { build } = (info ?? {}) as { build?: Record<string, string> };
  if (build === undefined) return undefined;
  return {
    version: build["version"] ?? "",
    number: build["number"],
    time: build["time"],
  };
}

/** The text of the metrics; undefined where the gateway shows them to this machine's programs alone. */
export function readMetrics(api: Api): Promise<string | undefined> {
  return unlessRefused(api.text("actuator/prometheus", "text/plain"));
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
    const refused = problem instanceof ApiProblem && [401, 403, 404].includes(problem.status);
    if (refused) return undefined;
    throw problem;
  }
}
