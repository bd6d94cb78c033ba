/** An address in the short notation of RFC 5952; other texts are returned unchanged. */
export function shortAddress(address: string): string {
  if (!address.includes(":")) return address;
  try {
    return new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return address;
  }
}
