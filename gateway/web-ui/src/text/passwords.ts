import { ApiProblem } from "../gateway/api";
import { duration } from "./format";
import { textsOf } from "./language";
import { problemText } from "./problems";

const messages = {
  en: {
    wrong: "The name or the password is wrong.",
    wrongPasskey:
      "This passkey is not accepted, or it took too long. Try again, or sign in another way.",
    tooMany: (wait: string) => `Too many wrong passwords. Wait ${wait}, then try again.`,
    tooShort: "Use at least 12 characters.",
    differ: "The two passwords differ.",
  },
  de: {
    wrong: "Name oder Passwort ist falsch.",
    wrongPasskey:
      "Dieser Passkey wird nicht angenommen, oder es hat zu lange gedauert. Versuchen Sie es noch einmal oder melden Sie sich anders an.",
    tooMany: (wait: string) =>
      `Zu viele falsche Passwörter. Warten Sie ${wait} und versuchen Sie es dann wieder.`,
    tooShort: "Verwenden Sie mindestens 12 Zeichen.",
    differ: "Die beiden Passwörter sind verschieden.",
  },
};

/** The problem and its remedy, for a person who tried to sign in or to change a password. */
export function passwordProblem(problem: unknown): string {
  const texts = textsOf(messages);
  if (!(problem instanceof ApiProblem)) return problemText(problem);
  if (problem.type === "wrong-passkey") return texts.wrongPasskey;
  if (problem.status === 401) return texts.wrong;
  if (problem.status === 429) return texts.tooMany(duration((problem.retrySeconds ?? 60) * 1000));
  return problemText(problem);
}

/** The fault of a new password, as far as the page can tell; undefined without one. */
export function passwordFault(password: string, again: string): string | undefined {
  const texts = textsOf(messages);
  if ([...password.normalize()].length < 12) return texts.tooShort;
  return password === again ? undefined : texts.differ;
}
