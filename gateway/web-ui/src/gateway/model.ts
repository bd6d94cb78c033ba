import { instant, list, number, object, oneOf, positive, text, texts, type Json } from "./json";
import type { Schemas } from "./schemas";

// Endpoints come from a stream that outlives upgrades of the gateway: their readers check the shapes.
// Times are milliseconds since 1970, by the gateway's clock.

type Wire = Schemas["Endpoint"];

export type Trust = Wire["trust"];
export const TRUSTS: readonly Trust[] = ["unproven", "pending", "trusted", "replaced", "revoked"];

export type Freshness = Wire["freshness"];
export const FRESHNESSES: readonly Freshness[] = ["on-time", "late", "missing", "not-trusted"];

/** A resource as the gateway shows it, not verified. */
export interface Resource extends Pick<
  Wire["resources"][number],
  "path" | "href" | "seq" | "delayed" | "writable"
> {
  rt: string;
  /** SenML name of the last value; empty before the first. */
  name: string;
  unit: string;
  /** Undefined until the first reading. */
  value: string | undefined;
  arrivedAt: number | undefined;
  /** The values that commands give it; a guess unless it is declared. */
  control: Control;
}

/** How pages show the numbers of a resource: the signed number, times factor, plus offset. */
export interface Calibration {
  path: string;
  /** SenML name of the records to which it applies; undefined: all that have no own calibration. */
  name: string | undefined;
  factor: number;
  offset: number;
  /** Of the result; undefined: the signed unit. */
  unit: string | undefined;
}

/** The calibration of a measured name: its own, or that of all records of the resource. */
export function calibrationOf<T extends Pick<Calibration, "path" | "name">>(
  calibrations: readonly T[],
  path: string,
  measured: string,
): T | undefined {
  const of = (name: string | undefined) =>
    calibrations.find((one) => one.path === path && one.name === name);
  return of(measured) ?? of(undefined);
}

type WireControl = NonNullable<Wire["resources"][number]["control"]>;

/** The values that commands give to a resource. */
export interface Control extends Pick<WireControl, "kind" | "declared"> {
  minimum: number | undefined;
  maximum: number | undefined;
  multipleOf: number | undefined;
  /** Of a switch: first off, then on. */
  values: readonly (number | boolean | string)[];
}

const CONTROLS: readonly Control["kind"][] = ["switch", "number", "choice", "text", "unknown"];

/** A signed command that the endpoint fetches when it wakes. */
export interface Command extends Pick<Wire["commands"][number], "path" | "seq" | "by" | "state"> {
  queuedAt: number | undefined;
  expiresAt: number | undefined;
  endedAt: number | undefined;
}

/** A key that waits for an operator's decision on an endpoint's name. */
export interface WaitingKey extends Pick<Wire["waitingKeys"][number], "thumbprint" | "held"> {
  /** Why it waits. */
  note: string;
  since: number | undefined;
  /** Source address; empty when the gateway does not know it. */
  from: string;
}

/** An endpoint as the gateway shows it. */
export interface Endpoint extends Pick<Wire, "id" | "ep" | "d" | "keyThumbprint"> {
  /** Undefined when the gateway has a state that this page does not know. */
  trust: Trust | undefined;
  freshness: Freshness | undefined;
  registeredAt: number | undefined;
  expiresAt: number | undefined;
  wakeSeconds: number | undefined;
  /**
   * Times at which it is late and missing unless it is heard before; undefined while its key is not
   * trusted.
   */
  lateAt: number | undefined;
  missingAt: number | undefined;
  /** The time of the last accepted update or registration. */
  heardAt: number | undefined;
  /** Oldest first. */
  waitingKeys: WaitingKey[];
  /** The name and place that operators gave it; empty if they gave none. */
  name: string;
  location: string;
  /** Tags that operators gave it, in alphabetical order. */
  tags: readonly string[];
  /** Calibrations of its resources. */
  calibrations: readonly Calibration[];
  /** Its address in the mesh and its EUI-64; empty for endpoints outside of the mesh. */
  meshAddress: string;
  eui64: string;
  /** The pending commands and the last ended ones, oldest first. */
  commands: Command[];
  /** Number of refused requests since the gateway's start, by reason. */
  rejections: ReadonlyMap<string, number>;
  resources: Resource[];
}

/** A page of the list; `next` is empty on the last. */
export interface EndpointPage {
  endpoints: Endpoint[];
  next: string;
}

