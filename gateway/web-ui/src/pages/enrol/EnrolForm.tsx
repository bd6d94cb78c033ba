import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { putLabel } from "../../gateway/labels";
import type { Endpoint } from "../../gateway/model";
import { hasRoleIn } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { Link } from "../../hooks/router";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { approve, type Key } from "../../gateway/keys";
import { enrolMessages } from "./messages";

/**
 * Approves the key on a label, and gives its mote a name and a place.
 *
 * @param waiting the key, unless it is trusted already
 */
export function EnrolForm({
  waiting,
  endpoint,
  seen,
  onApproved,
  onDone,
}: {
  waiting: Key | undefined;
  endpoint: Endpoint;
  seen: boolean;
  onApproved: () => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(enrolMessages);
  const { api } = useGateway();
  const session = useSession();
  const [name, setName] = useState(endpoint.name);
  const [location, setLocation] = useState(endpoint.location);
  const [sure, setSure] = useState(false);
  const { busy, problem, run } = useAction(async () => {
    if (waiting !== undefined) {
      await approve(api, waiting.thumbprint, { endpoint: waiting.endpoint });
      // Even if the name is refused, the page shows that the key is trusted.
      onApproved();
    }
    await putLabel(api, endpoint, { name, location });
    onDone(waiting === undefined ? texts.saved(endpoint.ep) : texts.enrolled(endpoint.ep));
  });
  if (!hasRoleIn(session, "operator", endpoint.d)) return <p>{texts.otherOperator}</p>;
  return (
    <form
      className="label-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={texts.place}
        description={texts.placeHint}
        maxLength={200}
        value={location}
        onChange={(event) => setLocation(event.currentTarget.value)}
      />
      {waiting !== undefined && !seen && <Compared sure={sure} onSure={setSure} />}
      <ErrorAlert problem={problem} />
      <div>
        <Button
          type="submit"
          color="cyan.9"
          loading={busy}
          disabled={waiting !== undefined && !seen && !sure}
        >
          {waiting === undefined ? texts.save : texts.approve}
        </Button>
      </div>
      <Link href={`/endpoints/${encodeURIComponent(endpoint.id)}`}>{texts.toEndpoint}</Link>
    </form>
  );
}

/** The statement that an address, which anyone may have sent, is that of a label. */
export function Compared({ sure, onSure }: { sure: boolean; onSure: (sure: boolean) => void }) {
  const texts = useMessages(enrolMessages);
  return (
    <Checkbox
      label={texts.compared}
      checked={sure}
      onChange={(event) => onSure(event.currentTarget.checked)}
    />
  );
}
