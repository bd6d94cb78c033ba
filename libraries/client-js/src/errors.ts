// The errors of this package. Each message names the object and the way out.

/** The base of all errors of this package. */
export class VigilError extends Error {
  /** Seconds that the gateway asks to wait before the same request; 0 if it does not say. */
  retryAfter = 0;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The gateway does not answer, or something else answers in its place. */
export class Unreachable extends VigilError {}

/** The gateway refuses the token, or the token's role does not permit the request. */
export class NotAllowed extends VigilError {}

/** The gateway has no such endpoint, or several domains have one of this name. */
export class UnknownEndpoint extends VigilError {}

/** The endpoint has no such resource, or the resource has no value yet. */
export class UnknownResource extends VigilError {}

/** The gateway refuses a request for another reason; docs/guide/rest-problems.md lists the types. */
export class Refused extends VigilError {
  constructor(
    message: string,
    readonly status: number,
    readonly type: string,
  ) {
    super(message);
  }
}

const TEMPORARY = [429, 502, 503, 504];

/** The domain withholds the value (`serve-stale: false`) until the mote sends another one, which is an event. */
const STALE_VALUE = "/problems/stale-value";

/** Whether the same request may succeed soon. */
export function isTemporary(problem: unknown): problem is Unreachable | Refused {
  return (
    problem instanceof Unreachable ||
    (problem instanceof Refused &&
      TEMPORARY.includes(problem.status) &&
      problem.type !== STALE_VALUE)
  );
}

/** An answer that must not be used; `resource` is empty if it is about no single resource. */
export class Unverified extends VigilError {
  constructor(
    message: string,
    readonly endpoint: string,
    readonly resource: string,
  ) {
    super(message);
  }
}

/** The mote did not sign this reading: signature, key, resource or form is wrong. */
export class BadSignature extends Unverified {}

/** The reading is older than one that was verified, or has the number of another one. */
export class Replayed extends Unverified {}

/** The gateway's answer is not about the endpoint that was asked for. */
export class WrongEndpoint extends Unverified {}

/** A key other than the pinned one signs for the endpoint. */
export class KeyChanged extends Unverified {
  constructor(
    message: string,
    endpoint: string,
    resource: string,
    readonly pinned: string,
    readonly found: string,
  ) {
    super(message, endpoint, resource);
  }
}
