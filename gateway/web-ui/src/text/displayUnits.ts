// Units in which numbers are shown. Measurements keep the unit that the mote signed.
import type { Calibration } from "../gateway/model";
import { same } from "../gateway/same";
import type { Schemas } from "../gateway/schemas";

export type DisplayUnit = Schemas["DisplayUnit"];

/** A quantity with its units; numbers of one can be converted to another. */
export type Quantity = readonly DisplayUnit[];

/** The calculation by which a signed number is shown. */
export interface Conversion {
  /** The unit of the result. */
  unit: string;
  of: (value: number) => number;
}

/** The part of a calibration that changes numbers; the API leaves the unit out. */
export type Calibrated = Pick<Calibration, "factor" | "offset"> & {
  unit?: Calibration["unit"];
};

const ITEM = "vigil.units";

interface State {
  quantities: readonly Quantity[];
  /** The gateway's choice. */
  gateway: readonly string[];
  /** The choice in this browser, by the first unit of the quantity. */
  own: Readonly<Record<string, string>>;
}

let state: State = { quantities: [], gateway: [], own: {} };
let storage: Pick<Storage, "getItem" | "setItem"> | undefined;
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** Restores the choice of this browser. */
export function loadUnits(kept: Pick<Storage, "getItem" | "setItem">): void {
  storage = kept;
  change({ own: read(kept) });
}

function read(kept: Pick<Storage, "getItem">): Record<string, string> {
  try {
    const json: unknown = JSON.parse(kept.getItem(ITEM) ?? "{}");
    const entries = Object.entries(json ?? {}).filter(([, unit]) => typeof unit === "string");
    return Object.fromEntries(entries) as Record<string, string>;
  } catch {
    return {};
  }
}

/** The gateway's table and choice. */
export function setGatewayUnits({ chosen, quantities }: Schemas["DisplayUnits"]): void {
  const next = { gateway: chosen, quantities: quantities.map(({ units }) => units) };
  // Wallboards receive them with all contents.
  if (!same(next, { gateway: state.gateway, quantities: state.quantities })) change(next);
}

export function displayUnits(): State {
  return state;
}

export function onUnits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chooses a unit for a quantity in this browser; undefined: as the gateway does. */
export function chooseUnit(quantity: Quantity, unit: string | undefined): void {
  const { [first(quantity)]: _, ...own } = state.own;
  const next = unit === undefined ? own : { ...own, [first(quantity)]: unit };
  try {
    storage?.setItem(ITEM, JSON.stringify(next));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  change({ own: next });
}

export function first(quantity: Quantity): string {
  return quantity[0]?.unit ?? "";
}

/** The unit that the gateway chooses for a quantity; undefined: as measured. */
export function gatewayUnit(quantity: Quantity): DisplayUnit | undefined {
  return quantity.find(({ unit }) => state.gateway.includes(unit));
}

/** This browser's choice for a quantity: undefined without one, empty for "as measured". */
export function ownUnit(quantity: Quantity): string | undefined {
  return state.own[first(quantity)];
}

/** The units in force, without quantities that are shown as measured. */
export function unitsInForce(): string[] {
  return state.quantities.flatMap((quantity) => shownIn(quantity)?.unit ?? []);
}

function shownIn(quantity: Quantity): DisplayUnit | undefined {
  const own = ownUnit(quantity);
  return own === undefined ? gatewayUnit(quantity) : quantity.find(({ unit }) => unit === own);
}

/**
 * The conversion of numbers that were signed in a unit: first the calibration, then the chosen
 * unit. Undefined if they are shown as signed.
 */
export function conversionOf(unit: string, calibration?: Calibrated): Conversion | undefined {
  if (calibration === undefined) return chosenConversionOf(unit);
  const calibratedUnit = calibration.unit ?? unit;
  const chosen = chosenConversionOf(calibratedUnit);
  return {
    unit: chosen?.unit ?? calibratedUnit,
    of: (value) => {
      const number = calibrated(value, calibration);
      return chosen === undefined ? number : chosen.of(number);
    },
  };
}

/** A number in the unit of its calibration. */
export function calibrated(value: number, { factor, offset }: Calibrated): number {
  return reliable(value * factor + offset);
}

function chosenConversionOf(unit: string): Conversion | undefined {
  for (const quantity of state.quantities) {
    const from = quantity.find((one) => one.unit === unit);
    if (from === undefined) continue;
    const to = shownIn(quantity);
    return to === undefined || to === from ? undefined : { unit: to.unit, of: between(from, to) };
  }
  return undefined;
}

/** The symbol of a unit of the table. */
export function symbolOf(unit: string): string | undefined {
  for (const quantity of state.quantities) {
    const found = quantity.find((one) => one.unit === unit);
    if (found !== undefined) return found.symbol;
  }
  return undefined;
}

function between(from: DisplayUnit, to: DisplayUnit): (value: number) => number {
  const times = from.denominator * to.numerator;
  const through = from.numerator * to.denominator;
  return (value) => reliable(((value - from.offset) * times) / through + to.offset);
}

/** A double has 15 reliable digits; more would show the rounding of the conversion. */
function reliable(value: number): number {
  return Number(value.toPrecision(15));
}
