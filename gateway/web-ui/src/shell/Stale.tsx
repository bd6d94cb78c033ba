import { Alert } from "@mantine/core";
import { useGateway, useGatewayNow, useStaleSince } from "../hooks/gateway";
import { useRepeatedly } from "../hooks/loaded";
import { useMessages } from "../hooks/messages";
import { Warning } from "../parts/icons";
import { ago, timeOfDay } from "../text/format";
import { shellMessages } from "./shellMessages";

/** Pages that only follow events would not see that the contact is lost. */
const INTERVAL = 10_000;

/** Says that values may be old, while the gateway has no contact with its cluster. */
export function Stale() {
  const { api } = useGateway();
  const since = useStaleSince();
  useRepeatedly(() => void api.json("actuator/health/serving").catch(() => undefined), INTERVAL);
  return since === undefined ? null : <StaleSince since={since} />;
}

function StaleSince({ since }: { since: number }) {
  const texts = useMessages(shellMessages);
  const now = useGatewayNow();
  return (
    <Alert color="yellow" icon={<Warning size={20} />} title={texts.staleTitle} data-stale>
      {texts.stale(timeOfDay(since), ago(Math.max(0, now - since)))}
    </Alert>
  );
}
