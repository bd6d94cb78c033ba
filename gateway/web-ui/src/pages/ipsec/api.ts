import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

/** A security association that ends at the gateway; its keys never leave the gateway. */
export type Association = Schemas["Association"];
export type Associations = Schemas["Associations"];

/** Only the first thousand are shown. */
export const ASSOCIATIONS = "api/security-associations?limit=1000";

/** The result of reloading the file. */
export type Reload = Schemas["Reload"];

/**
 * @param fresh whether associations without a record of sequence numbers were never used
 * @throws ApiProblem 409 with the line when the file has errors
 */
export function reload(api: Api, fresh: boolean): Promise<Reload> {
  const path = `api/security-associations/reload?new=${fresh}`;
  return api.send("POST", path) as Promise<Reload>;
}

/** Both directions between the gateway and one peer with the same protocol. */
export function peerOf({ direction, source, destination }: Association): string {
  return direction === "in" ? source : destination;
}

/** Packets that an association refused, for any reason. */
export function refused(one: Association): number {
  return one.icvFailures + one.replays + one.policyDrops + one.otherDrops;
}
