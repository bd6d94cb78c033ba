import type { ShownEndpoint } from "../../gateway/endpointStore";
import type { Calibration, Endpoint } from "../../gateway/model";

/** A resource whose history is drawn into the chart of another resource. */
export interface Compared {
  id: string;
  path: string;
  /** The endpoint's label. */
  label: string;
  wakeSeconds: number | undefined;
  /** Of its endpoint. */
  calibrations: readonly Calibration[];
}

/** The maximum number of endpoints to choose from, because a list of thousands is unusable. */
const MAX_OTHERS = 100;

/**
 * Resources to compare with: the other resources of the endpoint, and those with the same path of
 * other endpoints.
 */
export function comparable(
  endpoints: readonly ShownEndpoint[],
  { id }: Pick<Endpoint, "id">,
  path: string,
): { here: Compared[]; there: Compared[] } {
  const here: Compared[] = [];
  const there: Compared[] = [];
  for (const { endpoint } of endpoints) {
    const { wakeSeconds, calibrations } = endpoint;
    const name = endpoint.name === "" ? endpoint.ep : endpoint.name;
    for (const { path: other } of endpoint.resources) {
      if (endpoint.id === id && other !== path) {
        here.push({ id, path: other, label: other, wakeSeconds, calibrations });
      } else if (endpoint.id !== id && other === path && there.length < MAX_OTHERS) {
        const label = `${name}: ${path}`;
        there.push({ id: endpoint.id, path, label, wakeSeconds, calibrations });
      }
    }
  }
  return { here, there };
}
