import type { ShownEndpoint } from "../../gateway/endpointStore";
import { nameKey } from "../../gateway/names";

/** Labels on one A4 sheet, as `./vigil label` prints them. */
const ON_SHEET = 21;

/** More at once would make the browser slow. */
export const MAX_LABELS = 12 * ON_SHEET;

export interface PrintedLabel {
  id: string;
  ep: string;
  d: string;
  thumbprint: string;
}

/** The labels of the endpoints whose keys are trusted and that contain a text, by name. */
export function labelsOf(endpoints: readonly ShownEndpoint[], text: string): PrintedLabel[] {
  const wanted = text.trim().toLowerCase();
  return endpoints
    .map(({ endpoint }) => endpoint)
    .filter(({ trust, ep, d, name, location }) => {
      const words = [ep, d, name, location].join("\n").toLowerCase();
      return trust === "trusted" && words.includes(wanted);
    })
    .map(({ id, ep, d, keyThumbprint: thumbprint }) => ({
      label: { id, ep, d, thumbprint },
      key: nameKey(ep),
    }))
    .sort((one, other) => order(one.label.d, other.label.d) || order(one.key, other.key))
    .map(({ label }) => label);
}

/** By code units, because thousands of names are sorted with each update. */
function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Labels in groups, one for each sheet. */
export function sheetsOf(labels: readonly PrintedLabel[]): PrintedLabel[][] {
  return Array.from({ length: Math.ceil(labels.length / ON_SHEET) }, (_, at) =>
    labels.slice(at * ON_SHEET, (at + 1) * ON_SHEET),
  );
}
