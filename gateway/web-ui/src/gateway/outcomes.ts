import { ApiProblem, problemType } from "./api";
import type { Schemas } from "./schemas";

/** Items of one request at most. */
const MOST = 100;

/**
 * Sends a request about many objects in as many parts as the gateway requires.
 *
 * @param onDone called with the endpoint of each outcome that is a success
 * @throws ApiProblem the first refusal, once all were tried
 */
export async function inParts<T>(
  items: readonly T[],
  onDone: (endpoint: string) => void,
  request: (part: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let refused: ApiProblem | undefined;
  for (let at = 0; at < items.length; at += MOST) {
    const answer = await request(items.slice(at, at + MOST));
    for (const { endpoint = "", status, type, detail } of (answer as Schemas["Outcomes"]).results) {
      if (status < 300) onDone(endpoint);
      else refused ??= new ApiProblem(status, detail, undefined, problemType(type));
    }
  }
  if (refused !== undefined) throw refused;
}
