import {
  Alert,
  Button,
  FileButton,
  Group,
  NativeSelect,
  Text,
  Textarea,
  Title,
} from "@mantine/core";
import { useRef, useState } from "react";
import { ApiProblem } from "../../gateway/api";
import { useGateway } from "../../hooks/gateway";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { importKeys, type DomainTrust } from "./api";
import { keysIn, wrongLines } from "./importFormat";
import { trustMessages } from "./messages";

/** The largest import that the gateway accepts; the form checks it before the upload. */
const MAX_OCTETS = 4 << 20;

/** Imports keys into a domain that trusts by list, all of them or none. */
export function ImportKeys({
  domains,
  onDone,
}: {
  domains: readonly DomainTrust[];
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const { api } = useGateway();
  const listed = domains.filter(({ trust }) => trust === "listed");
  const [chosen, setChosen] = useState<string>();
  const [body, setBody] = useState("");
  const [busy, setBusy] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const forget = useRef<() => void>(null);
  const into = chosen ?? listed[0]?.d;
  const change = (text: string) => {
    setBody(text);
    setProblem(undefined);
    setTooLarge(new Blob([text]).size > MAX_OCTETS);
  };
  const run = async () => {
    if (into === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const count = await importKeys(api, into, body);
      setBody("");
      onDone(texts.imported(count, into === "" ? texts.nameless : into));
    } catch (reason) {
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  const count = body.trim() === "" ? undefined : keysIn(body);
  return (
    <form
      className="trust-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Title order={2} size="h4">
        {texts.importTitle}
      </Title>
      <Text size="sm" c="dimmed">
        {texts.importWhat}
      </Text>
      {into === undefined ? (
        <Alert color="yellow" data-no-listed-domain>
          {texts.importNoDomain}
        </Alert>
      ) : (
        <>
          <NativeSelect
            label={texts.intoDomain}
            value={into}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={listed.map(({ d }) => ({ value: d, label: d === "" ? texts.nameless : d }))}
          />
          <Textarea
            label={texts.content}
            value={body}
            onChange={(event) => change(event.currentTarget.value)}
            rows={8}
            spellCheck={false}
            classNames={{ input: "key-table" }}
            error={tooLarge ? texts.tooLarge : undefined}
          />
          {count !== undefined && (
            <Text size="sm" c="dimmed">
              {texts.importing(count)}
            </Text>
          )}
          <Problem problem={problem} body={body} />
          <Group gap="xs">
            <Button
              type="submit"
              color="cyan.9"
              loading={busy}
              disabled={body.trim() === "" || tooLarge}
            >
              {texts.importButton}
            </Button>
            <FileButton
              resetRef={forget}
              accept=".csv,.json,.jwks,text/csv,application/json,application/jwk-set+json"
              onChange={(file) => {
                void file?.text().then(change);
                // The same file can be chosen again.
                forget.current?.();
              }}
            >
              {(props) => (
                <Button {...props} variant="default">
                  {texts.file}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
    </form>
  );
}

/** The gateway's text about an import, with the lines that it names. */
function Problem({ problem, body }: { problem: unknown; body: string }) {
  const texts = useMessages(trustMessages);
  const lines = problem instanceof ApiProblem ? wrongLines(body, problem.detail) : [];
  return (
    <>
      <ErrorAlert problem={problem} title={texts.importFailed} />
      {lines.map(({ number, text }) => (
        <div className="wrong-line" data-wrong-line={number} key={number}>
          <strong>{texts.line(number)}:</strong> <bdi>{text}</bdi>
        </div>
      ))}
    </>
  );
}
