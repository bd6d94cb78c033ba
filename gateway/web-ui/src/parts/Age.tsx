import { useOverTime } from "../hooks/gateway";
import { ago, moment } from "../text/format";

/** How long ago something was, by the gateway's clock; the moment itself is its tooltip. */
export function Age({ at }: { at: number | undefined }) {
  const words = useOverTime((now) => (at === undefined ? undefined : ago(now - at)));
  if (at === undefined) return <>–</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)} className="numbers">
      {words}
    </time>
  );
}
