import { useMemo } from "react";
import { modulesOf } from "./qr";

/** A QR code, dark on white in both colour schemes: many scanners do not read inverted ones. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => modulesOf(text), [text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
