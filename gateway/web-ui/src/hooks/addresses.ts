import type { Schemas } from "../gateway/schemas";
import { coapBase } from "../text/clientCommands";
import { usePolled } from "./polled";

/** The address of the gateway's CoAP server with its actual port. */
export function useCoapBase(): { known: boolean; base: string | undefined } {
  const addresses = usePolled("api/addresses", readAddresses, 0).data;
  return {
    known: addresses !== undefined,
    base: addresses && coapBase(new URL(document.baseURI), addresses),
  };
}

function readAddresses(json: unknown): string[] {
  return (json as Schemas["Addresses"]).addresses;
}
