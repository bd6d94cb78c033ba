import type { Api } from "../../gateway/api";
import type { Endpoint } from "../../gateway/model";
import { inParts } from "../../gateway/outcomes";
import type { Query } from "./list";

/** Sets the place of an endpoint; its name stays. An empty place removes it. */
export async function setPlace(api: Api, endpoint: Endpoint, location: string): Promise<void> {
  const path = `api/endpoints/${encodeURIComponent(endpoint.id)}/label`;
  const place = location.trim();
  if (place !== "" || endpoint.name !== "") {
    await api.send("PUT", path, { name: endpoint.name, location: place });
  } else if (endpoint.location !== "") {
    await api.send("DELETE", path);
  }
}

/**
 * Forgets endpoints.
 *
 * @param onDone called with the id of each endpoint that is done
 * @throws ApiProblem the first refusal, once all were tried
 */
export async function forgetEndpoints(
  api: Api,
  endpoints: readonly Endpoint[],
  onDone: (id: string) => void,
): Promise<void> {
  await inParts(endpoints, onDone, (part) =>
    api.send("POST", "api/endpoints/forget", { ids: part.map(({ id }) => id) }),
  );
}

/** The data to export, and the format. */
export type Exported = "values-jsonl" | "values-csv" | "hour-csv" | "day-csv";

/** The endpoints to export: of a domain, with all of the tags. */
export type Scope = Pick<Query, "domain" | "tags">;

/**
 * The path of an export of many endpoints.
 *
 * @param units of aggregates; signed values keep their units
 */
export function exportPath(
  what: Exported,
  { domain, tags }: Scope,
  units: readonly string[] = [],
): string {
  const [resolution = "", format = ""] = what.split("-");
  const query = new URLSearchParams({ resolution, format });
  if (resolution !== "values" && units.length > 0) query.set("units", units.join(","));
  if (domain !== undefined) query.set("d", domain === "" ? "-" : domain);
  tags.forEach((tag) => query.append("tag", tag));
  return `api/export?${query.toString()}`;
}
