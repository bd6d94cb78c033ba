import { WrongEndpoint } from "./errors.ts";
import type { Endpoint } from "./reading.ts";

/** The domain without a name, in queries. */
const NAMELESS = "-";

/** The names that the caller gave; undefined stands for any. */
export interface Asked {
  ep?: string | undefined;
  d?: string | undefined;
}

/**
 * The answer, if it has these names: keys, numbers and signed commands belong to a name, so the
 * gateway must not choose it.
 *
 * @throws WrongEndpoint
 */
export function required(answer: Endpoint, { ep, d }: Asked): Endpoint {
  const domain = d === NAMELESS ? "" : d;
  if ((ep ?? answer.ep) === answer.ep && (domain ?? answer.d) === answer.d) return answer;
  const place = d === undefined ? "" : ` in the domain ${JSON.stringify(d)}`;
  throw new WrongEndpoint(
    `${ep ?? "any endpoint"}${place}: the gateway answers with the endpoint ${JSON.stringify(answer.ep)} in the domain ` +
      `${JSON.stringify(answer.d)}. Do not use the answer, and report it to the operator of the gateway.`,
    ep ?? answer.ep,
    "",
  );
}
