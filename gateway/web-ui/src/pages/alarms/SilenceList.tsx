import { Button, Skeleton } from "@mantine/core";
import { useSession } from "../../hooks/session";
import { DataTable } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { person } from "./AlarmTable";
import type { Silence } from "./api";
import { messages } from "./messages";
import { operates } from "./rights";

/** The silences in force, each with a button that ends it. */
export function SilenceList({
  silences,
  busy,
  onEnd,
}: {
  silences: readonly Silence[] | undefined;
  busy: boolean;
  onEnd: (silence: Silence) => void;
}) {
  const words = useMessages(messages);
  const session = useSession();
  if (silences === undefined) return <Skeleton height={80} radius="md" />;
  const what = ({ rule, ep, d }: Silence) =>
    rule !== undefined
      ? words.ofRule(rule)
      : ep !== undefined
        ? words.ofEndpoint(d === undefined || d === "" ? ep : `${ep} (${d})`)
        : words.ofDomain(d === undefined || d === "" ? "-" : d);
  return (
    <DataTable
      label={words.silences(0)}
      rows={silences}
      keyOf={(silence) => silence.id}
      empty={words.noSilences}
      columns={[
        { key: "what", title: words.silenceColumns.what, sort: what, cell: what },
        {
          key: "until",
          title: words.silenceColumns.until,
          sort: (silence) => silence.until,
          cell: (silence) => moment(Date.parse(silence.until)),
        },
        {
          key: "by",
          title: words.silenceColumns.by,
          sort: (silence) => silence.by,
          cell: (silence) => person(silence.by),
        },
        { key: "note", title: words.silenceColumns.note, cell: (silence) => silence.note },
        {
          key: "actions",
          title: words.silenceColumns.actions,
          cell: (silence) =>
            operates(session, silence.d) && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={busy}
                aria-label={`${words.endSilence}: ${what(silence)}`}
                onClick={() => onEnd(silence)}
              >
                {words.endSilence}
              </Button>
            ),
        },
      ]}
    />
  );
}
