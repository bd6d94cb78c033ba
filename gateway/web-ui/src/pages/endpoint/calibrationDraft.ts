import type { StoredCalibration } from "../../gateway/calibrations";

/** A calibration as it is typed. */
export interface CalibrationDraft {
  /** SenML name; empty for all records of the resource. */
  name: string;
  factor: string;
  offset: string;
  unit: string;
  note: string;
  date: string;
}

export type CalibrationFault = "factor" | "offset";

/** The draft of one record of a resource: its present calibration, or one that changes nothing. */
export function draftOf(
  calibrations: readonly StoredCalibration[],
  path: string,
  name: string,
): CalibrationDraft {
  const present = calibrations.find((one) => isOf(one, path, name));
  return {
    name,
    factor: String(present?.factor ?? 1),
    offset: String(present?.offset ?? 0),
    unit: present?.unit ?? "",
    note: present?.note ?? "",
    date: present?.date ?? "",
  };
}

/** Whether a calibration is that of a record, whose name is empty for all records. */
export function isOf(one: StoredCalibration, path: string, name: string): boolean {
  return one.path === path && (one.name ?? "") === name;
}

/** The typed number; undefined if it is none. */
export function numberOf(typed: string): number | undefined {
  const text = typed.trim().replace(",", ".").replace("−", "-");
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : undefined;
}

/** The calibration that was typed, or the fields that are wrong. */
export function calibrationFrom(
  path: string,
  draft: CalibrationDraft,
): { calibration?: StoredCalibration; faults: CalibrationFault[] } {
  const factor = numberOf(draft.factor);
  const offset = numberOf(draft.offset);
  if (factor === undefined || factor === 0 || offset === undefined) {
    return {
      faults: [
        ...(factor === undefined || factor === 0 ? (["factor"] as const) : []),
        ...(offset === undefined ? (["offset"] as const) : []),
      ],
    };
  }
  const texts = { name: draft.name, unit: draft.unit.trim(), note: draft.note.trim() };
  const given = Object.entries({ ...texts, date: draft.date }).filter(([, text]) => text !== "");
  return { calibration: { path, factor, offset, ...Object.fromEntries(given) }, faults: [] };
}
