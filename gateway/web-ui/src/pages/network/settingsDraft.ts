import { RADIO_KINDS, type Radio, type RadioKind, type Stored } from "./stored";

export type RadioField = Exclude<keyof Radio, "kind">;

/** The texts of a radio's fields; empty texts mean the defaults. */
export interface RadioDraft {
  kind: RadioKind;
  port: string;
  device: string;
  baud: string;
  host: string;
}

/** The texts of the form. */
export interface Draft {
  radios: readonly RadioDraft[];
  /** One rule per line. */
  filter: string;
  secured: boolean;
  /** Empty: the stored key stays. */
  key: string;
  level: string;
  /** Empty: frames carry no key index. */
  keyIndex: string;
}

export const LEVELS = ["5", "6", "7", "1", "2", "3"] as const;

const FIELDS: Record<RadioKind, readonly RadioField[]> = {
  virtual: ["port"],
  zep: ["host", "port"],
  tcp: ["host", "port"],
  "tunslip6-tcp": ["host", "port"],
  serial: ["device", "baud"],
  "tunslip6-serial": ["device", "baud"],
};

/** The fields of a kind of radio, without the kind itself. */
export function fieldsOf(kind: RadioKind): readonly RadioField[] {
  return FIELDS[kind];
}

export function isKind(text: string): text is RadioKind {
  return RADIO_KINDS.some((kind) => kind === text);
}

export const NEW_RADIO: RadioDraft = { kind: "serial", port: "", device: "", baud: "", host: "" };

export function draftOf(stored: Stored | undefined): Draft {
  const security = stored?.linkSecurity;
  return {
    radios: (stored?.radios ?? []).map(({ kind, port, device, baud, host }) => ({
      kind,
      port: port?.toString() ?? "",
      device: device ?? "",
      baud: baud?.toString() ?? "",
      host: host ?? "",
    })),
    filter: (stored?.filter ?? []).join("\n"),
    secured: security !== undefined,
    key: "",
    level: security?.level.toString() ?? LEVELS[0],
    keyIndex: security === undefined || security.keyIndex < 0 ? "" : String(security.keyIndex),
  };
}

/** Fields by their names in the API's refusals, for instance "radios[0].port", and their faults. */
export type Faults = ReadonlyMap<string, "port" | "baud" | "key" | "noKey" | "keyIndex">;

/** @param keyStored whether a stored key stays if the field is empty */
export function faultsOf(draft: Draft, keyStored: boolean): Faults {
  const faults = new Map<string, "port" | "baud" | "key" | "noKey" | "keyIndex">();
  draft.radios.forEach(({ kind, port, baud }, at) => {
    const has = fieldsOf(kind);
    if (has.includes("port") && !isNumber(port, 0, 65_535))
      faults.set(`radios[${at}].port`, "port");
    if (has.includes("baud") && !isNumber(baud, 1, 2 ** 31 - 1)) {
      faults.set(`radios[${at}].baud`, "baud");
    }
  });
  if (draft.secured) {
    const key = draft.key.trim();
    if (key === "" && !keyStored) faults.set("linkSecurity.key", "noKey");
    if (key !== "" && !/^[0-9a-f]{32}$/i.test(key)) faults.set("linkSecurity.key", "key");
    if (!isNumber(draft.keyIndex, 0, 255)) faults.set("linkSecurity.keyIndex", "keyIndex");
  }
  return faults;
}

/** Whether a text is empty or a whole number of a range. */
function isNumber(text: string, least: number, greatest: number): boolean {
  const trimmed = text.trim();
  return (
    trimmed === "" ||
    (/^\d{1,10}$/.test(trimmed) && Number(trimmed) >= least && Number(trimmed) <= greatest)
  );
}

/** The body that stores a draft without faults. */
export function bodyOf(draft: Draft): object {
  const radios = draft.radios.map((radio) => {
    const body: Record<string, string | number> = { kind: radio.kind };
    for (const field of fieldsOf(radio.kind)) {
      const text = radio[field].trim();
      if (text !== "") body[field] = field === "port" || field === "baud" ? Number(text) : text;
    }
    return body;
  });
  const filter = linesOf(draft.filter);
  const key = draft.key.trim();
  const index = draft.keyIndex.trim();
  return {
    ...(radios.length > 0 && { radios }),
    ...(filter.length > 0 && { filter }),
    ...(draft.secured && {
      linkSecurity: {
        ...(key !== "" && { key }),
        level: Number(draft.level),
        keyIndex: index === "" ? -1 : Number(index),
      },
    }),
  };
}

export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
