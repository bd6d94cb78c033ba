import { Text, Title } from "@mantine/core";
import { useCoapBase } from "../../hooks/addresses";
import { useGateway } from "../../hooks/gateway";
import { useIsOpen } from "../../hooks/open";
import { AuthorityCommand } from "../../parts/AuthorityCommand";
import { CodeBlock } from "../../parts/CodeBlock";
import { useMessages } from "../../hooks/messages";
import { asCoapClient, asCurl, pathOf, type Lookup } from "./lookup";
import { directoryMessages } from "./messages";

/** The lookup of the page as commands for a shell, with the addresses that the gateway has. */
export function Commands({ lookup }: { lookup: Lookup }) {
  const texts = useMessages(directoryMessages);
  const { api } = useGateway();
  const { known, base } = useCoapBase();
  const open = useIsOpen("rd-lookup/ep?count=1");
  const path = pathOf(lookup);
  return (
    <section className="lookup-commands" data-commands>
      <Title order={2} size="h4">
        {texts.commands}
      </Title>
      <AuthorityCommand />
      <CodeBlock text={asCurl(api.url(path), open === false)} what={texts.curl} />
      {open === false && (
        <Text size="sm" c="dimmed">
          {texts.token}
        </Text>
      )}
      {base !== undefined && <CodeBlock text={asCoapClient(base, path)} what={texts.coap} />}
      {known && (
        <Text size="sm" c="dimmed">
          {base === undefined ? texts.noCoap : texts.coapClient}{" "}
          {base !== undefined && open === false && texts.coapClosed}
        </Text>
      )}
    </section>
  );
}
