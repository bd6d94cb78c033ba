import type { QRCanvasResult } from "qr/dom.js";

/** Why no QR code can be scanned. */
export type CameraFault = "insecure" | "denied" | "missing" | "failed";

/**
 * Shows the rear camera and reads QR codes until the returned function is called.
 *
 * @param onText called with the text of each code, also repeatedly
 */
export function scan(
  player: HTMLVideoElement,
  onText: (text: string) => void,
  onFault: (fault: CameraFault) => void,
): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;
  const run = async () => {
    // Undefined on insecure origins, although the type does not say so.
    if ((navigator.mediaDevices as MediaDevices | undefined) === undefined) {
      onFault("insecure");
      return;
    }
    try {
      const { QRCanvas, frameLoop, rearCamera } = await import("qr/dom.js");
      if (stopped) return;
      const camera = await rearCamera(player);
      // The whole picture, because people see all of it.
      const canvas = new QRCanvas({}, { async: true, cropToSquare: false });
      const read = (result: QRCanvasResult | undefined) => {
        if (typeof result === "string" && !stopped) onText(result);
      };
      const end = frameLoop(() => void camera.readFrame(canvas, true).then(read), player);
      stop = () => {
        end();
        camera.stop();
        canvas.clear();
        player.srcObject = null;
      };
      if (stopped) stop();
    } catch (reason) {
      if (!stopped) onFault(faultOf(reason));
    }
  };
  void run();
  return () => {
    stopped = true;
    stop?.();
  };
}

function faultOf(reason: unknown): CameraFault {
  const name = reason instanceof Error ? reason.name : "";
  if (name === "NotAllowedError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "failed";
}
