/** Whether two values made by the same reader of JSON are equal: objects have the same members. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, at) => same(element, other[at]))
    );
  }
  if (one instanceof Map) {
    if (!(other instanceof Map) || one.size !== other.size) return false;
    for (const [key, value] of one) if (!same(value, other.get(key))) return false;
    return true;
  }
  // Creates no list of keys, because this runs for thousands of endpoints at once.
  for (const key in one) {
    if (!same(one[key as keyof object], other[key as keyof object])) return false;
  }
  return true;
}
