import { ApiProblem, type Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

/** A directory that also publishes the gateway's endpoints. */
export type Directory = Schemas["Directory"];

export async function listDirectories(api: Api): Promise<Directory[]> {
  return ((await api.json("api/directories")) as Schemas["Directories"]).directories;
}

/** A system that receives the gateway's data. */
export type Destination = Schemas["Destination"];

export async function listDestinations(api: Api): Promise<Destination[]> {
  const answer = (await api.json("api/northbound")) as Schemas["Destinations"];
  return answer.destinations;
}

/** Whether the other side took a test, and what it answered. */
export type DestinationTest = Schemas["DestinationTest"];

export async function testDestination(api: Api, name: string): Promise<DestinationTest> {
  const path = `api/northbound/${encodeURIComponent(name)}/test`;
  return (await api.test(path)) as DestinationTest;
}

/** Such as UP, DEGRADED or DOWN. */
export async function readHealth(api: Api): Promise<string> {
  try {
    return ((await api.json("actuator/health")) as Schemas["Health"]).status;
  } catch (problem) {
    // The status code of a gateway that is down, not of a lost connection.
    if (problem instanceof ApiProblem && problem.status === 503) return "DOWN";
    throw problem;
  }
}

export type Part = Schemas["Part"];
/** The gateway itself; its status is the worst of its parts. */
export type System = Schemas["System"];

export const STORE_FIGURES = [
  "endpoints",
  "waiting",
  "written",
  "refused",
  "failed",
  "transactions",
] as const satisfies readonly (keyof System["store"])[];
export type StoreFigure = (typeof STORE_FIGURES)[number];

/** Undefined for accounts without the right to see it. */
export function readSystem(api: Api): Promise<System | undefined> {
  return unlessRefused(api.json("api/system") as Promise<System>);
}

/** An effective setting; secrets have no value. */
export type Setting = Schemas["Setting"];
export type Source = Setting["source"];

export async function listSettings(api: Api): Promise<Setting[]> {
  return ((await api.json("api/settings")) as Schemas["Settings"]).settings;
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
