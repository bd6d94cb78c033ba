import type { Schemas } from "../../gateway/schemas";

type RadioStatus = Schemas["RadioStatus"];

/** Frames and packets that a radio dropped, for any reason. */
export function droppedBy({ dropped }: Pick<RadioStatus, "dropped">): number {
  return Object.values(dropped).reduce((sum, count) => sum + count, 0);
}

/** The radios in the answer of `GET /api/network`. */
export function readRadios(json: unknown): RadioStatus[] {
  return (json as Schemas["Network"]).radios;
}

/** The answer of `GET /api/alarms`. */
export function readAlarms(json: unknown): Schemas["Alarms"] {
  return json as Schemas["Alarms"];
}
