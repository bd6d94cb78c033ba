import { ApiProblem } from "../gateway/api";
import { duration } from "./format";
import { textsOf } from "./language";
import { commonMessages } from "./messages";

/** A problem and its remedy. The gateway's own words come with the problem. */
export function problemText(problem: unknown): string {
  const texts = textsOf(commonMessages).problem;
  if (!(problem instanceof ApiProblem)) return texts.page;
  const { status, detail, retrySeconds } = problem;
  const said = detail === "" ? "" : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  switch (status) {
    case 0:
      return texts.unreachable;
    case 401:
      return texts.signedOut;
    case 403:
      return said === "" ? texts.forbidden : `${said} ${texts.forbidden}`;
    case 412:
      return texts.changed;
    case 429:
      return texts.tooMany(duration((retrySeconds ?? 60) * 1000));
    case 503:
      return texts.busy;
    default:
      return said === "" ? texts.refused(status) : said;
  }
}
