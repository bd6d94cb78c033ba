import { ApiProblem } from "../gateway/api";
import { PasskeyFault } from "../gateway/passkeys";
import { duration } from "./format";
import { textsOf } from "./language";
import { commonMessages } from "./messages";
import { problemMessages, SELF_EXPLAINING } from "./problemMessages";

/** A problem and its remedy, with the gateway's own words about this case. */
export function problemText(problem: unknown): string {
  const { sentence, detail } = problemParts(problem);
  return [sentence, detail].filter((part) => part !== "").join(" ");
}

/**
 * A problem and its remedy in the chosen language, and the gateway's own English text about this
 * case, which names the object; either may be empty.
 */
export function problemParts(problem: unknown): { sentence: string; detail: string } {
  const texts = textsOf(commonMessages).problem;
  if (problem instanceof PasskeyFault) {
    return { sentence: texts.passkey[problem.kind], detail: "" };
  }
  if (!(problem instanceof ApiProblem)) return { sentence: texts.page, detail: "" };
  const { status, retrySeconds, type } = problem;
  const said = spoken(problem.detail);
  if (status === 429) {
    return { sentence: texts.tooMany(duration((retrySeconds ?? 60) * 1000)), detail: "" };
  }
  const ofType: Readonly<Record<string, string>> = textsOf(problemMessages);
  const sentence = ofType[type];
  if (sentence !== undefined) {
    return { sentence, detail: SELF_EXPLAINING.has(type) ? "" : said };
  }
  return ofStatus(status, said);
}

/** Problems without a known kind, from proxies or newer gateways. */
function ofStatus(status: number, said: string): { sentence: string; detail: string } {
  const texts = textsOf(commonMessages).problem;
  switch (status) {
    case 0:
      return { sentence: texts.unreachable, detail: "" };
    case 401:
      return { sentence: texts.signedOut, detail: "" };
    case 403:
      return { sentence: texts.forbidden, detail: said };
    case 412:
      return { sentence: texts.changed, detail: "" };
    case 503:
      return { sentence: texts.busy, detail: "" };
    default:
      return said === ""
        ? { sentence: texts.refused(status), detail: "" }
        : { sentence: "", detail: said };
  }
}

function spoken(detail: string): string {
  return detail === "" ? "" : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}
