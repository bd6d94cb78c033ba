import "../../parts/forms.css";
import { Button, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { listDomains } from "./api";
import { DomainDialog, useMayEdit } from "./DomainActions";
import { DomainPanel } from "./DomainPanel";
import { messages } from "./messages";

/** The administrative domains: their policies and limits, and how much of the limits is used. */
export default function DomainsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const mayEdit = useMayEdit();
  const [adding, setAdding] = useState(false);
  const { data: domains, problem, reload } = useLoaded("domains", () => listDomains(api));
  return (
    <Page title={words.title}>
      <Text c="dimmed">{words.explain}</Text>
      {mayEdit && (
        <div>
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {words.addDomain}
          </Button>
        </div>
      )}
      <ErrorAlert problem={problem} onRetry={reload} />
      {domains === undefined && problem === undefined && <Skeleton height={200} radius="md" />}
      {domains?.length === 0 && <Text>{words.none}</Text>}
      {domains?.map((domain) => (
        <DomainPanel
          key={domain.name}
          domain={domain}
          opened={domains.length === 1}
          onChanged={reload}
        />
      ))}
      <DomainDialog
        title={words.addDomain}
        edited={undefined}
        opened={adding}
        onClose={() => setAdding(false)}
        onSaved={reload}
      />
    </Page>
  );
}
