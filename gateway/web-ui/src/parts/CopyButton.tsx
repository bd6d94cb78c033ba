import { ActionIcon, CopyButton as Copying, Tooltip } from "@mantine/core";
import { useMessages } from "../hooks/messages";
import { Check, Copy } from "./icons";
import { partsMessages } from "./messages";

/** @param what names the text, such as "thumbprint" */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const texts = useMessages(partsMessages);
  return (
    <Copying value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copied : texts.copy(what)} position="left">
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={texts.copy(what)}>
            {copied ? <Check size={15} /> : <Copy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}
