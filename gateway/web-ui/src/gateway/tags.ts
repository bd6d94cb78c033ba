import type { Api } from "./api";
import type { Endpoint } from "./model";
import type { Schemas } from "./schemas";
import { inParts } from "./outcomes";

/** All tags of some endpoints in alphabetical order. */
export function tagsInUse(endpoints: readonly { endpoint: Endpoint }[]): readonly string[] {
  const tags = new Set<string>();
  for (const { endpoint } of endpoints) for (const tag of endpoint.tags) tags.add(tag);
  return [...tags].sort((one, other) => one.localeCompare(other));
}

/** The tags of an endpoint with the entity tag of their version. @throws ApiProblem */
export async function readTags(api: Api, id: string): Promise<{ tags: string[]; version: string }> {
  const { json, tag } = await api.tagged(path(id));
  return { tags: (json as Schemas["TagsOfEndpoint"]).tags, version: tag };
}

/** @throws ApiProblem status 412 if the version is no longer the present one */
export async function putTags(
  api: Api,
  id: string,
  tags: readonly string[],
  version: string,
): Promise<void> {
  await api.send("PUT", path(id), { tags }, version);
}

/**
 * Adds tags to many endpoints and removes others.
 *
 * @param onDone called with the id of each endpoint that is done
 * @throws ApiProblem the first refusal, once all were tried
 */
export async function changeTags(
  api: Api,
  endpoints: readonly Pick<Endpoint, "id">[],
  change: { add: readonly string[]; remove: readonly string[] },
  onDone: (id: string) => void,
): Promise<void> {
  await inParts(endpoints, onDone, async (part) => {
    const ids = part.map(({ id }) => id);
    const answer = await api.send("POST", "api/endpoints/tags", { ids, ...change });
    const { refused } = answer as Schemas["TagChangeResult"];
    const refusedIds = new Set(refused.map(({ endpoint }) => endpoint));
    const done = ids.filter((id) => !refusedIds.has(id));
    return { results: [...done.map((endpoint) => ({ endpoint, status: 204 })), ...refused] };
  });
}

function path(id: string): string {
  return `api/endpoints/${encodeURIComponent(id)}/tags`;
}
