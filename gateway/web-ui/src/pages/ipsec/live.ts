import type { Change } from "../../gateway/changes";
import { list, type Json } from "../../gateway/json";

/** The answer of `GET /api/security-associations` after a change; lines tell associations apart. */
export function changed(answer: Json, { kind, data }: Change): Json {
  if (kind !== "association") return answer;
  const associations = list(answer["associations"]);
  // Beyond the first thousand, which the page shows.
  if (!associations.some(({ line }) => line === data["line"])) return answer;
  return {
    ...answer,
    associations: associations.map((one) => (one["line"] === data["line"] ? data : one)),
  };
}

/** Whether all must be read again: the file was loaded, or changes were lost. */
export function needsReading({ kind }: Change): boolean {
  return kind === "associations" || kind === "missed";
}
