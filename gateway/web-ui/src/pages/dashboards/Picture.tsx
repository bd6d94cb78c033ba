import { useEffect, useRef, useState, type CSSProperties, type ReactNode, type Ref } from "react";
import { useMessages } from "../../hooks/messages";
import { messages } from "./messages";
import { usePlanImages } from "./planImages";

/**
 * The image of a floor plan, as large as its box allows, with marks over it. It is drawn, because
 * an element with an address could not send the token of a wallboard.
 */
export function Picture({
  image,
  attempt,
  box,
  children,
}: {
  /** Its name. */
  image: string;
  /** Another value reads an image again that could not be read. */
  attempt: unknown;
  box?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  const texts = useMessages(messages);
  const images = usePlanImages();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let ended = false;
    images.get(image).then(
      (read) => {
        if (ended) return;
        setFailed(false);
        setBitmap(read);
      },
      () => ended || setFailed(true),
    );
    return () => {
      ended = true;
    };
  }, [images, image, attempt]);
  useEffect(() => {
    if (bitmap === undefined || canvas.current === null) return;
    canvas.current.width = bitmap.width;
    canvas.current.height = bitmap.height;
    canvas.current.getContext("2d")?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  if (bitmap === undefined) {
    return (
      <div className="tile-nothing">{failed ? texts.plan.unreadable : `${texts.loading}…`}</div>
    );
  }
  return (
    <div
      ref={box}
      className="plan-picture"
      style={{ "--ratio": bitmap.width / bitmap.height } as CSSProperties}
      data-picture={`${bitmap.width} ${bitmap.height}`}
    >
      <canvas ref={canvas} aria-hidden />
      {children}
    </div>
  );
}
