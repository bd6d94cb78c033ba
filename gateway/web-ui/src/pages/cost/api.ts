import type { Schemas } from "../../gateway/schemas";

export const NEEDS = [
  "confidential-on-air",
  "confidential-end-to-end",
  "authentic-on-air",
  "authentic-end-to-end",
  "authentic-to-anybody",
] as const satisfies readonly Need[];
export type Need = Configuration["meets"][number];

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

/** The path of the API for a question; empty fields use the gateway's defaults. */
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
export type Configuration = Schemas["SecurityChoice"];

/**
 * Positions on the horizontal axis, and the values without security and in the chosen
 * configuration.
 */
export type Course = [number[], number[], number[]];

export interface Costs extends Omit<Schemas["SecurityCost"], "byPayload" | "byWake"> {
  byPayload: Course;
  byWake: Course;
}

/** The answer of `GET /api/security-cost` with its curves in the form that charts need. */
export function readCosts(json: unknown): Costs {
  const read = json as Schemas["SecurityCost"];
  return {
    ...read,
    byPayload: [
      read.byPayload.map(({ payload }) => payload),
      read.byPayload.map(({ plainMicrojoules }) => plainMicrojoules),
      read.byPayload.map(({ chosenMicrojoules }) => chosenMicrojoules),
    ],
    byWake: [
      read.byWake.map(({ seconds }) => seconds),
      read.byWake.map(({ plainDays }) => plainDays),
      read.byWake.map(({ chosenDays }) => chosenDays),
    ],
  };
}

/** A key that identifies a configuration. */
export function keyOf({ level, transport, signed }: Configuration): string {
  return `${level} ${transport} ${signed}`;
}
