import type { Freshness, Trust } from "../gateway/model";

/** Common notation of SenML units (RFC 8428 section 12.1); other units are not changed. */
const UNITS: Record<string, string> = {
  Cel: "°C",
  "%RH": "% RH",
  "%EL": "% battery",
  "m/s2": "m/s²",
  "W/m2": "W/m²",
  m2: "m²",
  m3: "m³",
  Ohm: "Ω",
  lx: "lx",
  "/": "",
};

export function unitInWords(unit: string): string {
  return UNITS[unit] ?? unit;
}

export const FRESHNESS_WORDS: Record<Freshness, string> = {
  "on-time": "On time",
  late: "Late",
  missing: "Missing",
};

export const TRUST_WORDS: Record<Trust, { label: string; meaning: string }> = {
  trusted: { label: "Trusted", meaning: "The gateway serves values signed by this key." },
  pending: {
    label: "Awaiting approval",
    meaning: "Values are not served until an operator approves the key.",
  },
  unproven: { label: "Key unproven", meaning: "The mote has not yet signed anything." },
  replaced: { label: "Key replaced", meaning: "A newer key has replaced this one." },
  revoked: { label: "Key revoked", meaning: "The gateway refuses updates signed by this key." },
};

export const BYTES = ["B", "kB", "MB", "GB", "TB", "PB"];
const DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 4, useGrouping: false });

/** The power of a thousand that a number is scaled by; only bytes are scaled. */
export function thousands(value: number, unit: string): number {
  if (unit !== "B" || !Number.isFinite(value) || Math.abs(value) < 1000) return 0;
  return Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3));
}

/** A value shortened for a row; all other places show it as it was signed. */
export function atAGlance(value: string, unit: string): { value: string; unit: string } {
  const power = thousands(Number(value), unit);
  if (power === 0) return { value, unit: unitInWords(unit) };
  return { value: DIGITS.format(Number(value) / 1000 ** power), unit: BYTES[power] ?? unit };
}

/** A rounded duration: "3 s", "5 min", "2 h", "4 d". */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

export function ago(milliseconds: number): string {
  return milliseconds < 1500 ? "just now" : `${duration(milliseconds)} ago`;
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export function timeOfDay(milliseconds: number): string {
  return TIME.format(milliseconds);
}

export function moment(milliseconds: number): string {
  return MOMENT.format(milliseconds);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
