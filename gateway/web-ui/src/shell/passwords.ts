import { ApiProblem } from "../gateway/api";
import { duration } from "../text/format";
import { textsOf } from "../text/language";
import { problemText } from "../text/problems";
import { signInMessages } from "./shellMessages";

/** The problem and its remedy, for a person who tried to sign in or to change a password. */
export function passwordProblem(problem: unknown): string {
  const texts = textsOf(signInMessages);
  if (!(problem instanceof ApiProblem)) return problemText(problem);
  if (problem.type === "wrong-passkey") return texts.wrongPasskey;
  if (problem.status === 401) return texts.wrong;
  if (problem.status === 429) return texts.tooMany(duration((problem.retrySeconds ?? 60) * 1000));
  return problemText(problem);
}

/** The fault of a new password, as far as the page can tell; undefined without one. */
export function passwordFault(password: string, again: string): string | undefined {
  const texts = textsOf(signInMessages);
  if ([...password.normalize()].length < 12) return texts.tooShort;
  return password === again ? undefined : texts.differ;
}
