import type { Obstacle } from "../gateway/verifier";
import type { Refused } from "../verify/reasons";
import { textsOf } from "./language";
import { verdictMessages } from "./verdictMessages";

/** Why a reading is not verified. */
export type Reason = Refused | Obstacle;

/** The reason in one text, such as for a tooltip. */
export function reasonText(reason: Reason): string {
  const { sentence, detail } = reasonParts(reason);
  return detail === "" ? sentence : `${sentence} (${detail})`;
}

/**
 * The reason in the chosen language, and the English text of the parser or the browser, which may
 * be empty.
 */
export function reasonParts(reason: Reason): { sentence: string; detail: string } {
  const sentence = sentenceOf(reason);
  switch (reason.code) {
    case "malformed":
    case "failed":
      return { sentence, detail: reason.detail };
    case "key-unusable":
      return { sentence, detail: `The key ${reason.detail}.` };
    default:
      return { sentence, detail: "" };
  }
}

function sentenceOf(reason: Reason): string {
  const texts = textsOf(verdictMessages);
  switch (reason.code) {
    case "curve-unsupported":
      return texts[reason.code](reason.curve);
    case "other-algorithm":
      return texts[reason.code](reason.algorithm, reason.curve);
    case "resource":
    case "value":
    case "unit":
      return texts[reason.code](reason.signed, reason.shown);
    case "number":
      return texts.number(reason.signed, reason.shown);
    case "older":
      return texts.older(reason.signed, reason.highest);
    case "not-sent":
      return texts["not-sent"](reason.status);
    case "ahead":
      return texts.ahead(reason.has, reason.announced);
    default:
      return texts[reason.code];
  }
}
