import "./enrol.css";
import { Alert, Text } from "@mantine/core";
import { useState } from "react";
import { useMessages } from "../../hooks/messages";
import { Link, useParameters } from "../../hooks/router";
import { Page } from "../../parts/Page";
import { Warning } from "../../parts/icons";
import { labelIn, parametersOfLabel, type KeyLabel } from "../../text/keyLabel";
import { Enrolment } from "./Enrolment";
import { enrolMessages } from "./messages";
import { LabelReader } from "./LabelReader";

/**
 * Enrols a mote by its label. The label is in the address, because the camera of a phone opens the
 * page with it.
 */
export default function EnrolPage() {
  const texts = useMessages(enrolMessages);
  const [parameters, change] = useParameters();
  const label = labelIn(parameters);
  // An address may come from anyone; a label that this page read does not.
  const [seen, setSeen] = useState<{ label: string; scanned: boolean }>();
  const open = (found: KeyLabel, scanned: boolean) => {
    setSeen({ label: textOf(found), scanned });
    change(parametersOfLabel(found));
  };
  return (
    <Page title={texts.title} beside={<Link href="/labels">{texts.printLabels}</Link>}>
      {label === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {texts.what}
          </Text>
          {parameters.has("key") && (
            <Alert color="red" icon={<Warning size={20} />} role="alert" data-wrong-address>
              {texts.wrongAddress}
            </Alert>
          )}
          <LabelReader scanning={seen?.scanned === true} onRead={open} />
        </>
      ) : (
        <Enrolment
          key={textOf(label)}
          label={label}
          seen={seen?.label === textOf(label)}
          onNext={() => change({ key: undefined, ep: undefined, d: undefined })}
        />
      )}
    </Page>
  );
}

/** Equal for equal labels only. */
function textOf(label: KeyLabel): string {
  return JSON.stringify(parametersOfLabel(label));
}
