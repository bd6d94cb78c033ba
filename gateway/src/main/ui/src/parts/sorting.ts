/** What rows are sorted by; undefined comes last in both directions. */
export type SortValue = string | number | boolean | undefined;

const NAMES = new Intl.Collator("en", { numeric: true });

/** Rows in the order of a value of theirs; equal ones stay as they were. */
export function sorted<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  descending: boolean,
): Row[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => [valueOf(row), row] as const)
    .sort(([one], [other]) => {
      if (one === undefined || other === undefined) {
        return Number(one === undefined) - Number(other === undefined);
      }
      return sign * compare(one, other);
    })
    .map(([, row]) => row);
}

function compare(one: Exclude<SortValue, undefined>, other: Exclude<SortValue, undefined>): number {
  if (typeof one === "string" && typeof other === "string") return NAMES.compare(one, other);
  return Number(one) - Number(other);
}
