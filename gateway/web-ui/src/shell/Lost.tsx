import type { ReactNode } from "react";
import { useConnection, useFrozenAt, useGatewayNow } from "../hooks/gateway";
import { Warning } from "../parts/icons";
import { ago, timeOfDay } from "../text/format";
import { useMessages } from "../hooks/messages";
import { shellMessages } from "./shellMessages";

/** Shorter interruptions are shown only in the bar. */
const GRACE = 3_000;

/** Shows its content in grey below a banner while the gateway cannot be reached. */
export function Lost({ children }: { children: ReactNode }) {
  const texts = useMessages(shellMessages);
  const now = useGatewayNow();
  const connection = useConnection();
  const frozenAt = useFrozenAt();
  const since = connection === "reconnecting" ? frozenAt : undefined;
  const lost = since !== undefined && now - since > GRACE;
  return (
    <>
      {lost && (
        <div className="lost" role="alert" data-lost>
          <Warning size={22} />
          <div>
            <strong>{texts.lost(timeOfDay(since), ago(now - since))}</strong> {texts.lostRetry}
          </div>
        </div>
      )}
      <div className="frame" data-grey={lost || undefined}>
        {children}
      </div>
    </>
  );
}
