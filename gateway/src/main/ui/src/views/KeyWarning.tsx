import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ShownEndpoint } from "../watch/board";
import { useGateway } from "./gateway";
import { Warning } from "./icons";
import { moment } from "./words";

/** A key other than the remembered one: where it was seen, and whether it has signed anything. */
export interface OtherKey {
  thumbprint: string;
  signs: boolean;
}

export function otherKeyOf({ endpoint, resources, pin }: ShownEndpoint): OtherKey | undefined {
  if (pin === undefined) return undefined;
  for (const { judgement } of resources) {
    if (judgement.state !== "refused" || judgement.failed !== "pin") continue;
    const kid = judgement.original?.header?.kid;
    if (kid !== undefined) return { thumbprint: kid, signs: true };
  }
  const listed = endpoint.keyThumbprint;
  return listed === "" || listed === pin.thumbprint
    ? undefined
    : { thumbprint: listed, signs: false };
}

/** The one moment when a pin is worth something: say it plainly, and let nobody click it away. */
export function KeyWarning({ shown, other }: { shown: ShownEndpoint; other: OtherKey }) {
  const { board } = useGateway();
  const [asked, setAsked] = useState(false);
  const { endpoint, pin } = shown;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Warning size={20} />}
      title={`${endpoint.ep}: the key has changed`}
      data-key-warning={endpoint.id}
    >
      <Text size="sm">
        {other.signs
          ? "Its readings are now signed by another key than the one this browser remembers. "
          : "The gateway now lists another key for it than the one this browser remembers. "}
        If you did not replace the mote or its key, someone may be standing in for it. Compare the
        new thumbprint with the mote’s label before you go on.
      </Text>
      <dl className="two-keys">
        <dt>Remembered{pin && ` since ${moment(Date.parse(pin.since))}`}</dt>
        <dd>
          <code>{pin?.thumbprint}</code>
        </dd>
        <dt>New</dt>
        <dd>
          <code>{other.thumbprint}</code>
        </dd>
      </dl>
      {other.signs && (
        <Group gap="xs" mt="sm">
          {!asked ? (
            <Button size="xs" variant="default" onClick={() => setAsked(true)}>
              Remember the new key…
            </Button>
          ) : (
            <>
              <Button
                size="xs"
                color="red"
                onClick={() => board.acceptKey(endpoint, other.thumbprint)}
              >
                I compared it with the mote: remember it
              </Button>
              <Button size="xs" variant="default" onClick={() => setAsked(false)}>
                Keep the old key
              </Button>
            </>
          )}
        </Group>
      )}
    </Alert>
  );
}
