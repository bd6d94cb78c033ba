import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomBehavior } from "d3-zoom";
import { useCallback, useEffect, useRef, type RefObject } from "react";

const SCALES: [number, number] = [0.15, 2];
/** A picture that fits is not enlarged, and a picture that is too large keeps readable names. */
const FITS: [number, number] = [0.6, 1];
const MARGIN = 30;

export interface Zoom {
  frame: RefObject<SVGSVGElement | null>;
  content: RefObject<SVGGElement | null>;
  /** Enlarges by a factor, around the middle. */
  by: (factor: number) => void;
  /** Shows all of it. */
  fit: () => void;
  /** Moves a position into view; does nothing if it is already visible. */
  reveal: (x: number, y: number) => void;
}

/**
 * Zooming and moving a picture (d3-zoom): dragging, pinching, Ctrl and the wheel. The wheel alone
 * and a single finger scroll the page. Whenever the size of the picture changes, it is fitted into
 * the frame until the user has moved it.
 */
export function useZoom(width: number, height: number): Zoom {
  const frame = useRef<SVGSVGElement>(null);
  const content = useRef<SVGGElement>(null);
  const behavior = useRef<ZoomBehavior<SVGSVGElement, unknown>>(undefined);
  const moved = useRef(false);
  const size = useRef({ width, height });
  size.current = { width, height };

  const fit = useCallback(() => {
    const svg = frame.current;
    if (svg === null || behavior.current === undefined) return;
    const { clientWidth, clientHeight } = svg;
    const scale = Math.max(
      FITS[0],
      Math.min(FITS[1], clientWidth / size.current.width, clientHeight / size.current.height),
    );
    const left = (clientWidth - size.current.width * scale) / 2;
    const top = (clientHeight - size.current.height * scale) / 2;
    const fitted = zoomIdentity.translate(Math.max(0, left), Math.max(0, top)).scale(scale);
    select(svg).call(behavior.current.transform, fitted);
    moved.current = false;
  }, []);

  useEffect(() => {
    const svg = frame.current;
    if (svg === null) return;
    const made = zoom<SVGSVGElement, unknown>()
      .scaleExtent(SCALES)
      .filter((event: Event) => {
        if (event instanceof WheelEvent) return event.ctrlKey || event.metaKey;
        if (typeof TouchEvent !== "undefined" && event instanceof TouchEvent) {
          return event.touches.length > 1;
        }
        return event instanceof MouseEvent && event.button === 0;
      })
      .on("zoom", ({ transform, sourceEvent }) => {
        if (sourceEvent !== null) moved.current = true;
        content.current?.setAttribute("transform", String(transform));
      });
    behavior.current = made;
    select(svg).call(made).on("dblclick.zoom", null);
    const watch = new ResizeObserver(() => {
      if (!moved.current) fit();
    });
    watch.observe(svg);
    return () => {
      watch.disconnect();
      select(svg).on(".zoom", null);
    };
  }, [fit]);

  useEffect(() => {
    if (!moved.current) fit();
  }, [fit, width, height]);

  const by = useCallback((factor: number) => {
    if (frame.current === null || behavior.current === undefined) return;
    moved.current = true;
    select(frame.current).call(behavior.current.scaleBy, factor);
  }, []);

  const reveal = useCallback((x: number, y: number) => {
    const [svg, transform] = [frame.current, content.current?.transform.baseVal.consolidate()];
    if (svg === null || behavior.current === undefined || transform == null) return;
    const { a, e, f } = transform.matrix;
    const [left, top] = [x * a + e, y * a + f];
    const seen =
      left > MARGIN &&
      top > MARGIN &&
      left < svg.clientWidth - MARGIN &&
      top < svg.clientHeight - MARGIN;
    if (seen) return;
    moved.current = true;
    select(svg).call(behavior.current.translateTo, x, y);
  }, []);

  return { frame, content, by, fit, reveal };
}
