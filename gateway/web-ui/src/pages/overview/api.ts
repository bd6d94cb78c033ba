import { instant, list, number, object, text } from "../../gateway/json";

/** A radio of the gateway. */
export interface RadioStatus {
  name: string;
  up: boolean;
  received: number | undefined;
  sent: number | undefined;
  /** Packets in the transmit queue. */
  waiting: number | undefined;
  dropped: number;
}

export interface Alarm {
  id: string;
  kind: string;
  severity: string;
  text: string;
  /** Active or acknowledged; cleared ones are not listed. */
  state: string;
  raisedAt: number | undefined;
  /** Id of the endpoint; empty for other alarms. */
  endpoint: string;
  silenced: boolean;
}

export interface OpenAlarms {
  alarms: Alarm[];
  /** Whether there are more than those. */
  more: boolean;
}

/** @throws SyntaxError when the answer has not the shape of `GET /api/network` */
export function readRadios(json: unknown): RadioStatus[] {
  return list(object(json)["radios"]).map((one) => ({
    name: text(one["name"]),
    up: one["up"] === true,
    received: number(one["frames"]),
    sent: number(one["sent"]),
    waiting: number(one["waiting"]),
    dropped: Object.values(object(one["dropped"] ?? {})).reduce<number>(
      (sum, count) => sum + (number(count) ?? 0),
      0,
    ),
  }));
}

/** @throws SyntaxError when the answer has not the shape of `GET /api/alarms` */
export function readAlarms(json: unknown): OpenAlarms {
  const { alarms, next } = object(json);
  return {
    alarms: list(alarms).map((one) => ({
      id: text(one["id"]),
      kind: text(one["kind"]),
      severity: text(one["severity"]),
      text: text(one["text"]),
      state: text(one["state"]),
      raisedAt: instant(one["raisedAt"]),
      endpoint: text(one["endpoint"]),
      silenced: one["silenced"] === true,
    })),
    more: text(next) !== "",
  };
}
