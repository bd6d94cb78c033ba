import "./directory.css";
import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  Skeleton,
  Tabs,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { useSnapshot } from "../../hooks/gateway";
import { CodeBlock } from "../../parts/CodeBlock";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { useParams } from "../../hooks/router";
import { Commands } from "./Commands";
import { LinkTable } from "./LinkTable";
import { CRITERIA, FIRST, type Kind, type Lookup } from "./lookup";
import { directoryMessages } from "./messages";
import { useAnswer } from "./useAnswer";

const COUNTS = ["20", "50", "200"];

/** Browses and queries the directory as a client would, or begins with the entries of an endpoint. */
export default function DirectoryPage() {
  const texts = useMessages(directoryMessages);
  const { kind, id } = useParams<{ kind?: string; id?: string }>();
  return (
    <Page title={texts.title}>
      <Text size="sm" c="dimmed">
        {texts.what}
      </Text>
      {id === undefined ? (
        <Lookups first={FIRST} />
      ) : (
        <OfEndpoint id={id} kind={kind === "res" ? "res" : "ep"} />
      )}
    </Page>
  );
}

/**
 * The directory identifies endpoints by names, which the address of a page cannot contain
 * unencoded.
 */
function OfEndpoint({ id, kind }: { id: string; kind: Kind }) {
  const { endpoints, loaded } = useSnapshot();
  const named = endpoints.find(({ endpoint }) => endpoint.id === id)?.endpoint;
  if (named === undefined) return loaded ? <Lookups first={FIRST} /> : <Skeleton height={240} />;
  const criteria = { ...FIRST.criteria, ep: named.ep, d: named.d };
  return <Lookups key={`${kind} ${id}`} first={{ ...FIRST, kind, criteria }} />;
}

function Lookups({ first }: { first: Lookup }) {
  const [lookup, setLookup] = useState(first);
  const [followed, setFollowed] = useState(0);
  const follow = (next: Lookup) => {
    setLookup(next);
    setFollowed((before) => before + 1);
  };
  return (
    <>
      {/* The form restarts with the query of a link in the table, and keeps the focus otherwise. */}
      <Query key={followed} lookup={lookup} onLookup={setLookup} />
      <Answer lookup={lookup} onLookup={setLookup} onFollow={follow} />
      <Commands lookup={lookup} />
    </>
  );
}

function Query({ lookup, onLookup }: { lookup: Lookup; onLookup: (lookup: Lookup) => void }) {
  const texts = useMessages(directoryMessages);
  const [draft, setDraft] = useState(lookup);
  const ask = (next: Lookup) => {
    setDraft(next);
    onLookup({ ...next, page: 0 });
  };
  return (
    <form
      className="lookup"
      onSubmit={(event) => {
        event.preventDefault();
        ask(draft);
      }}
      data-lookup
    >
      <SegmentedControl
        aria-label={texts.kind}
        classNames={{ label: "lookup-kind" }}
        value={draft.kind}
        onChange={(kind) => ask({ ...draft, kind: kind as Kind })}
        data={(["ep", "res"] as const).map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
      />
      <div className="lookup-criteria">
        {CRITERIA.map((name) => (
          <TextInput
            key={name}
            label={texts.criteria[name]}
            value={draft.criteria[name]}
            onChange={(event) =>
              setDraft({
                ...draft,
                criteria: { ...draft.criteria, [name]: event.currentTarget.value },
              })
            }
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        ))}
        <NativeSelect
          label={texts.count}
          value={String(draft.count)}
          onChange={(event) => setDraft({ ...draft, count: Number(event.currentTarget.value) })}
          data={COUNTS}
        />
      </div>
      <Text size="sm" c="dimmed">
        {texts.prefix}
      </Text>
      <Group gap="xs">
        <Button type="submit" color="cyan.9">
          {texts.look}
        </Button>
        <Button variant="default" onClick={() => ask({ ...FIRST, kind: draft.kind })}>
          {texts.clear}
        </Button>
      </Group>
    </form>
  );
}

function Answer({
  lookup,
  onLookup,
  onFollow,
}: {
  lookup: Lookup;
  onLookup: (lookup: Lookup) => void;
  /** Called with the lookup of a link in the table. */
  onFollow: (lookup: Lookup) => void;
}) {
  const texts = useMessages(directoryMessages);
  const { answer, problem } = useAnswer(lookup);
  if (problem !== undefined) return <ErrorAlert problem={problem} />;
  if (answer === undefined) return null;
  const turn = (pages: number) => onLookup({ ...lookup, page: lookup.page + pages });
  const { links } = answer;
  return (
    <section aria-live="polite" data-answer={answer.path}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {texts.found(links.length)}
          {lookup.page > 0 && `, ${texts.page(lookup.page + 1)}`}
        </Title>
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={lookup.page === 0} onClick={() => turn(-1)}>
            {texts.previous}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={links.length < lookup.count}
            onClick={() => turn(1)}
          >
            {texts.next}
          </Button>
        </Group>
      </Group>
      {answer.fault !== undefined && (
        <Text c="red" size="sm">
          {texts.notLinks}: {answer.fault}
        </Text>
      )}
      <Tabs defaultValue="parsed" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="parsed">{texts.parsed}</Tabs.Tab>
          <Tabs.Tab value="raw">{texts.raw}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="parsed" pt="sm">
          <LinkTable
            kind={lookup.kind}
            links={links}
            onResources={(ep, d) =>
              onFollow({ ...FIRST, kind: "res", criteria: { ...FIRST.criteria, ep, d } })
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="sm">
          <CodeBlock text={answer.text} what={texts.raw} wrap />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
