/** The key with which this browser first verified an endpoint. */
export interface Pin {
  thumbprint: string;
  /** ISO 8601. */
  since: string;
}

const ITEM = "vigil.pins.v1";

/** Pins are stored by name and domain; ids and addresses are assigned by the gateway. */
export function pinName(endpoint: { ep: string; d: string }): string {
  return JSON.stringify([endpoint.d, endpoint.ep]);
}

/**
 * The keys that this browser remembers. A pin is set after the first full verification and changes
 * only when the operator accepts another key.
 */
export class Pins {
  private pins: Map<string, Pin>;
  /** False when the browser has no storage: a pin then lasts as long as the page. */
  private durable = true;

  constructor(
    private readonly storage: Pick<Storage, "getItem" | "setItem">,
    private readonly now: () => Date,
  ) {
    this.pins = this.load();
  }

  get(name: string): Pin | undefined {
    return this.pins.get(name);
  }

  get areDurable(): boolean {
    return this.durable;
  }

  /** Remembers the first key of an endpoint; an existing pin stays. */
  first(name: string, thumbprint: string): void {
    this.reload();
    if (!this.pins.has(name)) this.replace(name, thumbprint);
  }

  replace(name: string, thumbprint: string): void {
    this.pins.set(name, { thumbprint, since: this.now().toISOString() });
    try {
      this.storage.setItem(ITEM, JSON.stringify(Object.fromEntries(this.pins)));
    } catch {
      this.durable = false;
    }
  }

  /** Takes over the changes of another tab. */
  reload(): void {
    if (this.durable) this.pins = this.load();
  }

  private load(): Map<string, Pin> {
    let text: string | null;
    try {
      text = this.storage.getItem(ITEM);
    } catch {
      this.durable = false;
      return new Map();
    }
    try {
      const read: unknown = JSON.parse(text ?? "{}");
      if (typeof read !== "object" || read === null) return new Map();
      return new Map(
        Object.entries(read).filter((entry): entry is [string, Pin] => isPin(entry[1])),
      );
    } catch {
      return new Map();
    }
  }
}

function isPin(read: unknown): read is Pin {
  const { thumbprint, since } = (read ?? {}) as Record<string, unknown>;
  return typeof thumbprint === "string" && typeof since === "string";
}
