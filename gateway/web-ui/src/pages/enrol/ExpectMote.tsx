import { Button, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import { placesOperated } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useDomainNames } from "../../hooks/domains";
import { useMessages } from "../../hooks/messages";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import type { KeyLabel } from "../../text/keyLabel";
import { approve, domainName } from "../../gateway/keys";
import { Compared } from "./EnrolForm";
import { enrolMessages } from "./messages";

/** Waits for a mote that has not registered, and approves its key ahead on request. */
export function ExpectMote({
  label,
  seen,
  expected,
  onDone,
}: {
  label: KeyLabel;
  seen: boolean;
  /** Whether the key is approved ahead already, or is on a list. */
  expected: boolean;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(enrolMessages);
  const { api } = useGateway();
  const session = useSession();
  const domains = useDomainNames();
  const choices = placesOperated(session, domains).map((value) => ({
    value,
    label: value === "" ? texts.allDomains : texts.inDomain(value === "-" ? texts.nameless : value),
  }));
  const ofLabel = label.d === undefined ? undefined : domainName(label.d);
  const [chosen, setChosen] = useState<string>();
  const place =
    chosen ?? choices.find(({ value }) => value === ofLabel)?.value ?? choices[0]?.value;
  const [sure, setSure] = useState(false);
  const { busy, problem, run } = useAction(async () => {
    await approve(api, label.thumbprint, place ? { d: place } : {});
    onDone(texts.aheadDone);
  });
  return (
    <div className="label-form" data-waits>
      <Text role="status" className="waits">
        {texts.waits}
      </Text>
      {!expected && choices.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {texts.aheadWhat}
          </Text>
          <NativeSelect
            label={texts.where}
            value={place}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={choices}
          />
          {!seen && <Compared sure={sure} onSure={setSure} />}
          <ErrorAlert problem={problem} />
          <div>
            <Button
              variant="default"
              loading={busy}
              disabled={!seen && !sure}
              onClick={() => void run()}
            >
              {texts.aheadButton}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
