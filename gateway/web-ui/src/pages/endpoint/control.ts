import type { Control } from "../../gateway/model";
import { valueOf } from "../../sign/command";

/** The control of a path that is typed, or of any value for a resource. */
export const UNKNOWN: Control = {
  kind: "unknown",
  declared: false,
  minimum: undefined,
  maximum: undefined,
  multipleOf: undefined,
  values: [],
};

/** A fault of a typed value. */
export type Fault = "missing" | "number" | "minimum" | "maximum" | "multiple" | "choice";

/** The value of a command, or the fault of the typed text. */
export function commandValue(
  control: Control,
  typed: string,
): { value: number | boolean | string } | { fault: Fault } {
  const word = typed.trim();
  if (word === "") return { fault: "missing" };
  switch (control.kind) {
    case "switch":
    case "choice": {
      const value = control.values.find((one) => String(one) === word);
      return value === undefined ? { fault: "choice" } : { value };
    }
    case "number": {
      const value = Number(word.replace(",", "."));
      const fault = numberFault(control, value);
      return fault === undefined ? { value } : { fault };
    }
    case "text":
      return { value: typed };
    case "unknown":
      return { value: valueOf(typed) };
  }
}

function numberFault({ minimum, maximum, multipleOf }: Control, value: number): Fault | undefined {
  if (!Number.isFinite(value)) return "number";
  if (minimum !== undefined && value < minimum) return "minimum";
  if (maximum !== undefined && value > maximum) return "maximum";
  if (multipleOf === undefined) return undefined;
  const times = value / multipleOf;
  return Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times))
    ? "multiple"
    : undefined;
}

/** The positions of a slider, numbered from 0. */
export interface Positions {
  count: number;
  /** The number at a position, as text. */
  at: (position: number) => string;
  /** The position next to a number. */
  of: (value: number) => number;
}

/** A slider without a step has about this many positions. */
const STEPS = 100;
/** More positions are too close to each other. */
const MOST = 1000;

/** The positions of a number with both limits; undefined without them, or with too many. */
export function positions({ minimum, maximum, multipleOf }: Control): Positions | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  const step = multipleOf ?? 10 ** Math.floor(Math.log10((maximum - minimum) / STEPS));
  const first = multipleOf === undefined ? minimum : Math.ceil(minimum / step - 1e-9) * step;
  const count = Math.floor((maximum - first) / step + 1e-9) + 1;
  if (!(count > 1 && count <= MOST)) return undefined;
  const digits = Math.max(decimals(step), decimals(first));
  return {
    count,
    at: (position) => String(Number((first + position * step).toFixed(digits))),
    of: (value) => Math.min(count - 1, Math.max(0, Math.round((value - first) / step))),
  };
}

function decimals(value: number): number {
  const [, fraction = "", power = "0"] =
    /^-?\d+(?:\.(\d+))?(?:e(-?\d+))?$/.exec(String(value)) ?? [];
  return Math.min(20, Math.max(0, fraction.length - Number(power)));
}

/** The value with which a form begins: the last one, if the control can show it. */
export function initialValue(control: Control, last: string | undefined): string {
  if (last === undefined || control.kind === "text" || control.kind === "unknown") return "";
  return "value" in commandValue(control, last) ? last : "";
}
