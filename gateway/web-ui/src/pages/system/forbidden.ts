import { ApiProblem } from "../../gateway/api";

/** Whether the account may not see a part of the page; the part is left out then. */
export function isForbidden(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.status === 403;
}
