import type { Api } from "../../gateway/api";
import { readEndpoint, type Endpoint } from "../../gateway/model";
import type { KeyLabel } from "../../text/keyLabel";
import { keys, keysWith, type Key, type KeyState } from "../../gateway/keys";

/** The gateway's data about a label. */
export interface Evidence {
  /** The key on the label, under each endpoint name. */
  ofKey: readonly Key[];
  /** All keys of the endpoint name on the label. */
  ofName: readonly Key[];
}

/** The comparison of a label with the keys that the gateway knows. */
export type Outcome =
  /** The mote that registered has the key on the label. */
  | { verdict: "same"; state: "waiting" | "held" | "trusted" | "ended"; key: Key }
  /** The mote that registered under this name has another key, or this key has another name. */
  | { verdict: "different"; reason: "otherKey" | "otherName"; key: Key }
  /** No mote with this key has registered. */
  | { verdict: "none"; state: "unknown" | "expected" };

const PRESENT: readonly KeyState[] = ["pending", "held", "trusted"];

/** Compares whole thumbprints: an unlikely collision of the first groups does not pass. */
export function compare(label: KeyLabel, { ofKey, ofName }: Evidence): Outcome {
  const revoked = ofKey.find(({ state }) => state === "revoked");
  if (revoked !== undefined) return { verdict: "same", state: "ended", key: revoked };
  const inDomain = ({ d }: Key) => label.d === undefined || label.d === d;
  // A listed key without a name may register any.
  const named = ({ ep }: Key) => label.ep === undefined || ep === "" || label.ep === ep;
  const own = ofKey.filter((key) => inDomain(key) && named(key));
  const first = (of: readonly Key[], ...states: KeyState[]) =>
    states.flatMap((wanted) => of.filter(({ state }) => state === wanted))[0];
  for (const [state, as] of [
    ["pending", "waiting"],
    ["held", "held"],
    ["trusted", "trusted"],
    ["replaced", "ended"],
  ] as const) {
    const key = first(own, state);
    if (key !== undefined) return { verdict: "same", state: as, key };
  }
  const elsewhere = first(ofKey, ...PRESENT);
  if (elsewhere !== undefined) return { verdict: "different", reason: "otherName", key: elsewhere };
  const others = ofName.filter((key) => inDomain(key) && key.thumbprint !== label.thumbprint);
  const other = first(others, ...PRESENT);
  if (other !== undefined) return { verdict: "different", reason: "otherKey", key: other };
  return { verdict: "none", state: first(own, "listed") === undefined ? "unknown" : "expected" };
}

/** The comparison, and the endpoint whose key is the one on the label. @throws ApiProblem */
export async function compared(
  api: Api,
  label: KeyLabel,
): Promise<{ outcome: Outcome; endpoint: Endpoint | undefined }> {
  const [ofKey, ofName] = await Promise.all([
    keysWith(api, label.thumbprint),
    label.ep === undefined ? [] : keys(api, { state: "", ep: label.ep }).then((page) => page.keys),
  ]);
  const outcome = compare(label, { ofKey, ofName });
  const endpoint =
    outcome.verdict === "same" && outcome.state !== "ended"
      ? readEndpoint(await api.json(`api/endpoints/${encodeURIComponent(outcome.key.endpoint)}`))
      : undefined;
  return { outcome, endpoint };
}
