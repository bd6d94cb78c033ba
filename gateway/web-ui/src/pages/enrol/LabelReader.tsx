import { Alert, Button, TextInput, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../../hooks/messages";
import { THUMBPRINT_LETTERS, typedThumbprint } from "../../text/fingerprint";
import { readKeyLabel, type KeyLabel } from "../../text/keyLabel";
import { scan, type CameraFault } from "./camera";
import { enrolMessages } from "./messages";

/**
 * Reads a label with the camera, or as a typed text.
 *
 * @param scanning whether the camera starts at once, because it read the label before
 */
export function LabelReader({
  scanning,
  onRead,
}: {
  scanning: boolean;
  onRead: (label: KeyLabel, scanned: boolean) => void;
}) {
  return (
    <div className="label-reader">
      <Camera scanning={scanning} onRead={(label) => onRead(label, true)} />
      <TypedLabel onRead={(label) => onRead(label, false)} />
    </div>
  );
}

function Camera({ scanning, onRead }: { scanning: boolean; onRead: (label: KeyLabel) => void }) {
  const texts = useMessages(enrolMessages);
  const [on, setOn] = useState(scanning);
  const [fault, setFault] = useState<CameraFault>();
  const [other, setOther] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    if (!on || video.current === null) return;
    return scan(
      video.current,
      (text) => {
        const label = readKeyLabel(text);
        setOther(label === undefined);
        if (label !== undefined) read.current(label);
      },
      (why) => {
        setFault(why);
        setOn(false);
      },
    );
  }, [on]);
  return (
    <div className="label-form">
      {on && <video ref={video} className="camera" aria-label={texts.picture} muted playsInline />}
      <div role="status">
        {on && (other ? texts.otherCode : texts.scanning)}
        {fault !== undefined && (
          <Alert color="yellow" data-camera-fault={fault}>
            {texts.faults[fault]}
          </Alert>
        )}
      </div>
      <div>
        <Button
          {...(on ? { variant: "default" } : { color: "cyan.9" })}
          onClick={() => {
            setFault(undefined);
            setOther(false);
            setOn(!on);
          }}
        >
          {on ? texts.stop : texts.scan}
        </Button>
      </div>
    </div>
  );
}

function TypedLabel({ onRead }: { onRead: (label: KeyLabel) => void }) {
  const texts = useMessages(enrolMessages);
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const read = typedThumbprint(typed);
  return (
    <form
      className="label-form"
      onSubmit={(event) => {
        event.preventDefault();
        const label = readKeyLabel(typed);
        setWrong(label === undefined);
        if (label !== undefined) onRead(label);
      }}
    >
      <Title order={2} size="h4">
        {texts.typeTitle}
      </Title>
      <TextInput
        label={texts.typed}
        description={texts.typeHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(false);
        }}
        error={
          wrong
            ? texts.typedWrong(read.state === "wrong" ? read.letters : 0, THUMBPRINT_LETTERS)
            : undefined
        }
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div>
        <Button type="submit" variant="default">
          {texts.compare}
        </Button>
      </div>
    </form>
  );
}
