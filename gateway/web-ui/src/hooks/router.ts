// Addresses of pages are fragments ("#/endpoints"): the gateway serves one file.
import { useEffect } from "react";
import { useLocation } from "wouter";

export { Link, useLocation, useParams } from "wouter";

/** The address of the sign-in page on gateways that show readings to everyone. */
export const SIGN_IN = "/sign-in";

/** The fragment that leads to a page, for elements that are not a `Link`. */
export function hrefOf(path: string): string {
  return `#${path}`;
}

/** Leads to another address; the present one leaves no entry in the history. */
export function Redirect({ to }: { to: string }): null {
  const [, navigate] = useLocation();
  useEffect(() => navigate(to, { replace: true }), [navigate, to]);
  return null;
}
