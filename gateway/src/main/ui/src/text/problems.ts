import { ApiProblem } from "../gateway/api";
import { duration } from "./format";

/** What went wrong and what to do, for a person who tried to sign in or to change a password. */
export function problemText(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) return "Something went wrong in this page. Reload it.";
  const { status, detail, retrySeconds } = problem;
  switch (status) {
    case 0:
      return "The gateway cannot be reached. Check the connection, then try again.";
    case 401:
      return "The name or the password is wrong.";
    case 429:
      return `Too many wrong passwords. Wait ${duration((retrySeconds ?? 60) * 1000)}, then try again.`;
    case 503:
      return "The gateway is busy. Try again in a few seconds.";
    default:
      return detail === ""
        ? `The gateway refused with ${status}. Its log says why.`
        : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  }
}

/** What is wrong with a new password, as far as the page can tell; undefined if nothing is. */
export function passwordFault(password: string, again: string): string | undefined {
  if ([...password.normalize()].length < 12) return "Use at least 12 characters.";
  return password === again ? undefined : "The two passwords differ.";
}
