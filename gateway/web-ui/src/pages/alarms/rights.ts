import type { Session } from "../../gateway/session";
import { hasRoleIn, type Role } from "../../gateway/roles";

const NEEDED: Role = "operator";

/** Whether an account may handle alarms of a domain or, without a domain, of the gateway itself. */
export function operates(session: Session, d: string | undefined): boolean {
  if (d !== undefined) return hasRoleIn(session, NEEDED, d);
  if (session.state !== "signed-in") return false;
  return session.account.roles.some((role) => role === "operator" || role === "administrator");
}
