import type { Freshness } from "../../gateway/model";
import type { Member } from "./api";
import type { Contact } from "./boardFeed";

/** The freshness of an endpoint at a time: the gateway sends no event when it becomes late. */
export function freshnessOf(member: Member, now: number): Freshness {
  const { lateAt, missingAt } = member;
  if (lateAt === undefined || missingAt === undefined) return member.freshness;
  return now < Date.parse(lateAt) ? "on-time" : now < Date.parse(missingAt) ? "late" : "missing";
}

/** The times at which tiles are shown, by the gateway's clock. */
export interface BoardTime {
  now: number;
  /** See {@link freshnessTime}. */
  freshness: number;
}

/**
 * The time used for freshness: now or, without contact, the time when it was lost, because a page
 * without a connection must not show motes as late.
 */
export function freshnessTime(contact: Contact, now: number): number {
  return "since" in contact ? contact.since : now;
}
