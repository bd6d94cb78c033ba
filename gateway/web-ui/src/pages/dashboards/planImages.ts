import { createContext, use } from "react";
import type { Api } from "../../gateway/api";
import { readImage } from "./api";

/** Images that are kept after they are no longer shown. */
const KEPT = 8;

/** The images of a dashboard's floor plans, each read once. */
export class PlanImages {
  private readonly known = new Map<string, Promise<ImageBitmap>>();

  /** @param links whether a place leads to its endpoint, unlike on a wallboard */
  constructor(
    readonly api: Api,
    readonly dashboard: string,
    readonly links: boolean,
  ) {}

  /** An image never changes: its name is its hash. */
  get(name: string): Promise<ImageBitmap> {
    const present = this.known.get(name);
    if (present !== undefined) return present;
    const reading = readImage(this.api, this.dashboard, name).then((blob) =>
      createImageBitmap(blob),
    );
    this.known.set(name, reading);
    reading.catch(() => this.known.delete(name));
    for (const other of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(other);
    }
    return reading;
  }
}

export const PlanImagesContext = createContext<PlanImages | undefined>(undefined);

export function usePlanImages(): PlanImages {
  const images = use(PlanImagesContext);
  if (images === undefined) throw new Error("no images of floor plans");
  return images;
}
