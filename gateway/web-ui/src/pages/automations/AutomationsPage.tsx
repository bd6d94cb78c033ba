import "../../parts/forms.css";
import "./automations.css";
import { Button, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast, useLoaded, useRepeatedly } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import {
  listAutomations,
  putAutomation,
  readAutomation,
  removeAutomation,
  type Automation,
} from "./api";
import { AutomationDialog } from "./AutomationForm";
import { AutomationTable } from "./AutomationTable";
import { draftOf, newDraft, type Edited } from "./drafts";
import { messages } from "./messages";
import { RunsDialog } from "./RunsDialog";

/** Milliseconds after which states and last runs are read again. */
const INTERVAL = 5000;

/** The automations of the domains that the account may read. */
export default function AutomationsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded("automations", () => listAutomations(api));
  useRepeatedly(reload, INTERVAL);
  const [edited, setEdited] = useState<Edited>();
  const [removed, setRemoved] = useState<Automation>();
  const [shown, setShown] = useState<Automation>();
  const domains = data?.domains ?? [];
  const edit = useAction(async ({ id }: Automation) => {
    const { automation, tag } = await readAutomation(api, id);
    setEdited({ draft: draftOf(automation), tag });
  });
  // Saving an automation unchanged ends its suspension.
  const save = useAction(async ({ id }: Automation, enabled: boolean) => {
    const { automation, tag } = await readAutomation(api, id);
    await putAutomation(api, id, { ...automation, enabled }, tag);
    reload();
  });
  const asked = useLast(removed);
  const operates = ({ d }: Automation) => domains.some((one) => one.d === d);
  const first = domains[0];
  return (
    <Page
      title={words.title}
      beside={
        first !== undefined && (
          <Button
            className="main-button"
            color="cyan.9"
            onClick={() => setEdited({ draft: newDraft(first.d) })}
          >
            {words.add}
          </Button>
        )
      }
    >
      <ErrorAlert problem={problem ?? edit.problem ?? save.problem} onRetry={reload} />
      {data === undefined ? (
        problem === undefined && <Skeleton height={160} radius="md" />
      ) : data.automations.length === 0 ? (
        <Text c="dimmed">{first === undefined ? words.none : words.noneOperator}</Text>
      ) : (
        <AutomationTable
          automations={data.automations}
          busy={edit.busy || save.busy}
          mayOperate={operates}
          onSave={(automation, enabled) => void save.run(automation, enabled)}
          onEdit={(automation) => void edit.run(automation)}
          onRuns={setShown}
          onRemove={setRemoved}
        />
      )}
      <AutomationDialog
        edited={edited}
        domains={domains}
        taken={(data?.automations ?? []).map(({ id }) => id)}
        onClose={() => setEdited(undefined)}
        onSaved={reload}
      />
      <RunsDialog automation={shown} onClose={() => setShown(undefined)} />
      <ConfirmDialog
        opened={removed !== undefined}
        title={words.removeTitle(asked?.name ?? "")}
        confirm={words.remove}
        onConfirm={async () => {
          await removeAutomation(api, asked?.id ?? "");
          reload();
        }}
        onClose={() => setRemoved(undefined)}
      >
        {words.removeLoses}
      </ConfirmDialog>
    </Page>
  );
}
