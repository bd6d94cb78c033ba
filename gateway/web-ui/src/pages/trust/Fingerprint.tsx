import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../../parts/CopyButton";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { useMessages } from "../../hooks/messages";
import { trustMessages } from "./messages";
import { QrCode } from "../../parts/QrCode";

/** A fingerprint in groups for reading aloud, with its QR code on request. */
export function Fingerprint({
  thumbprint,
  differing,
}: {
  thumbprint: string;
  /** Groups in which it differs from an adjacent fingerprint. */
  differing?: ReadonlySet<number>;
}) {
  const texts = useMessages(trustMessages);
  const [coded, setCoded] = useState(false);
  return (
    <div className="fingerprint" data-fingerprint={thumbprint}>
      <ThumbprintGroups
        thumbprint={thumbprint}
        {...(differing === undefined ? {} : { differing })}
      />
      <Group gap={4}>
        <CopyButton text={thumbprint} what={texts.fingerprint} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={coded}
          onClick={() => setCoded(!coded)}
        >
          {coded ? texts.hideQr : texts.showQr}
        </Button>
      </Group>
      {coded && <QrCode text={thumbprint} label={texts.qrOf} />}
    </div>
  );
}
