/** The place of keys and numbers: `localStorage`, or `fileMemory` of `vigil-client/node`. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

/** The memory of an endpoint. */
interface Known {
  key: string;
  /** Whether somebody compared the key. */
  compared: boolean;
  /** The highest verified number of each resource, and the digest of its reading. */
  numbers: Record<string, [number, string]>;
}

/** The memory of each endpoint: its key, and the highest number of each resource. */
export class Memory {
  private readonly known = new Map<string, Known>();
  /** Named domains by name of an endpoint; storage cannot be searched. */
  private readonly named = new Map<string, string[]>();

  constructor(private readonly storage: Storage | undefined) {}

  key(d: string, ep: string): Pick<Known, "key" | "compared"> | undefined {
    return this.of(d, ep);
  }

  /** The domains in which an endpoint of this name has a key. */
  domains(ep: string): string[] {
    return ["", ...this.namedOf(ep)].filter((d) => this.of(d, ep) !== undefined);
  }

  pin(d: string, ep: string, key: string, compared: boolean): void {
    const known = this.of(d, ep);
    if (known?.key === key && (known.compared || !compared)) return;
    this.put(d, ep, { numbers: {}, ...known, key, compared });
  }

  /**
   * Remembers the number if it is the highest.
   *
   * @returns false if it is lower, or belongs to another reading
   */
  advance(d: string, ep: string, resource: string, number: number, digest: string): boolean {
    const known = this.of(d, ep);
    const [highest, its] = numberOf(known, resource);
    if (known === undefined || number < highest) return false;
    if (number === highest) return digest === its;
    this.put(d, ep, { ...known, numbers: { ...known.numbers, [resource]: [number, digest] } });
    return true;
  }

  highest(d: string, ep: string, resource: string): number {
    return numberOf(this.of(d, ep), resource)[0];
  }

  /** @throws SyntaxError for an item that cannot be read: the next key would be trusted otherwise */
  private of(d: string, ep: string): Known | undefined {
    const name = item(d, ep);
    const text = this.known.has(name) ? null : (this.storage?.getItem(name) ?? null);
    if (text !== null) {
      const read = JSON.parse(text) as Known;
      if (typeof read?.key !== "string" || typeof read.numbers !== "object") {
        throw unreadable(name);
      }
      this.known.set(name, read);
    }
    return this.known.get(name);
  }

  private put(d: string, ep: string, known: Known): void {
    this.known.set(item(d, ep), known);
    this.storage?.setItem(item(d, ep), JSON.stringify(known));
    const named = this.namedOf(ep);
    if (d === "" || named.includes(d)) return;
    this.named.set(ep, [...named, d]);
    this.storage?.setItem(list(ep), JSON.stringify([...named, d]));
  }

  /** @throws SyntaxError like `of` */
  private namedOf(ep: string): string[] {
    const text = this.named.has(ep) ? null : (this.storage?.getItem(list(ep)) ?? null);
    if (text !== null) {
      const read = JSON.parse(text) as string[];
      if (!Array.isArray(read)) throw unreadable(list(ep));
      this.named.set(ep, read);
    }
    return this.named.get(ep) ?? [];
  }
}

/** A resource may have the name of an object's own method, such as `constructor`. */
function numberOf(known: Known | undefined, resource: string): [number, string] {
  const number = known && Object.hasOwn(known.numbers, resource) && known.numbers[resource];
  return number || [-1, ""];
}

function unreadable(name: string): SyntaxError {
  return new SyntaxError(`${name} is not an item of this client: remove it to trust the next key`);
}

function list(ep: string): string {
  return `vigil.client domains ${JSON.stringify(ep)}`;
}

function item(d: string, ep: string): string {
  return `vigil.client ${JSON.stringify([d, ep])}`;
}
