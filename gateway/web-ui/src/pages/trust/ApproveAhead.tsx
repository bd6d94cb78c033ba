import { Alert, Button, NativeSelect, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { approve, domainName, keysWith, type Key } from "../../gateway/keys";
import { placesOperated } from "../../gateway/roles";
import type { DomainTrust } from "./api";
import type { Action } from "./decisions";
import { Fingerprint } from "./Fingerprint";
import { THUMBPRINT_LETTERS, typedThumbprint } from "../../text/fingerprint";
import { trustMessages } from "./messages";

/** The gateway's data about a typed fingerprint. */
type Found = { thumbprint: string; keys: Key[] };

/** Approves a key by the fingerprint on a mote's label, whether it already waits or not. */
export function ApproveAhead({
  domains,
  onAction,
  onDone,
}: {
  domains: readonly DomainTrust[];
  onAction: (action: Action, key: Key) => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const { api } = useGateway();
  const [typed, setTyped] = useState("");
  const places = placesOperated(
    useSession(),
    domains.map(({ d }) => domainName(d)),
  );
  const [chosen, setChosen] = useState<string>();
  const place = chosen ?? places[0];
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<unknown>();
  const [asking, setAsking] = useState(false);
  const read = typedThumbprint(typed);
  const thumbprint = read.state === "thumbprint" ? read.thumbprint : undefined;

  const look = async () => {
    if (thumbprint === undefined) return;
    setProblem(undefined);
    try {
      setFound({ thumbprint, keys: await keysWith(api, thumbprint) });
    } catch (reason) {
      setProblem(reason);
    }
  };
  return (
    <form
      className="trust-form"
      onSubmit={(event) => {
        event.preventDefault();
        void look();
      }}
    >
      <Title order={2} size="h4">
        {texts.aheadTitle}
      </Title>
      <Text size="sm" c="dimmed">
        {texts.aheadWhat}
      </Text>
      <TextInput
        label={texts.typed}
        description={texts.typedHint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={
          read.state === "wrong" ? texts.typedWrong(read.letters, THUMBPRINT_LETTERS) : undefined
        }
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {thumbprint !== undefined && found?.thumbprint !== thumbprint && (
        <div>
          <Button type="submit" variant="default">
            {texts.look}
          </Button>
        </div>
      )}
      <ErrorAlert problem={problem} />
      {found !== undefined && found.thumbprint === thumbprint && (
        <Known
          found={found}
          places={places}
          place={place}
          onPlace={setChosen}
          onAction={onAction}
          onAhead={() => setAsking(true)}
        />
      )}
      <ConfirmDialog
        opened={asking}
        title={texts.aheadTitle}
        confirm={texts.aheadConfirm}
        harmless
        onConfirm={async () => {
          if (thumbprint === undefined) return;
          await approve(api, thumbprint, place ? { d: place } : {});
          setTyped("");
          onDone(texts.aheadDone);
        }}
        onClose={() => setAsking(false)}
      >
        {thumbprint !== undefined && <Fingerprint thumbprint={thumbprint} />}
        <Text size="sm" mt="sm">
          {texts.aheadAsk}
        </Text>
      </ConfirmDialog>
    </form>
  );
}

function Known({
  found: { keys },
  places,
  place,
  onPlace,
  onAction,
  onAhead,
}: {
  found: Found;
  /** Where the account may approve ahead. */
  places: readonly string[];
  place: string | undefined;
  onPlace: (place: string) => void;
  onAction: (action: Action, key: Key) => void;
  onAhead: () => void;
}) {
  const texts = useMessages(trustMessages);
  const of = (...states: Key["state"][]) => keys.find(({ state }) => states.includes(state));
  const waiting = of("pending", "held");
  const trusted = of("trusted");
  if (of("revoked") !== undefined) {
    return <Alert color="red" title={texts.isRevoked} data-found="revoked" />;
  }
  if (waiting !== undefined) {
    return (
      <Alert color="cyan" title={texts.matches(waiting.ep)} data-found="waiting">
        <Button size="xs" color="cyan.9" onClick={() => onAction("approve", waiting)}>
          {texts.approve}
        </Button>
      </Alert>
    );
  }
  if (trusted !== undefined) {
    return <Alert color="teal" title={texts.alreadyTrusted(trusted.ep)} data-found="trusted" />;
  }
  return (
    <>
      <Text size="sm" data-found="none">
        {texts.noMatch}
      </Text>
      {place !== undefined && (
        <>
          <NativeSelect
            label={texts.where}
            value={place}
            onChange={(event) => onPlace(event.currentTarget.value)}
            data={places.map((value) => ({
              value,
              label:
                value === ""
                  ? texts.allDomains
                  : texts.inDomain(value === "-" ? texts.nameless : value),
            }))}
          />
          <div>
            <Button color="cyan.9" onClick={onAhead}>
              {texts.aheadButton}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
