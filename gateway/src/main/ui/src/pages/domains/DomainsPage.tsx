import "../../parts/forms.css";
import { Skeleton, Text } from "@mantine/core";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../shell/messages";
import { listDomains } from "./api";
import { DomainPanel } from "./DomainPanel";
import { messages } from "./messages";

/** The administrative domains: their policies and limits, and how much of those is used. */
export default function DomainsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data: domains, problem, reload } = useLoaded("domains", () => listDomains(api));
  return (
    <Page title={words.title}>
      <Text c="dimmed">{words.explain}</Text>
      <ErrorAlert problem={problem} onRetry={reload} />
      {domains === undefined && problem === undefined && <Skeleton height={200} radius="md" />}
      {domains?.length === 0 && <Text>{words.none}</Text>}
      {domains?.map((domain) => (
        <DomainPanel key={domain.name} domain={domain} opened={domains.length === 1} />
      ))}
    </Page>
  );
}
