import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

export const RADIO_KINDS = [
  "serial",
  "tcp",
  "zep",
  "tunslip6-serial",
  "tunslip6-tcp",
  "virtual",
] as const satisfies readonly RadioKind[];
export type RadioKind = Schemas["RadioSettings"]["kind"];

/** A radio; its kind decides which members apply. Absent members have their defaults. */
export type Radio = Schemas["RadioSettings"];

export type Member = Schemas["NetworkSettings"]["fileMembers"][number];
export const MEMBERS = ["radios", "filter", "linkSecurity"] as const satisfies readonly Member[];

/**
 * The use of the link key; the key itself is not readable. Key index -1: frames carry no key index.
 */
export type Stored = Schemas["StoredNetworkSettings"];
export type NetworkSettings = Schemas["NetworkSettings"];
type Setting = Pick<Schemas["Setting"], "name" | "source" | "place">;
export type Source = Setting["source"];

/** The origin of a member that was not stored. */
export interface Origin {
  source: Source;
  /** File and line, or the variable of the environment. */
  place?: string;
}

export interface Shown {
  settings: NetworkSettings;
  /** Entity tag of the version, for {@link putNetworkSettings}. */
  tag: string;
  origins: Readonly<Record<Member, Origin>>;
}

const PATH = "api/network/settings";

const NAMES: Record<Member, string> = {
  radios: "border.radios",
  filter: "border.filter",
  linkSecurity: "border.link-security",
};

export async function readNetworkSettings(api: Api): Promise<Shown> {
  const [{ json, tag }, all] = await Promise.all([
    api.tagged(PATH),
    api.json("api/settings") as Promise<Schemas["Settings"]>,
  ]);
  const settings = json as NetworkSettings;
  const origins = Object.fromEntries(
    MEMBERS.map((member) => [member, originOf(member, settings, all.settings)]),
  ) as Record<Member, Origin>;
  return { settings, tag, origins };
}

/** The settings file names parts of a member; the other parts have their defaults. */
export function originOf(
  member: Member,
  { fileMembers, stored }: NetworkSettings,
  all: readonly Setting[],
): Origin {
  if (!fileMembers.includes(member)) {
    return { source: stored?.[member] === undefined ? "default" : "store" };
  }
  const named = all.find(
    ({ name, source }) =>
      name.startsWith(NAMES[member]) && source !== "default" && source !== "store",
  );
  return { source: named?.source ?? "file", ...(named?.place && { place: named.place }) };
}

/** @param tag of the version that the change is based on */
export async function putNetworkSettings(api: Api, body: object, tag: string): Promise<void> {
  await api.send("PUT", PATH, body, tag);
}

export async function removeNetworkSettings(api: Api, tag: string): Promise<void> {
  await api.send("DELETE", PATH, undefined, tag);
}
