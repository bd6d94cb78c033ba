import "../../parts/forms.css";
import { Alert, Button, Tabs } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { endSilence, listSilences, type Silence } from "./api";
import { AlarmList } from "./AlarmList";
import { messages } from "./messages";
import { RuleList } from "./RuleList";
import { SilenceList } from "./SilenceList";

/** Alarms, the silences in force, and the rules that raise alarms. */
export default function AlarmsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const silences = useLoaded("silences", () => listSilences(api));
  const [made, setMade] = useState<Silence>();
  // Alarms contain whether they are silenced, so they are read again after each change of a
  // silence.
  const [silenceChanges, setSilenceChanges] = useState(0);
  const changed = () => {
    silences.reload();
    setSilenceChanges((changes) => changes + 1);
  };
  const end = useAction(async (id: string) => {
    await endSilence(api, id);
    setMade(undefined);
    changed();
  });
  return (
    <Page title={words.title}>
      {made !== undefined && (
        <Alert
          color="cyan"
          role="status"
          withCloseButton
          closeButtonLabel={words.close}
          onClose={() => setMade(undefined)}
        >
          <span className="notice">
            {words.silencedUntil(moment(Date.parse(made.until)))}
            <Button
              size="compact-sm"
              variant="default"
              loading={end.busy}
              onClick={() => void end.run(made.id)}
            >
              {words.undo}
            </Button>
          </span>
        </Alert>
      )}
      <ErrorAlert problem={end.problem} />
      <Tabs className="stacked" defaultValue="alarms" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="alarms">{words.alarms}</Tabs.Tab>
          <Tabs.Tab value="silences">{words.silences(silences.data?.length ?? 0)}</Tabs.Tab>
          <Tabs.Tab value="rules">{words.rules}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="alarms" pt="md">
          <AlarmList
            silenceChanges={silenceChanges}
            onSilenced={(silence) => {
              setMade(silence);
              changed();
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="silences" pt="md">
          <ErrorAlert problem={silences.problem} />
          <SilenceList
            silences={silences.data}
            busy={end.busy}
            onEnd={(silence) => void end.run(silence.id)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="rules" pt="md">
          <RuleList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
