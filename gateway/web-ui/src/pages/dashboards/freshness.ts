import type { Freshness } from "../../gateway/model";
import type { Member } from "./api";

/** The freshness of an endpoint at a time: the gateway sends no event when it becomes late. */
export function freshnessOf(member: Member, now: number): Freshness {
  const { lateAt, missingAt } = member;
  if (lateAt === undefined || missingAt === undefined) return member.freshness;
  return now < Date.parse(lateAt) ? "on-time" : now < Date.parse(missingAt) ? "late" : "missing";
}
