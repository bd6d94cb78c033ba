export type Cbor = number | string | boolean | null | Uint8Array | Cbor[] | Map<Cbor, Cbor>;

const MAX_DEPTH = 8;
const BREAK = Symbol("break");

/**
 * Decodes one CBOR item (RFC 8949) of the types that SenML uses: integers, strings, arrays, maps,
 * simple values, floats, and tag 4 (decimal fraction) as a number.
 *
 * @throws SyntaxError for other types, for left-over octets and for nesting beyond 8
 */
export function decodeCbor(octets: Uint8Array): Cbor {
  const cursor = new Cursor(octets);
  const item = readItem(cursor, 0);
  if (item === BREAK || cursor.left > 0) throw new SyntaxError("CBOR with left-over octets");
  return item;
}

/** The only index arithmetic on received octets. */
class Cursor {
  private at = 0;
  constructor(private readonly octets: Uint8Array) {}

  get left(): number {
    return this.octets.length - this.at;
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new SyntaxError("CBOR that ends too early");
    this.at += count;
    return this.octets.subarray(this.at - count, this.at);
  }

  view(count: number): DataView {
    const taken = this.take(count);
    return new DataView(taken.buffer, taken.byteOffset, count);
  }
}

function readItem(cursor: Cursor, depth: number): Cbor | typeof BREAK {
  if (depth > MAX_DEPTH) throw new SyntaxError("CBOR nested too deep");
  const initial = cursor.view(1).getUint8(0);
  const major = initial >> 5;
  const info = initial & 31;
  if (major === 7) return readSimple(cursor, info);
  const indefinite = info === 31 && (major === 4 || major === 5);
  const argument = indefinite ? Infinity : readArgument(cursor, info);
  switch (major) {
    case 0:
      return argument;
    case 1:
      return -1 - argument;
    case 2:
      return cursor.take(argument).slice();
    case 3:
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        cursor.take(argument),
      );
    case 4:
      return readArray(cursor, argument, depth);
    case 5:
      return readMap(cursor, argument, depth);
    default:
      return readTagged(cursor, argument, depth);
  }
}

function readArgument(cursor: Cursor, info: number): number {
  if (info < 24) return info;
  if (info === 24) return cursor.view(1).getUint8(0);
  if (info === 25) return cursor.view(2).getUint16(0);
  if (info === 26) return cursor.view(4).getUint32(0);
  if (info !== 27) throw new SyntaxError("CBOR of a form not taken here");
  const long = cursor.view(8).getBigUint64(0);
  if (long > BigInt(Number.MAX_SAFE_INTEGER)) throw new SyntaxError("a CBOR number too large");
  return Number(long);
}

function readSimple(cursor: Cursor, info: number): Cbor | typeof BREAK {
  switch (info) {
    case 20:
      return false;
    case 21:
      return true;
    case 22:
      return null;
    case 25:
      return half(cursor.view(2).getUint16(0));
    case 26:
      return cursor.view(4).getFloat32(0);
    case 27:
      return cursor.view(8).getFloat64(0);
    case 31:
      return BREAK;
    default:
      throw new SyntaxError("a CBOR simple value not taken here");
  }
}

/** IEEE 754 binary16, RFC 8949 appendix D. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (mantissa + 1024) * 2 ** (exponent - 25);
}

function readArray(cursor: Cursor, count: number, depth: number): Cbor[] {
  const items: Cbor[] = [];
  while (items.length < count) {
    const item = readItem(cursor, depth + 1);
    if (item === BREAK) {
      if (count === Infinity) break;
      throw new SyntaxError("a CBOR break out of place");
    }
    items.push(item);
  }
  return items;
}

function readMap(cursor: Cursor, count: number, depth: number): Map<Cbor, Cbor> {
  const map = new Map<Cbor, Cbor>();
  for (let n = 0; n < count; n++) {
    const key = readItem(cursor, depth + 1);
    if (key === BREAK && count === Infinity) break;
    const value = key === BREAK ? BREAK : readItem(cursor, depth + 1);
    if (key === BREAK || value === BREAK) throw new SyntaxError("a CBOR break out of place");
    if (map.has(key)) throw new SyntaxError("a CBOR map with a key twice");
    map.set(key, value);
  }
  return map;
}

function readTagged(cursor: Cursor, tag: number, depth: number): Cbor {
  const content = readItem(cursor, depth + 1);
  if (tag === 4 && Array.isArray(content)) {
    const [exponent, mantissa] = content;
    if (Number.isSafeInteger(exponent) && Number.isSafeInteger(mantissa)) {
      // Converted through text, so that 42e-2 becomes the double nearest to 0.42; a product would
      // be rounded.
      return Number(`${String(mantissa)}e${String(exponent)}`);
    }
  }
  throw new SyntaxError("a CBOR tag not taken here");
}
