import type { Api } from "../../gateway/api";
import { instant, list, number, object, oneOf, text, texts } from "../../gateway/json";

export const ASSOCIATION_STATES = ["ready", "record_missing", "exhausted"] as const;
export type AssociationState = (typeof ASSOCIATION_STATES)[number];

/** A security association that ends at the gateway; its keys never leave the gateway. */
export interface Association {
  /** Line of the file of associations. */
  line: number;
  direction: string;
  protocol: string;
  profile: string;
  spi: string;
  source: string;
  destination: string;
  state: AssociationState | undefined;
  packets: number;
  octets: number;
  icvFailures: number;
  replays: number;
  policyDrops: number;
  otherDrops: number;
  octetsSaved: number;
  warnings: string[];
}

export interface Associations {
  file: string;
  loadedAt: number | undefined;
  /** Why the file as it is now is not used; empty when it is. */
  problem: string;
  associations: Association[];
  /** Whether there are more than shown. */
  more: boolean;
}

/** @throws SyntaxError when the answer has not the shape of `GET /api/security-associations` */
export function readAssociations(json: unknown): Associations {
  const read = object(json);
  const count = (one: Record<string, unknown>, name: string) => number(one[name]) ?? 0;
  return {
    file: text(read["file"]),
    loadedAt: instant(read["loadedAt"]),
    problem: text(read["problem"]),
    associations: list(read["associations"]).map((one) => ({
      line: count(one, "line"),
      direction: text(one["direction"]),
      protocol: text(one["protocol"]),
      profile: text(one["profile"]),
      spi: text(one["spi"]),
      source: text(one["source"]),
      destination: text(one["destination"]),
      state: oneOf(ASSOCIATION_STATES, one["state"]),
      packets: count(one, "packets"),
      octets: count(one, "octets"),
      icvFailures: count(one, "icvFailures"),
      replays: count(one, "replays"),
      policyDrops: count(one, "policyDrops"),
      otherDrops: count(one, "otherDrops"),
      octetsSaved: count(one, "octetsSaved"),
      warnings: texts(one["warnings"]),
    })),
    more: text(read["next"]) !== "",
  };
}

/** More than a thousand are not shown. */
export const ASSOCIATIONS = "api/security-associations?limit=1000";

/** The result of loading the file again. */
export interface Reload {
  added: number;
  kept: number;
  removed: number;
  /** A sentence for each association that carries nothing. */
  stopped: string[];
}

/**
 * @param fresh whether associations without a record of sequence numbers were never used
 * @throws ApiProblem 409 with the line when the file has errors
 */
export async function reload(api: Api, fresh: boolean): Promise<Reload> {
  const read = object(await api.send("POST", `api/security-associations/reload?new=${fresh}`));
  return {
    added: number(read["added"]) ?? 0,
    kept: number(read["kept"]) ?? 0,
    removed: number(read["removed"]) ?? 0,
    stopped: texts(read["stopped"]),
  };
}

/** Both directions between the gateway and one peer with the same protocol. */
export function peerOf({ direction, source, destination }: Association): string {
  return direction === "in" ? source : destination;
}

/** Packets that an association refused, for whatever reason. */
export function refused(one: Association): number {
  return one.icvFailures + one.replays + one.policyDrops + one.otherDrops;
}
