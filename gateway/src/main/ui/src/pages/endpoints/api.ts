import type { Api } from "../../gateway/api";
import type { Endpoint } from "../../gateway/model";

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

/** Approves the key that waits for an endpoint's name. */
export async function approveKey(api: Api, id: string, thumbprint: string): Promise<void> {
  const path = `api/keys/${encodeURIComponent(thumbprint)}/approve`;
  await api.send("POST", `${path}?endpoint=${encodeURIComponent(id)}`);
}
