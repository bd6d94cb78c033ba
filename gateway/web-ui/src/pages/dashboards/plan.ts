// Places of floor plans, without React.
import type { PlanPlace } from "./api";

/** Places of a plan at most. */
export const MOST_PLACES = 250;
/** Octets of an image at most. */
export const MOST_OCTETS = 512 * 1024;
/** Pixels of a side of an image at most. */
const MOST_SIDE = 4096;
/** Media types that the gateway takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
/** The sides to which a large image is scaled down, until it is small enough. */
const SIDES = [2560, 1920, 1440, 1080, 720, 480] as const;

/** A place moved by fractions of the image; it stays on the image. */
export function movedPlace(place: PlanPlace, x: number, y: number): PlanPlace {
  return { ...place, x: fraction(place.x + x), y: fraction(place.y + y) };
}

/** Four decimals, as the gateway stores them. */
export function fraction(number: number): number {
  return Math.round(Math.min(1, Math.max(0, number)) * 10_000) / 10_000;
}

/** A place for a new pin that no other one covers: the first free one from the middle outwards. */
export function freePlace(places: readonly Pick<PlanPlace, "x" | "y">[]): { x: number; y: number } {
  const STEP = 0.05;
  const near = (x: number, y: number) =>
    places.some((one) => Math.abs(one.x - x) < STEP / 2 && Math.abs(one.y - y) < STEP / 2);
  for (let ring = 0; ring <= 9; ring++) {
    for (let down = -ring; down <= ring; down++) {
      for (let right = -ring; right <= ring; right++) {
        if (Math.max(Math.abs(right), Math.abs(down)) !== ring) continue;
        const [x, y] = [fraction(0.5 + right * STEP), fraction(0.5 + down * STEP)];
        if (!near(x, y)) return { x, y };
      }
    }
  }
  return { x: 0.5, y: 0.5 };
}

/** The size of an image whose longer side is shortened. */
export function scaledSize(width: number, height: number, side: number): [number, number] {
  const factor = Math.min(1, side / Math.max(width, height));
  return [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
}

/** A label beside a dot, in pixels of the picture. */
export interface Label {
  x: number;
  y: number;
  width: number;
  height: number;
  /** More important labels are shown first. */
  rank: number;
}

/** The side of its dot on which a label is. */
export type Side = "right" | "left" | "below" | "above";

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The labels that fit beside their dots without covering another label or another dot, with their
 * sides: so that 250 places stay readable. The others are shown when their dot is pointed at or has
 * the focus.
 *
 * @param dot radius of a dot
 * @param bounds of the picture
 */
export function fitting(
  labels: readonly Label[],
  dot: number,
  bounds: { width: number; height: number },
): Map<number, Side> {
  const shown = new Map<number, Side>();
  const taken: Box[] = [];
  const dots = labels.map(({ x, y }) => ({
    left: x - dot,
    right: x + dot,
    top: y - dot,
    bottom: y + dot,
  }));
  const order = labels.map((label, at) => ({ label, at }));
  order.sort((one, other) => one.label.rank - other.label.rank || one.at - other.at);
  for (const { label, at } of order) {
    if (label.width === 0) continue;
    const free = Object.entries(boxesOf(label, dot)).find(
      ([, box]) =>
        box.left >= 0 &&
        box.top >= 0 &&
        box.right <= bounds.width &&
        box.bottom <= bounds.height &&
        !taken.some((one) => overlap(one, box)) &&
        !dots.some((one, other) => other !== at && overlap(one, box)),
    );
    if (free === undefined) continue;
    taken.push(free[1]);
    shown.set(at, free[0] as Side);
  }
  return shown;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

function boxesOf({ x, y, width, height }: Label, dot: number): Record<Side, Box> {
  const beside = { top: y - height / 2, bottom: y + height / 2 };
  const middle = { left: x - width / 2, right: x + width / 2 };
  return {
    right: { ...beside, left: x + dot, right: x + dot + width },
    left: { ...beside, left: x - dot - width, right: x - dot },
    below: { ...middle, top: y + dot, bottom: y + dot + height },
    above: { ...middle, top: y - dot - height, bottom: y - dot },
  };
}

/**
 * An image as the gateway takes it: the file itself, or a smaller copy if it is too large.
 *
 * @throws DOMException when the browser cannot read it
 */
export async function fittingImage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const taken = (IMAGE_TYPES as readonly string[]).includes(file.type);
  if (taken && file.size <= MOST_OCTETS && Math.max(width, height) <= MOST_SIDE) return file;
  let smallest: Blob = file;
  for (const side of SIDES) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = scaledSize(width, height, side);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    smallest = await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob(
        // A browser that cannot write WebP writes PNG.
        (blob) => (blob === null ? reject(new Error("no image")) : resolve(blob)),
        "image/webp",
        0.88,
      ),
    );
    if (smallest.size <= MOST_OCTETS) break;
  }
  return smallest;
}
