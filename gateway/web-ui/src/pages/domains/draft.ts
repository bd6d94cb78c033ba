import { exactDuration, secondsOf } from "../../text/format";
import type { Domain, Stored } from "./api";

/** Members that are lists of principals, flags, durations, and numbers. Dots lead into objects. */
export const LISTS = ["policy.register", "policy.read", "policy.command"] as const;
export const FLAGS = ["rotateAtOnce", "confidential", "serveStale"] as const;
export const DURATIONS = [
  "maxClockSkewSeconds",
  "maxDelaySeconds",
  "defaultWakeSeconds",
  "history.ageSeconds",
] as const;
export const NUMBERS = [
  "window",
  "history.values",
  "history.octets",
  "limits.payload",
  "limits.endpoints",
  "limits.unproven",
  "limits.unprovenPerSource",
  "limits.resources",
  "limits.updatesPerMinute",
  "limits.updatesPerMinutePerSource",
  "limits.registrationsPerMinute",
  "limits.namesPerMinute",
  "limits.failuresPerMinute",
  "limits.commands",
] as const;
export const MEMBERS = ["trust", ...LISTS, ...FLAGS, ...DURATIONS, ...NUMBERS] as const;
export type Member = (typeof MEMBERS)[number];

/** The texts of a form; an empty one leaves the default in force. */
export type Draft = Readonly<Record<Member, string>>;

export function draftOf(stored: Stored | undefined): Draft {
  const texts = MEMBERS.map((member) => [member, textOf(member, valueAt(stored, member))]);
  return Object.fromEntries(texts) as Draft;
}

/** The effective value of a member, in the form's notation. */
export function inForce(domain: Domain, member: Member): string {
  return textOf(member, valueAt(domain as unknown as Stored, member));
}

function valueAt(from: Stored | undefined, member: string): unknown {
  return member
    .split(".")
    .reduce<unknown>((value, name) => (value as Stored | undefined)?.[name], from);
}

function textOf(member: Member, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isOf(DURATIONS, member) && typeof value === "number") return exactDuration(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** The fields whose value is not a number. */
export function faultyNumbers(draft: Draft): ReadonlySet<Member> {
  return new Set(NUMBERS.filter((member) => !/^\d{0,15}$/.test(draft[member].trim())));
}

/** The fields whose value is not a duration. */
export function faultyDurations(draft: Draft): ReadonlySet<Member> {
  return new Set(
    DURATIONS.filter(
      (member) => draft[member].trim() !== "" && secondsOf(draft[member]) === undefined,
    ),
  );
}

/** The body that stores a draft. */
export function settingsOf(draft: Draft): object {
  const settings: Record<string, unknown> = {};
  const put = (member: Member, value: unknown) => {
    const [first = "", second] = member.split(".");
    if (second === undefined) settings[first] = value;
    else settings[first] = { ...(settings[first] as object | undefined), [second]: value };
  };
  for (const member of MEMBERS) {
    const text = draft[member].trim();
    if (text === "") continue;
    if (isOf(LISTS, member)) {
      put(
        member,
        text
          .split(/[,\n]/)
          .map((one) => one.trim())
          .filter((one) => one !== ""),
      );
    } else if (isOf(FLAGS, member)) put(member, text === "true");
    else if (isOf(DURATIONS, member)) put(member, secondsOf(text));
    else put(member, isOf(NUMBERS, member) ? Number(text) : text);
  }
  return settings;
}

function isOf(members: readonly string[], member: string): boolean {
  return members.includes(member);
}
