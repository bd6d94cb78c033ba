import type { Freshness, Trust } from "../gateway/model";
import { calibrated, conversionOf, symbolOf, type Calibrated } from "./displayUnits";
import { language, textsOf, type Language } from "./language";
import { commonMessages } from "./messages";

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
  return UNITS[unit] ?? symbolOf(unit) ?? unit;
}

export function freshnessWord(freshness: Freshness): string {
  return textsOf(commonMessages).freshness[freshness];
}

/** The state of an endpoint: its freshness, or why the gateway does not accept its updates. */
export function stateWord(freshness: Freshness, trust: Trust | undefined): string {
  const why: Readonly<Partial<Record<Trust, string>>> = textsOf(commonMessages).notTrusted;
  const reason = freshness === "not-trusted" && trust !== undefined ? why[trust] : undefined;
  return reason ?? freshnessWord(freshness);
}

export function trustWord(trust: Trust): { label: string; meaning: string } {
  const texts = textsOf(commonMessages);
  return { label: texts.trust[trust], meaning: texts.trustMeaning[trust] };
}

/** Why requests of an endpoint were refused; the API's own name for unknown reasons. */
export function rejectionWord(reason: string): string {
  const words: Readonly<Record<string, string>> = textsOf(commonMessages).rejection;
  return words[reason] ?? reason;
}

export const BYTES = ["B", "kB", "MB", "GB", "TB", "PB"];

/** The power of a thousand that a number is scaled by; only bytes are scaled. */
export function thousands(value: number, unit: string): number {
  if (unit !== "B" || !Number.isFinite(value) || Math.abs(value) < 1000) return 0;
  return Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3));
}

/**
 * A signed value as people of the chosen language read it: calibrated and in the chosen unit,
 * otherwise the same digits with their decimal separator, and bytes scaled by thousands.
 */
export function readable(
  value: string,
  unit: string,
  calibration?: Calibrated,
): { value: string; unit: string } {
  const conversion = conversionOf(unit, calibration);
  if (conversion !== undefined && isNumber(value)) {
    return {
      value: converted(value, conversion.of(Number(value))),
      unit: unitInWords(conversion.unit),
    };
  }
  return asSigned(value, unit);
}

/** Two digits more than were measured: an offset may need them. */
function converted(measured: string, result: number): string {
  const digits = Math.max(4, measured.replace(/e.*|\D|^\D*0+/gi, "").length + 2);
  return decimal(result, {
    maximumSignificantDigits: Math.min(15, digits),
    useGrouping: false,
  });
}

/** Whether a signed value is a number, which calibrations and units change. */
export function isNumber(value: string): boolean {
  return NUMBER.test(value);
}

/** The formula of a calibration, with a signed value if there is one: "21.5 °C × 1.02 + 0.3 = …". */
export function formula(unit: string, calibration: Calibrated, value?: string): string {
  const exact = (number: number) =>
    decimal(number, { maximumSignificantDigits: 15, useGrouping: false });
  const { factor, offset } = calibration;
  const signed =
    value === undefined
      ? textsOf(commonMessages).signedValue
      : Object.values(asSigned(value, unit)).join(" ").trim();
  const sign = offset < 0 ? "−" : "+";
  const calculation = [
    signed,
    ...(factor === 1 ? [] : [`× ${exact(factor)}`]),
    ...(offset === 0 ? [] : [`${sign} ${exact(Math.abs(offset))}`]),
  ].join(" ");
  if (value === undefined) return calculation;
  const result = converted(value, calibrated(Number(value), calibration));
  return `${calculation} = ${result} ${unitInWords(calibration.unit ?? unit)}`.trim();
}

/** As {@link readable}, in the unit that the mote signed. */
export function asSigned(value: string, unit: string): { value: string; unit: string } {
  const power = thousands(Number(value), unit);
  if (power === 0) return { value: withSeparator(value), unit: unitInWords(unit) };
  const digits = { maximumSignificantDigits: 4, useGrouping: false };
  return { value: decimal(Number(value) / 1000 ** power, digits), unit: BYTES[power] ?? unit };
}

const NUMBER = /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/;

function withSeparator(value: string): string {
  if (!/^[-+]?\d+\.\d+([eE][-+]?\d+)?$/.test(value)) return value;
  return value.replace(".", decimal(0.5).charAt(1));
}

/** A number of octets: "512 B", "23.06 GB". */
export function bytes(octets: number): string {
  return Object.values(readable(String(octets), "B")).join(" ");
}

/** A rounded duration: "3 s", "5 min", "2 h", "4 d". */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

const UNIT_SECONDS = { w: 604_800, d: 86_400, h: 3_600, min: 60, s: 1 } as const;
type UnitOfTime = keyof typeof UNIT_SECONDS;

/** Whole seconds as people write them, without rounding: "30 d", "90 s", "1 h 30 min". */
export function exactDuration(seconds: number): string {
  let left = seconds;
  const parts = (["d", "h", "min", "s"] as const).flatMap((unit) => {
    const count = Math.floor(left / UNIT_SECONDS[unit]);
    left -= count * UNIT_SECONDS[unit];
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** The seconds of a typed duration such as "30 d" or "1 h 30 min"; undefined for other texts. */
export function secondsOf(text: string): number | undefined {
  const typed = text.trim();
  if (typed === "0") return 0;
  if (!/^(\d{1,9} *(w|d|h|min|s)( +|$))+$/.test(typed)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of typed.matchAll(/(\d+) *([a-z]+)/g)) {
    seconds += Number(count) * UNIT_SECONDS[unit as UnitOfTime];
  }
  return seconds;
}

export function ago(milliseconds: number): string {
  const texts = textsOf(commonMessages);
  return milliseconds < 1500 ? texts.justNow : texts.ago(duration(milliseconds));
}

/** The browser's own notation when it agrees with the language, such as en-GB. */
function locale(of: Language): string | undefined {
  const own = Intl.DateTimeFormat().resolvedOptions().locale;
  return own.split("-")[0] === of ? undefined : of;
}

const dates = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language() + JSON.stringify(options);
  const made = dates.get(key) ?? new Intl.DateTimeFormat(locale(language()), options);
  dates.set(key, made);
  return made;
}

export function timeOfDay(milliseconds: number): string {
  return format({ timeStyle: "medium" }).format(milliseconds);
}

export function day(milliseconds: number): string {
  return format({ dateStyle: "short" }).format(milliseconds);
}

export function moment(milliseconds: number): string {
  return format({ dateStyle: "medium", timeStyle: "medium" }).format(milliseconds);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A whole number with digits grouped by threes, as usual in the language. */
export function grouped(number: number): string {
  return decimal(number);
}

const numbers = new Map<string, Intl.NumberFormat>();

/** A number in the notation of the chosen language. */
export function decimal(number: number, options: Intl.NumberFormatOptions = {}): string {
  const key = language() + JSON.stringify(options);
  const made = numbers.get(key) ?? new Intl.NumberFormat(locale(language()), options);
  numbers.set(key, made);
  return made.format(number);
}
