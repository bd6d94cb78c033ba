import type { Session } from "./session";

/** Each role includes the rights of the roles before it. */
export const ROLES = ["viewer", "operator", "administrator"] as const;
export type Role = (typeof ROLES)[number];

/** Whether the account has at least this role, in all domains or in one. */
export function hasRole(session: Session, needed: Role): boolean {
  return rank(session) >= ROLES.indexOf(needed);
}

/**
 * On gateways that show readings to everyone, a person who is not signed in has the rights of a
 * viewer.
 */
function rank(session: Session): number {
  if (session.state !== "signed-in") return 0;
  const ranks = session.account.roles.map((role) =>
    ROLES.findIndex((one) => one === role.split(":")[0]),
  );
  return Math.max(-1, ...ranks);
}

/**
 * Whether the account has at least this role in a domain; `d` is empty for the domain without a
 * name.
 */
export function hasRoleIn(session: Session, needed: Role, d: string): boolean {
  if (session.state !== "signed-in") return needed === "viewer";
  return session.account.roles.some((text) => {
    const [role, domain] = split(text);
    const includes = ROLES.findIndex((one) => one === role) >= ROLES.indexOf(needed);
    return includes && (domain === undefined || domain === (d === "" ? "-" : d));
  });
}

/** Whether the account has a role in all domains; actions on the gateway itself need that. */
export function hasRoleEverywhere(session: Session, needed: Role): boolean {
  if (session.state !== "signed-in") return needed === "viewer";
  return session.account.roles.some(
    (role) => ROLES.findIndex((one) => one === role) >= ROLES.indexOf(needed),
  );
}

/**
 * Where the account may operate, the widest first: an empty text stands for all domains of the
 * gateway, "-" for the domain without a name.
 */
export function placesOperated(session: Session, domains: readonly string[]): string[] {
  return [
    ...(hasRoleEverywhere(session, "operator") ? [""] : []),
    ...domains.filter((name) => hasRoleIn(session, "operator", name === "-" ? "" : name)),
  ];
}

function split(text: string): [role: string, domain: string | undefined] {
  const at = text.indexOf(":");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
