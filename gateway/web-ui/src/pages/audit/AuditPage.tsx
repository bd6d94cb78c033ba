import "../../parts/forms.css";
import { Button, NativeSelect, Skeleton, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useDomainNames } from "../../hooks/domains";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { domainOf, trailPath, type Trail, type TrailFilter } from "./api";
import { messages } from "./messages";
import { TrailTable } from "./TrailTable";

/** The audit trail, newest first. */
export default function AuditPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [chosen, setChosen] = useState<TrailFilter>({ text: "", ep: "", d: "-" });
  const [debounced] = useDebouncedValue(chosen, 300);
  const domains = useDomainNames();
  const filter = { ...debounced, d: domainOf(debounced, domains) };
  const asked = trailPath(filter);
  // The start of each older page; only one page is shown at a time.
  const [older, setOlder] = useState<{ asked: string; from: readonly number[] }>();
  const from = older?.asked === asked ? older.from : [];
  const path = trailPath(filter, from.at(-1));
  const trail = useLoaded(path, () => api.json(path) as Promise<Trail>);
  const turn = (positions: readonly number[]) => {
    setOlder({ asked, from: positions });
    window.scrollTo(0, 0);
  };
  const { data } = trail;
  const none = data?.decisions.length === 0;
  return (
    <Page
      title={words.title}
      beside={
        <Button size="compact-sm" variant="default" onClick={trail.reload}>
          {words.reload}
        </Button>
      }
    >
      <Text c="dimmed">{words.explain}</Text>
      <Filters filter={chosen} domains={domains} onChange={setChosen} />
      <ErrorAlert problem={trail.problem} onRetry={trail.reload} />
      {data === undefined && trail.problem === undefined && <Skeleton height={300} radius="md" />}
      {data !== undefined && !none && <TrailTable decisions={data.decisions} />}
      {none && <Text c="dimmed">{data.next === undefined ? words.none : words.noneYet}</Text>}
      <div className="filters" data-audit-page={from.length + 1}>
        {from.length > 0 && (
          <>
            <Button variant="default" onClick={() => turn([])}>
              {words.newest}
            </Button>
            <Button variant="default" onClick={() => turn(from.slice(0, -1))}>
              {words.newer}
            </Button>
          </>
        )}
        {data?.next !== undefined && (
          <Button variant="default" onClick={() => turn([...from, data.next ?? 0])}>
            {filter.text.trim() === "" ? words.more : words.searchOn}
          </Button>
        )}
      </div>
    </Page>
  );
}

function Filters({
  filter,
  domains,
  onChange,
}: {
  filter: TrailFilter;
  domains: readonly string[];
  onChange: (filter: TrailFilter) => void;
}) {
  const words = useMessages(messages);
  return (
    <div className="filters">
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      />
      <TextInput
        type="search"
        aria-label={words.endpoint}
        placeholder={words.endpoint}
        autoCapitalize="none"
        value={filter.ep}
        onChange={(event) => onChange({ ...filter, ep: event.currentTarget.value })}
      />
      {filter.ep.trim() !== "" && domains.length > 1 && (
        <NativeSelect
          aria-label={words.domain}
          value={domainOf(filter, domains)}
          onChange={(event) => onChange({ ...filter, d: event.currentTarget.value })}
          data={domains.map((value) => ({
            value,
            label: value === "-" ? words.namelessDomain : value,
          }))}
        />
      )}
    </div>
  );
}
