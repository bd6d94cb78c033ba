import type { Role } from "../../gateway/roles";
import { ROLES } from "../../gateway/roles";

/** A role in one domain; `d` is "" for all domains, "-" for the domain without a name. */
export interface Grant {
  role: Role;
  d: string;
}

/** Reads a role as the API writes it: "viewer", or "viewer:plant". */
export function grantOf(text: string): Grant {
  const at = text.indexOf(":");
  const label = at < 0 ? text : text.slice(0, at);
  const role = ROLES.find((one) => one === label) ?? "viewer";
  return { role, d: at < 0 ? "" : text.slice(at + 1) };
}

/** The roles as the API accepts them; if a domain has several, only the highest. */
export function textsOf(grants: readonly Grant[]): string[] {
  const byDomain = new Map<string, Role>();
  for (const { role, d } of grants) {
    const before = byDomain.get(d);
    if (before === undefined || ROLES.indexOf(before) < ROLES.indexOf(role)) byDomain.set(d, role);
  }
  return [...byDomain].map(([d, role]) => (d === "" ? role : `${role}:${d}`)).sort();
}

/**
 * Whether roles include all rights of one role, which is the most that the gateway grants a token.
 */
export function include(own: readonly string[], wanted: Grant): boolean {
  return own
    .map(grantOf)
    .some(
      ({ role, d }) =>
        (d === "" || d === wanted.d) && ROLES.indexOf(role) >= ROLES.indexOf(wanted.role),
    );
}

/** A browser's own description in a few words, such as "Firefox, Linux". */
export function browserOf(client: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(
    // Browsers based on Chromium also name Chrome and Safari, so the most specific name is last.
    client.includes("Edg/") || client.includes("OPR/")
      ? client.replace(/(Chrome|Safari)\//g, "")
      : client,
  )?.[1];
  const system = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(client)?.[0];
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };
  const known = [browser, system].flatMap((name) =>
    name === undefined ? [] : [names[name] ?? name],
  );
  return known.length === 0 ? client.slice(0, 60) : known.join(", ");
}

/** Identities from a text field, one per line. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export type AccountFault = "name" | "roles";

const NAME = /^[a-z0-9][a-z0-9._@-]{0,62}$/;

export function nameFault(name: string): AccountFault | undefined {
  return NAME.test(name) ? undefined : "name";
}

const TOKEN_NAME = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,62}$/;

export function isTokenName(name: string): boolean {
  return TOKEN_NAME.test(name);
}

export const MAX_DAYS = 366;

export function isDays(text: string): boolean {
  return /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_DAYS;
}
