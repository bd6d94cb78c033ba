import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

export type Dashboard = Schemas["Dashboard"];
export type Tile = Dashboard["tiles"][number];
export type TileKind = Tile["kind"];
export type Span = NonNullable<Tile["span"]>;
/** The members of a dashboard that a request sets. */
export type DashboardSettings = Omit<Schemas["DashboardBody"], "id">;
export type Content = Schemas["TileContent"];
export type Contents = Schemas["TileContents"];
export type Member = NonNullable<Content["endpoints"]>[number];
export type Line = NonNullable<Content["chart"]>["lines"][number];
export type MeshNode = NonNullable<Content["nodes"]>[number];
/** An endpoint at a place of a floor plan. */
export type PlanPlace = Tile["places"][number];
/** The content of a place. */
export type PlaceContent = NonNullable<Content["places"]>[number];
/** Its token is only in the response that creates it. */
export type BoardLink = Schemas["DashboardLink"];

export const KINDS = [
  "value",
  "chart",
  "state",
  "tag",
  "mesh",
  "text",
  "plan",
] as const satisfies readonly TileKind[];
export const SPANS = ["1h", "6h", "24h", "7d", "30d", "365d"] as const satisfies readonly Span[];

export async function listDashboards(api: Api): Promise<Dashboard[]> {
  return ((await api.json("api/dashboards")) as Schemas["Dashboards"]).dashboards;
}

/** A dashboard with the entity tag of its present version. */
export async function readDashboard(
  api: Api,
  id: string,
): Promise<{ dashboard: Dashboard; tag: string }> {
  const { json, tag } = await api.tagged(pathOf(id));
  return { dashboard: json as Dashboard, tag };
}

/** @param tag of the version that the change is based on; undefined: the dashboard is new */
export function putDashboard(
  api: Api,
  id: string,
  to: DashboardSettings,
  tag: string | undefined,
): Promise<unknown> {
  return api.send("PUT", pathOf(id), to, tag ?? '"0"');
}

export async function removeDashboard(api: Api, id: string): Promise<void> {
  await api.send("DELETE", pathOf(id));
}

/** @param tiles ids of the wanted tiles; undefined: all */
export async function readContents(
  api: Api,
  id: string,
  tiles: readonly string[] | undefined,
): Promise<Contents> {
  const query = new URLSearchParams((tiles ?? []).map((tile) => ["tile", tile]));
  return (await api.json(`${pathOf(id)}/tiles?${query}`)) as Contents;
}

/** Stores an image for the floor plans of a dashboard. @throws ApiProblem */
export function uploadImage(api: Api, id: string, image: Blob): Promise<Schemas["UploadedImage"]> {
  return api.sendBlob(`${pathOf(id)}/images`, image) as Promise<Schemas["UploadedImage"]>;
}

/** @throws ApiProblem */
export function readImage(api: Api, id: string, image: string): Promise<Blob> {
  return api.blob(`${pathOf(id)}/images/${encodeURIComponent(image)}`);
}

export async function listLinks(api: Api, id: string): Promise<BoardLink[]> {
  return ((await api.json(`${pathOf(id)}/links`)) as Schemas["DashboardLinks"]).links;
}

export function makeLink(
  api: Api,
  id: string,
  link: Schemas["NewDashboardLink"],
): Promise<BoardLink> {
  return api.send("POST", `${pathOf(id)}/links`, link) as Promise<BoardLink>;
}

export async function revokeLink(api: Api, id: string, link: string): Promise<void> {
  await api.send("DELETE", `${pathOf(id)}/links/${encodeURIComponent(link)}`);
}

/** The address of a full-screen page; the token is in the fragment, which no server sees. */
export function wallboardUrl(api: Api, token: string): string {
  return `${api.url("wallboard.html")}#${token}`;
}

export function pathOf(id: string): string {
  return `api/dashboards/${encodeURIComponent(id)}`;
}
