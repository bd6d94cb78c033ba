// Addresses of pages are fragments ("#/endpoints?text=pump"): the gateway serves one file. A page's
// parameters are also in the fragment, so that they stay with the page; wouter's own hook for
// fragments would move them out of it.
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";

export { Link, useLocation, useParams, useSearch } from "wouter";

/** The address of the sign-in page on gateways that show readings to everyone. */
export const SIGN_IN = "/sign-in";

/** The fragment that leads to a page, for elements that are not a `Link`. */
export function hrefOf(path: string): string {
  return `#${path}`;
}

/** The page of a fragment and its query. */
export function partsOf(fragment: string): { path: string; query: string } {
  const address = fragment.replace(/^#?\/?/, "/");
  const at = address.indexOf("?");
  return at < 0
    ? { path: address, query: "" }
    : { path: address.slice(0, at), query: address.slice(at + 1) };
}

/** A query with other parameters; undefined removes one. */
export function changedQuery(query: string, change: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters.toString();
}

function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = hrefOf(to);
  if (replace) window.history.replaceState(null, "", url);
  else window.history.pushState(null, "", url);
  window.dispatchEvent(new Event("hashchange"));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** The hook of wouter's `Router`. */
export const useFragment = Object.assign(
  () =>
    [
      useSyncExternalStore(subscribe, () => partsOf(window.location.hash).path),
      navigate,
    ] satisfies [string, typeof navigate],
  {
    hrefs: hrefOf,
    searchHook: () => useSyncExternalStore(subscribe, () => partsOf(window.location.hash).query),
  },
);

/** The parameters of the page's address. A change leaves no entry in the history. */
export function useParameters(): [
  parameters: URLSearchParams,
  change: (change: Record<string, string | undefined>) => void,
] {
  const search = useSearch();
  const parameters = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback((wanted: Record<string, string | undefined>) => {
    const { path, query } = partsOf(window.location.hash);
    const after = changedQuery(query, wanted);
    if (after !== query) navigate(after === "" ? path : `${path}?${after}`, { replace: true });
  }, []);
  return [parameters, change];
}

/** Navigates to another address; the current address leaves no entry in the history. */
export function Redirect({ to }: { to: string }): null {
  const [, goTo] = useLocation();
  useEffect(() => goTo(to, { replace: true }), [goTo, to]);
  return null;
}
