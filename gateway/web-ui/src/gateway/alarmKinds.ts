import type { Api } from "./api";

/** Whether a rule needs a limit; "either": this limit, the other limit, or both. */
export type LimitUse = "optional" | "either" | "needed";

export interface AlarmKindText {
  name: string;
  /** Begins a clause that the limits of a rule complete. */
  condition: string;
  /** Unit of the limits; empty: the rule has a SenML unit, or no limits. */
  measure: string;
}

/** A kind of alarm, as `GET /api/alarm-kinds` lists it. */
export interface AlarmKind {
  kind: string;
  /** "endpoint-or-all": each endpoint, or with an empty pattern all endpoints together. */
  watches: "gateway" | "domain" | "endpoint" | "endpoint-or-all" | "resource";
  above?: LimitUse;
  below?: LimitUse;
  /** SenML units to choose from; empty: any; absent: rules have no unit. */
  units?: string[];
  /** Absent: there is no default rule of this kind. */
  defaultRule?: object;
  texts: { en: AlarmKindText; de: AlarmKindText };
}

const answers = new WeakMap<Api, Promise<AlarmKind[]>>();

/** The kinds of alarms, requested once, because they change only with the gateway's version. */
export function alarmKinds(api: Api): Promise<AlarmKind[]> {
  const known = answers.get(api);
  if (known !== undefined) return known;
  const answer = api.json("api/alarm-kinds").then((json) => (json as { kinds: AlarmKind[] }).kinds);
  answers.set(api, answer);
  answer.catch(() => answers.delete(api));
  return answer;
}
