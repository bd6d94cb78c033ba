/** Why a reading is refused, without words: `text/verdicts.ts` has the sentences. */
export type Refused =
  /** `detail` is what the parser found, in English. */
  | { code: "malformed"; detail: string }
  | { code: "key-unknown" }
  /** `detail` continues the sentence "The key ...", in English. */
  | { code: "key-unusable"; detail: string }
  | { code: "curve-unsupported"; curve: string }
  | { code: "other-key" }
  | { code: "other-algorithm"; algorithm: string; curve: string }
  | { code: "signature" }
  | { code: "resource"; signed: string; shown: string }
  | { code: "number"; signed: number; shown: number }
  | { code: "older"; signed: number; highest: number }
  | { code: "no-value" }
  | { code: "value"; signed: string; shown: string }
  | { code: "unit"; signed: string; shown: string }
  | { code: "pin" };
