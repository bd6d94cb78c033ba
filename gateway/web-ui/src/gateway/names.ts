/** A key whose plain order is the order of names for people: "mote-2" comes before "mote-10". */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}
