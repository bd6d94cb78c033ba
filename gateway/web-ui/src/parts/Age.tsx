import { useOverTime } from "../hooks/gateway";
import { ago, moment } from "../text/format";

/** The time since an event, by the gateway's clock; the tooltip shows the moment. */
export function Age({ at }: { at: number | undefined }) {
  const words = useOverTime((now) => (at === undefined ? undefined : ago(now - at)));
  if (at === undefined) return <>–</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)} className="numbers">
      {words}
    </time>
  );
}
