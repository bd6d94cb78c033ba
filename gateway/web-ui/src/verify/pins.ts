/** The key with which this browser first verified an endpoint. */
export interface Pin {
  thumbprint: string;
  /** ISO 8601. */
  since: string;
}

/** Each pin is a separate item, because a single item would be rewritten at each first use. */
const ITEM = "vigil.pin.v2 ";
/** A single item for all pins, as earlier versions wrote it. */
const ITEM_OF_ALL = "vigil.pins.v1";

/** Pins are stored by name and domain; ids and addresses are assigned by the gateway. */
export function pinName(endpoint: { ep: string; d: string }): string {
  return JSON.stringify([endpoint.d, endpoint.ep]);
}

/**
 * The keys that this browser remembers. A pin is set after the first full verification and changes
 * only when the operator accepts another key.
 */
export class Pins {
  /** Items that were read or written; undefined for a name without pin. */
  private readonly known = new Map<string, Pin | undefined>();
  /** False when the browser has no storage: a pin then lasts as long as the page. */
  private durable = true;

  constructor(
    private readonly storage: Pick<Storage, "getItem" | "setItem">,
    private readonly now: () => Date,
  ) {
    this.separate();
  }

  get(name: string): Pin | undefined {
    if (!this.known.has(name)) this.known.set(name, this.load(name));
    return this.known.get(name);
  }

  get areDurable(): boolean {
    return this.durable;
  }

  /** Remembers the first key of an endpoint; an existing pin stays, even from another tab. */
  first(name: string, thumbprint: string): void {
    if (this.durable) this.known.delete(name);
    if (this.get(name) === undefined) this.replace(name, thumbprint);
  }

  replace(name: string, thumbprint: string): void {
    const pin = { thumbprint, since: this.now().toISOString() };
    this.known.set(name, pin);
    this.write(ITEM + name, pin);
  }

  /** Adopts the changes of another tab. */
  reload(): void {
    if (this.durable) this.known.clear();
  }

  private load(name: string): Pin | undefined {
    const read = this.read(ITEM + name);
    return isPin(read) ? read : undefined;
  }

  /** Converts the single item of all pins to one item per pin. */
  private separate(): void {
    const read = this.read(ITEM_OF_ALL);
    if (typeof read !== "object" || read === null) return;
    const pins = Object.entries(read).filter((entry): entry is [string, Pin] => isPin(entry[1]));
    if (pins.length === 0) return;
    for (const [name, pin] of pins) {
      if (this.load(name) === undefined) this.write(ITEM + name, pin);
      if (!this.durable) return;
    }
    this.write(ITEM_OF_ALL, {});
  }

  /** Undefined for an item that is missing or not JSON. */
  private read(item: string): unknown {
    let text: string | null;
    try {
      text = this.storage.getItem(item);
    } catch {
      this.durable = false;
      return undefined;
    }
    try {
      return JSON.parse(text ?? "null");
    } catch {
      return undefined;
    }
  }

  private write(item: string, value: object): void {
    try {
      this.storage.setItem(item, JSON.stringify(value));
    } catch {
      this.durable = false;
    }
  }
}

function isPin(read: unknown): read is Pin {
  const { thumbprint, since } = (read ?? {}) as Record<string, unknown>;
  return typeof thumbprint === "string" && typeof since === "string";
}
