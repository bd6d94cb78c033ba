import { typedThumbprint } from "./fingerprint";

/** The content of a mote's label (docs/protocol.md section 6). */
export interface KeyLabel {
  thumbprint: string;
  /** Endpoint name; undefined if the label has none. */
  ep: string | undefined;
  /** Domain, empty for the domain without a name; undefined if the label has none. */
  d: string | undefined;
}

/** The page that the camera of a phone opens, after "#". */
export const ENROL = "/enrol";

const PAGE = new RegExp(`#${ENROL}\\?`);

/** The label of a QR code or a typed text; undefined for any other text. */
export function readKeyLabel(text: string): KeyLabel | undefined {
  const [, query] = text.split(PAGE);
  if (query !== undefined) return labelIn(new URLSearchParams(query));
  // A thumbprint contains no "#". In a URN, the text after "#" does not belong to the key.
  const [key = "", names = ""] = text.split("#");
  const parameters = new URLSearchParams(names);
  parameters.set("key", key);
  return labelIn(parameters);
}

/** Letters that are invisible or change how their neighbours are displayed; no name has them. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The label in the parameters of the page's address. The host of an address does not matter. */
export function labelIn(parameters: URLSearchParams): KeyLabel | undefined {
  const read = typedThumbprint(parameters.get("key") ?? "");
  const ep = parameters.get("ep") ?? "";
  const d = parameters.get("d") ?? "";
  if (read.state !== "thumbprint" || INVISIBLE.test(ep + d)) return undefined;
  return {
    thumbprint: read.thumbprint,
    ep: ep || undefined,
    d: d === "-" ? "" : d || undefined,
  };
}

/** The parameters that stand for a label. */
export function parametersOfLabel({ thumbprint, ep, d }: KeyLabel) {
  return { key: thumbprint, ep, d: d === "" ? "-" : d };
}

/**
 * The text of a label's QR code.
 *
 * @param page address of this application
 */
export function textOfLabel(page: string, label: KeyLabel): string {
  const address = new URL(page);
  address.search = "";
  const names = Object.entries(parametersOfLabel(label)).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  address.hash = `${ENROL}?${names.join("&")}`;
  return address.href;
}
