import type { Api } from "../gateway/api";
import type { Schemas } from "../gateway/schemas";
import { useGateway } from "./gateway";
import { useLoaded } from "./loaded";

/** The domains that the account operates; "-" is the domain without a name; none while unknown. */
export function useDomainNames(): readonly string[] {
  const { api } = useGateway();
  return useLoaded("domain names", () => domainNames(api)).data ?? [];
}

async function domainNames(api: Api): Promise<string[]> {
  const { domains } = (await api.json("api/domains")) as Schemas["Domains"];
  return domains.map(({ name }) => name);
}
