import type { Api } from "../../gateway/api";

export const RADIO_KINDS = [
  "serial",
  "tcp",
  "zep",
  "tunslip6-serial",
  "tunslip6-tcp",
  "virtual",
] as const;
export type RadioKind = (typeof RADIO_KINDS)[number];

/** A radio; which members count depends on its kind. Absent ones have their defaults. */
export interface Radio {
  kind: RadioKind;
  port?: number;
  device?: string;
  baud?: number;
  host?: string;
}

/** Use of the link key; the key itself is never read. */
export interface LinkSecurity {
  level: number;
  /** -1: frames name no key. */
  keyIndex: number;
}

export const MEMBERS = ["radios", "filter", "linkSecurity"] as const;
export type Member = (typeof MEMBERS)[number];

export interface Stored {
  radios?: Radio[];
  filter?: string[];
  linkSecurity?: LinkSecurity;
}

export interface NetworkSettings {
  /** Members that the settings file names: what is stored of them has no effect. */
  fileMembers: Member[];
  /** Absent: nothing is stored. */
  stored?: Stored;
  restartNeeded: boolean;
  /** Why the stored settings were not used at the start; the gateway runs without radio then. */
  problem?: string;
}

export type Source = "default" | "demo" | "store" | "file" | "environment" | "option";

interface Setting {
  name: string;
  source: Source;
  place?: string;
}

/** Where a member that was not stored comes from. */
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
    api.json("api/settings") as Promise<{ settings: Setting[] }>,
  ]);
  const settings = json as NetworkSettings;
  const origins = Object.fromEntries(
    MEMBERS.map((member) => [member, originOf(member, settings, all.settings)]),
  ) as Record<Member, Origin>;
  return { settings, tag, origins };
}

/** The settings file names a member by its parts, of which some have their defaults. */
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
