import type { components } from "#openapi";

type Generated = components["schemas"];

/** The JSON of the API by the names of its OpenAPI document, from which these types are generated. */
export type Schemas = Omit<Generated, keyof Corrected> & Corrected;

/** Members that the gateway always sends, although its document calls them optional, and names. */
interface Corrected {
  DomainLimits: Required<Generated["DomainLimits"]>;
  Domain: Omit<Generated["Domain"], "history" | "limits"> & {
    history: Required<Generated["HistoryLimits"]>;
    limits: Corrected["DomainLimits"];
  };
  Domains: { domains: Corrected["Domain"][] };
  RadioSettings: Generated["RadioSettings"] & {
    kind: "serial" | "tcp" | "zep" | "tunslip6-serial" | "tunslip6-tcp" | "virtual";
  };
  StoredNetworkSettings: Omit<Generated["StoredNetworkSettings"], "radios" | "linkSecurity"> & {
    radios?: Corrected["RadioSettings"][];
    linkSecurity?: Required<Generated["StoredLinkSecurity"]>;
  };
  NetworkSettings: Omit<
    Generated["NetworkSettings"],
    "fileMembers" | "restartNeeded" | "stored"
  > & {
    fileMembers: ("radios" | "filter" | "linkSecurity")[];
    restartNeeded: boolean;
    stored?: Corrected["StoredNetworkSettings"];
  };
}
