import { list, number, object, text, type Json } from "../../gateway/json";

export const NEEDS = [
  "confidential-on-air",
  "confidential-end-to-end",
  "authentic-on-air",
  "authentic-end-to-end",
  "authentic-to-anybody",
] as const;
export type Need = (typeof NEEDS)[number];

export const LEVELS = [0, 1, 2, 3, 5, 6, 7] as const;
export const TRANSPORTS = ["none", "ah-xcbc", "ctr-xcbc", "cbc-xcbc", "ccm8", "dtls-ccm8"] as const;

/** Fields of the form; numbers as typed. */
export interface Question {
  payload: string;
  hops: string;
  wake: string;
  battery: string;
  peer: string;
  level: string;
  transport: string;
  signed: boolean;
  needs: readonly Need[];
}

export const FIRST: Question = {
  payload: "22",
  hops: "1",
  wake: "60",
  battery: "2000",
  peer: "gateway",
  level: "6",
  transport: "ctr-xcbc",
  signed: false,
  needs: ["confidential-on-air", "authentic-end-to-end"],
};

/** The path of the API for a question; fields that are empty take the gateway's defaults. */
export function pathOf(question: Question): string {
  const query = new URLSearchParams();
  for (const name of ["payload", "hops", "wake", "battery"] as const) {
    const value = question[name].trim();
    if (value !== "") query.set(name, value);
  }
  query.set("peer", question.peer);
  query.set("level", question.level);
  query.set("transport", question.transport);
  query.set("signed", String(question.signed));
  if (question.needs.length > 0) query.set("need", question.needs.join(","));
  return `api/security-cost?${query}`;
}

/** A configuration with the cost of one message. */
export interface Configuration {
  level: number;
  transport: string;
  signed: boolean;
  octets: number;
  fragments: number;
  microjoules: number;
  moteMicrojoules: number;
  latencyMillis: number;
  batteryDays: number;
  alwaysOnDays: number;
}

/** Places on the horizontal axis, and the values without security and in the chosen one. */
export type Course = [number[], number[], number[]];

export interface Costs {
  chosen: Configuration;
  cheapest: Configuration | undefined;
  configurations: Configuration[];
  byPayload: Course;
  byWake: Course;
}

/** @throws SyntaxError when the answer has not the shape of `GET /api/security-cost` */
export function readCosts(json: unknown): Costs {
  const read = object(json);
  return {
    chosen: configuration(object(read["chosen"])),
    cheapest: read["cheapest"] == null ? undefined : configuration(object(read["cheapest"])),
    configurations: list(read["configurations"]).map(configuration),
    byPayload: course(read["byPayload"], "payload", "plainMicrojoules", "chosenMicrojoules"),
    byWake: course(read["byWake"], "seconds", "plainDays", "chosenDays"),
  };
}

function configuration(read: Json): Configuration {
  const count = (name: string) => number(read[name]) ?? 0;
  return {
    level: count("level"),
    transport: text(read["transport"]),
    signed: read["signed"] === true,
    octets: count("octets"),
    fragments: count("fragments"),
    microjoules: count("microjoules"),
    moteMicrojoules: count("moteMicrojoules"),
    latencyMillis: count("latencyMillis"),
    batteryDays: count("batteryDays"),
    alwaysOnDays: count("alwaysOnDays"),
  };
}

function course(json: unknown, ...names: [string, string, string]): Course {
  const points = list(json);
  const of = (name: string) => points.map((point) => number(point[name]) ?? 0);
  return [of(names[0]), of(names[1]), of(names[2])];
}

/** Names a configuration among others. */
export function keyOf({ level, transport, signed }: Configuration): string {
  return `${level} ${transport} ${signed}`;
}
