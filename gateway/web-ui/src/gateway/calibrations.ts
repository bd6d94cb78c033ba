import type { Api } from "./api";
import type { Schemas } from "./schemas";

/** A calibration with everything that is stored about it. */
export type StoredCalibration = Schemas["Calibration"];

/** The calibrations of an endpoint with the entity tag of their version. @throws ApiProblem */
export async function readCalibrations(
  api: Api,
  id: string,
): Promise<{ calibrations: StoredCalibration[]; version: string }> {
  const { json, tag } = await api.tagged(path(id));
  return { calibrations: (json as Schemas["Calibrations"]).calibrations, version: tag };
}

/** @throws ApiProblem status 412 if the version is no longer the present one */
export async function putCalibrations(
  api: Api,
  id: string,
  calibrations: readonly StoredCalibration[],
  version: string,
): Promise<void> {
  await api.send("PUT", path(id), { calibrations }, version);
}

function path(id: string): string {
  return `api/endpoints/${encodeURIComponent(id)}/calibrations`;
}
