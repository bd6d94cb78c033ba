import { Alert, Button, Group, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { list, text } from "../../gateway/json";
import { useChanges } from "../../hooks/changes";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { Link } from "../../hooks/router";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { Check, Cross } from "../../parts/icons";
import { differingGroups } from "../../text/fingerprint";
import type { KeyLabel } from "../../text/keyLabel";
import { compared, type Outcome } from "./comparison";
import { EnrolForm } from "./EnrolForm";
import { enrolMessages } from "./messages";
import { ExpectMote } from "./ExpectMote";

/**
 * Compares a label with the keys that the gateway knows, and enrols its mote.
 *
 * @param seen whether this page read the label itself
 */
export function Enrolment({
  label,
  seen,
  onNext,
}: {
  label: KeyLabel;
  seen: boolean;
  onNext: () => void;
}) {
  const texts = useMessages(enrolMessages);
  const { api } = useGateway();
  const { thumbprint, ep, d } = label;
  const { data, problem, reload, refresh } = useLoaded(`label ${thumbprint} ${ep} ${d}`, () =>
    compared(api, label),
  );
  useChanges(({ kind, data: event }) => {
    const concerns =
      kind === "missed" ||
      kind === "key-list" ||
      (kind === "keys" &&
        (text(event["ep"]) === ep ||
          list(event["keys"]).some((key) => text(key["thumbprint"]) === thumbprint)));
    if (concerns) refresh();
  });
  const [done, setDone] = useState<string>();
  const carriedOut = (sentence: string) => {
    setDone(sentence);
    reload();
  };
  return (
    <div className="enrolment">
      <Done sentence={done} />
      <ErrorAlert problem={problem} onRetry={reload} />
      {data === undefined && problem === undefined && <Skeleton height={180} radius="md" />}
      {data !== undefined && (
        <>
          <Verdict label={label} outcome={data.outcome} />
          {data.outcome.verdict === "none" && (
            <ExpectMote
              label={label}
              seen={seen}
              expected={data.outcome.state === "expected"}
              onDone={carriedOut}
            />
          )}
          {data.outcome.verdict === "same" &&
            (data.outcome.state === "waiting" || data.outcome.state === "trusted") &&
            data.endpoint !== undefined && (
              <EnrolForm
                key={data.endpoint.id}
                waiting={data.outcome.state === "waiting" ? data.outcome.key : undefined}
                endpoint={data.endpoint}
                seen={seen}
                onDone={carriedOut}
                onApproved={reload}
              />
            )}
        </>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={onNext}>
          {texts.next}
        </Button>
        <Link href="/trust">{texts.toTrust}</Link>
      </Group>
    </div>
  );
}

const COLOURS = { same: "teal", different: "red", none: "cyan" } as const;

/** The same words each time: same, not the same, or nothing to compare; then the reason. */
function Verdict({ label, outcome }: { label: KeyLabel; outcome: Outcome }) {
  const texts = useMessages(enrolMessages);
  const other =
    outcome.verdict === "different" && outcome.reason === "otherKey" ? outcome.key : undefined;
  const ended = outcome.verdict === "same" && outcome.state === "ended";
  return (
    <Alert
      color={ended ? "red" : COLOURS[outcome.verdict]}
      icon={
        outcome.verdict === "same" && !ended ? (
          <Check size={20} />
        ) : outcome.verdict === "none" ? undefined : (
          <Cross size={20} />
        )
      }
      title={<span className="label-verdict">{texts.verdicts[outcome.verdict]}</span>}
      role="alert"
      data-verdict={outcome.verdict}
    >
      <Text size="sm">{useReason(label, outcome)}</Text>
      <dl className="two-keys">
        <dt>{texts.onLabel}</dt>
        <dd>
          {label.ep !== undefined && <bdi className="label-name">{label.ep}</bdi>}
          <ThumbprintGroups thumbprint={label.thumbprint} />
        </dd>
        {outcome.verdict !== "none" && (
          <>
            <dt>{texts.atGateway}</dt>
            <dd>
              <bdi className="label-name">{outcome.key.ep}</bdi>
              <ThumbprintGroups
                thumbprint={outcome.key.thumbprint}
                {...(other === undefined
                  ? {}
                  : { differing: differingGroups(other.thumbprint, label.thumbprint) })}
              />
            </dd>
          </>
        )}
      </dl>
    </Alert>
  );
}

function useReason(label: KeyLabel, outcome: Outcome): string {
  const texts = useMessages(enrolMessages);
  if (outcome.verdict === "none") return texts.nothing[outcome.state](label.ep);
  const { ep, state } = outcome.key;
  if (outcome.verdict === "same") {
    return outcome.state === "ended"
      ? texts.ended(state === "revoked")
      : texts.same[outcome.state](ep);
  }
  if (outcome.reason === "otherKey") return texts.otherKey(ep, state === "trusted");
  return label.ep === undefined || label.ep === ep
    ? texts.otherDomain(ep)
    : texts.otherName(ep, label.ep);
}
