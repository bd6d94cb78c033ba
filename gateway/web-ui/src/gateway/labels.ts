import type { Api } from "./api";
import type { Endpoint } from "./model";

/** Gives an endpoint a name and a place for people; empty texts remove the label. @throws ApiProblem */
export async function putLabel(
  api: Api,
  { id, name: before, location: place }: Pick<Endpoint, "id" | "name" | "location">,
  label: { name: string; location: string },
): Promise<void> {
  const path = `api/endpoints/${encodeURIComponent(id)}/label`;
  if (label.name.trim() !== "" || label.location.trim() !== "") {
    await api.send("PUT", path, label);
  } else if (before !== "" || place !== "") {
    await api.send("DELETE", path);
  }
}