/** @throws SyntaxError when the answer does not have the shape of `GET /api/endpoints` */
export function readEndpoints(json: unknown): EndpointPage {
  const { endpoints, next } = object(json);
  if (!Array.isArray(endpoints)) throw new SyntaxError("no list of endpoints");
  return { endpoints: endpoints.map(readEndpoint), next: text(next) };
}

/** @throws SyntaxError when the event does not name an endpoint */
export function readGone(json: unknown): string {
  const id = text(object(json)["id"]);
  if (id === "") throw new SyntaxError("an endpoint without an id");
  return id;
}

/** @throws SyntaxError when the answer is not an endpoint */
export function readEndpoint(json: unknown): Endpoint {
  const read = object(json);
  const id = text(read["id"]);
  if (id === "") throw new SyntaxError("an endpoint without an id");
  const resources = Array.isArray(read["resources"]) ? read["resources"] : [];
  const label = object(read["label"] ?? {});
  return {
    id,
    ep: text(read["ep"]),
    d: text(read["d"]),
    trust: oneOf(TRUSTS, read["trust"]),
    keyThumbprint: text(read["keyThumbprint"]),
    registeredAt: instant(read["registeredAt"]),
    expiresAt: instant(read["expiresAt"]),
    wakeSeconds: positive(read["wakeSeconds"]),
    lateAt: instant(read["lateAt"]),
    missingAt: instant(read["missingAt"]),
    heardAt: instant(read["heardAt"]),
    freshness: oneOf(FRESHNESSES, read["freshness"]),
    waitingKeys: list(read["waitingKeys"]).map((one) => ({
      thumbprint: text(one["thumbprint"]),
      held: one["held"] === true,
      note: text(one["note"]),
      since: instant(one["since"]),
      from: text(one["from"]),
    })),
    name: text(label["name"]),
    location: text(label["location"]),
    tags: texts(read["tags"]),
    calibrations: list(read["calibrations"]).map(readCalibration),
    meshAddress: text(read["meshAddress"]),
    eui64: text(read["eui64"]),
    commands: list(read["commands"]).map(readCommand),
    rejections: readCounts(read["rejections"]),
    resources: resources.map((resource) => readResource(resource, id)),
  };
}

/** @throws SyntaxError when the answer is not a command */
export function readCommand(json: unknown): Command {
  const read = object(json);
  return {
    path: text(read["path"]),
    seq: number(read["seq"]) ?? 0,
    by: text(read["by"]),
    state: text(read["state"]) as Command["state"],
    queuedAt: instant(read["queuedAt"]),
    expiresAt: instant(read["expiresAt"]),
    endedAt: instant(read["endedAt"]),
  };
}

function readCalibration(read: Json): Calibration {
  return {
    path: text(read["path"]),
    name: text(read["name"]) || undefined,
    factor: number(read["factor"]) ?? 1,
    offset: number(read["offset"]) ?? 0,
    unit: text(read["unit"]) || undefined,
  };
}

function readCounts(json: unknown): ReadonlyMap<string, number> {
  const counts = Object.entries(object(json ?? {}));
  return new Map(counts.map(([name, count]) => [name, number(count) ?? 0]));
}

function readResource(json: unknown, id: string): Resource {
  const read = object(json);
  const path = text(read["path"]);
  const value = read["value"] ?? read["sum"];
  return {
    path,
    // Built here instead of taken from the answer, so that requests stay below this endpoint.
    href: `/ms/${encodeURIComponent(id)}/${path.split("/").map(segment).join("/")}`,
    rt: text(read["rt"]),
    name: text(read["name"]),
    unit: text(read["unit"]),
    value: value === undefined || value === null ? undefined : text(value),
    seq: number(read["seq"]) ?? 0,
    arrivedAt: instant(read["arrivedAt"]),
    delayed: read["delayed"] === true,
    writable: read["writable"] === true,
    control: readControl(object(read["control"] ?? {})),
  };
}

function readControl(read: Json): Control {
  const values = Array.isArray(read["values"]) ? (read["values"] as unknown[]) : [];
  return {
    kind: oneOf(CONTROLS, read["kind"]) ?? "unknown",
    declared: read["declared"] === true,
    minimum: number(read["minimum"]),
    maximum: number(read["maximum"]),
    multipleOf: positive(read["multipleOf"]),
    values: values.filter((one) =>
      ["number", "boolean", "string"].includes(typeof one),
    ) as Control["values"],
  };
}

/** A path segment that cannot leave its folder or end the path; it is already percent-encoded. */
function segment(part: string): string {
  if (part === "." || part === ".." || /%2e/i.test(part)) throw new SyntaxError("a path with dots");
  return part.replace(/[?#\\]/g, encodeURIComponent);
}
