import encode from "qr";

/** White modules around the code (ISO/IEC 18004 requires four). */
const QUIET = 4;

/** The dark modules of a QR code as one SVG path, each a square of one unit. */
export function modulesOf(text: string): { path: string; size: number } {
  const rows = encode(text, "raw", { ecc: "medium", border: QUIET });
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { path, size: rows.length };
}
