import { ApiProblem, problemType, type Api } from "../../gateway/api";
import type { Endpoint } from "../../gateway/model";
import type { Schemas } from "../../gateway/schemas";

/** Says where an endpoint is; its name stays. An empty place removes it. */
export async function setPlace(api: Api, endpoint: Endpoint, location: string): Promise<void> {
  const path = `api/endpoints/${encodeURIComponent(endpoint.id)}/label`;
  const place = location.trim();
  if (place !== "" || endpoint.name !== "") {
    await api.send("PUT", path, { name: endpoint.name, location: place });
  } else if (endpoint.location !== "") {
    await api.send("DELETE", path);
  }
}

/** Items of one request at most. */
const MOST = 100;

/**
 * Approves the keys that wait for endpoints' names.
 *
 * @param onDone called with the id of each endpoint that is done
 * @throws ApiProblem the first refusal, once all were tried
 */
export async function approveKeys(
  api: Api,
  endpoints: readonly Endpoint[],
  onDone: (id: string) => void,
): Promise<void> {
  await inParts(endpoints, onDone, (part) =>
    api.send("POST", "api/keys/decisions", {
      decisions: part.map(({ id, keyThumbprint }) => ({
        thumbprint: keyThumbprint,
        endpoint: id,
        decision: "approve",
      })),
    }),
  );
}

/** Forgets endpoints, as above. */
export async function forgetEndpoints(
  api: Api,
  endpoints: readonly Endpoint[],
  onDone: (id: string) => void,
): Promise<void> {
  await inParts(endpoints, onDone, (part) =>
    api.send("POST", "api/endpoints/forget", { ids: part.map(({ id }) => id) }),
  );
}

async function inParts(
  endpoints: readonly Endpoint[],
  onDone: (id: string) => void,
  request: (part: readonly Endpoint[]) => Promise<unknown>,
): Promise<void> {
  let refused: ApiProblem | undefined;
  for (let at = 0; at < endpoints.length; at += MOST) {
    const answer = await request(endpoints.slice(at, at + MOST));
    for (const { endpoint = "", status, type, detail } of (answer as Schemas["Outcomes"]).results) {
      if (status < 300) onDone(endpoint);
      else refused ??= new ApiProblem(status, detail, undefined, problemType(type));
    }
  }
  if (refused !== undefined) throw refused;
}
