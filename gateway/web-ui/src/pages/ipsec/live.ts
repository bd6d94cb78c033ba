import type { Change } from "../../gateway/changes";
import type { Association, Associations } from "./api";

/** The associations after a change; their lines in the file identify them. */
export function changed(before: Associations, { kind, data }: Change): Associations {
  if (kind !== "association") return before;
  const now = data as unknown as Association;
  // Beyond the first thousand, which the page shows.
  if (!before.associations.some(({ line }) => line === now.line)) return before;
  return {
    ...before,
    associations: before.associations.map((one) => (one.line === now.line ? now : one)),
  };
}

/** Whether all must be read again, because the file was loaded or changes were lost. */
export function needsReading({ kind }: Change): boolean {
  return kind === "associations" || kind === "missed";
}
