// A client of Vigil's gateway that verifies each reading with the mote's own key.

export type { Command } from "./commands.ts";
export {
  BadSignature,
  KeyChanged,
  NotAllowed,
  Refused,
  Replayed,
  UnknownEndpoint,
  UnknownResource,
  Unreachable,
  Unverified,
  VigilError,
  WrongEndpoint,
} from "./errors.ts";
export { Gateway } from "./gateway.ts";
export type { CommandOptions, Filter, GatewayOptions, ObserveOptions } from "./gateway.ts";
export type { HistoryOptions } from "./history.ts";
export type { Storage } from "./memory.ts";
export type { Endpoint, Reading, Resource, SenmlRecord, Value } from "./reading.ts";
export type * as rest from "./rest.ts";
