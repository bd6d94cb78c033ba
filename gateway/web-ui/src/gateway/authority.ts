import { ApiProblem, type Api } from "./api";

/** The certificate of the gateway's own authority as PEM; undefined without one. */
export async function readAuthority(api: Api): Promise<string | undefined> {
  try {
    return await api.text("ca.pem", "application/pem-certificate-chain");
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return undefined;
    throw problem;
  }
}
