import { ApiProblem, type Api } from "../../gateway/api";

/** The key of the mote that is to replace an endpoint's mote. */
export interface Successor {
  thumbprint: string;
  /** expected: it has not registered yet; in-place: it has the endpoint. */
  state: "expected" | "in-place";
}

/** The expected successor; undefined without one. */
export async function readSuccessor(api: Api, id: string): Promise<Successor | undefined> {
  try {
    return (await api.json(pathOf(id))) as Successor;
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return undefined;
    throw problem;
  }
}

export function putSuccessor(api: Api, id: string, thumbprint: string): Promise<Successor> {
  return api.send("PUT", pathOf(id), { thumbprint }) as Promise<Successor>;
}

/** Cancels the replacement; the endpoint keeps its key. */
export async function removeSuccessor(api: Api, id: string): Promise<void> {
  await api.send("DELETE", pathOf(id));
}

function pathOf(id: string): string {
  return `api/endpoints/${encodeURIComponent(id)}/successor`;
}
