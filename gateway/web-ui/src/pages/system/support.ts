import { ApiProblem, type Api } from "../../gateway/api";

/** Contents of a report: paths of the API that answer without secrets. */
const PATHS = [
  "api/system",
  "api/settings",
  "api/addresses",
  "api/domains",
  "api/network",
  "api/security-associations",
  "api/directories",
  "api/northbound",
  "api/webhooks",
  "api/alarms?state=open",
  "api/alarm-rules",
] as const;

export interface SupportReport {
  createdAt: string;
  browser: string;
  /** Answers by path, or the reason for a missing one. */
  answers: Record<string, unknown>;
}

/**
 * Requests everything that a report contains. The report names refused parts and is still useful
 * without them.
 *
 * @throws ApiProblem when the gateway cannot be reached
 */
export async function collect(
  api: Pick<Api, "json">,
  now: number,
  browser: string,
): Promise<SupportReport> {
  const answers: Record<string, unknown> = {};
  for (const path of PATHS) {
    try {
      answers[path] = await api.json(path);
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.status === 0) throw problem;
      answers[path] = { status: problem.status, detail: problem.detail };
    }
  }
  return { createdAt: new Date(now).toISOString(), browser, answers };
}

/** Such as vigil-support-2026-11-20T12-00-00Z.json. */
export function fileName(now: number): string {
  const moment = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  return `vigil-support-${moment.replaceAll(":", "-")}.json`;
}
