import "./enrol.css";
import { Button, Text, TextInput } from "@mantine/core";
import { Fragment, memo, useDeferredValue, useState } from "react";
import { useSnapshot } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { Link } from "../../hooks/router";
import { Page } from "../../parts/Page";
import { grouped } from "../../text/fingerprint";
import { textOfLabel } from "../../text/keyLabel";
import { enrolMessages } from "./messages";
import { labelsOf, MAX_LABELS, sheetsOf, type PrintedLabel } from "./labels";
import { QrCode } from "../../parts/QrCode";

/** Sheets of labels for the endpoints whose keys are trusted. */
export default function LabelsPage() {
  const texts = useMessages(enrolMessages);
  const { endpoints } = useDeferredValue(useSnapshot());
  const [typed, setTyped] = useState("");
  const all = labelsOf(endpoints, useDeferredValue(typed));
  const labels = all.slice(0, MAX_LABELS);
  return (
    <Page title={texts.labelsTitle} beside={<Link href="/enrol">{texts.toEnrol}</Link>}>
      <div className="label-form not-printed">
        <Text size="sm" c="dimmed">
          {texts.labelsWhat} {texts.sheet}
        </Text>
        <TextInput
          type="search"
          label={texts.filter}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {labels.length < all.length && (
          <Text role="status">{texts.tooMany(labels.length, all.length)}</Text>
        )}
        {labels.length === 0 ? (
          <Text role="status">{texts.noLabels}</Text>
        ) : (
          <div>
            <Button color="cyan.9" onClick={() => window.print()}>
              {texts.print(labels.length)}
            </Button>
          </div>
        )}
      </div>
      {sheetsOf(labels).map((sheet, at) => (
        <div className="label-sheet" key={at}>
          {sheet.map((label) => (
            <Label key={label.id} {...label} />
          ))}
        </div>
      ))}
    </Page>
  );
}

/** Rendered again only when it changes, because a QR code takes milliseconds. */
const Label = memo(function Label({ ep, d, thumbprint }: PrintedLabel) {
  const texts = useMessages(enrolMessages);
  const text = textOfLabel(document.baseURI, { ep, d, thumbprint });
  return (
    <div className="key-label" data-label={thumbprint}>
      <QrCode text={text} label={texts.codeOf(ep)} />
      <div>
        <bdi>{ep}</bdi>
        {d !== "" && <bdi className="label-domain">{d}</bdi>}
        <code>
          {grouped(thumbprint).map((group, at) => (
            // A group may contain hyphens, at which a line must not end.
            <Fragment key={at}>
              {at > 0 && " "}
              <span>{group}</span>
            </Fragment>
          ))}
        </code>
      </div>
    </div>
  );
});
