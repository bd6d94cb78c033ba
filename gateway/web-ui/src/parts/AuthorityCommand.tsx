import { Text } from "@mantine/core";
import { readAuthority } from "../gateway/authority";
import { useGateway } from "../hooks/gateway";
import { useLoaded } from "../hooks/loaded";
import { useMessages } from "../hooks/messages";
import { CodeBlock } from "./CodeBlock";
import { partsMessages } from "./messages";

/**
 * The line to run before printed commands if the gateway's certificate comes from its own
 * authority: curl and Python read the variables. It is empty over plain HTTP, or with another
 * certificate.
 */
export function AuthorityCommand() {
  const texts = useMessages(partsMessages);
  const { api } = useGateway();
  const secure = api.url("").startsWith("https:");
  const { data: own } = useLoaded(
    "authority command",
    async () => secure && (await readAuthority(api)) !== undefined,
  );
  if (own !== true) return null;
  return (
    <div data-authority-command>
      <Text size="sm">
        {texts.authority}{" "}
        <a href={api.url("ca.pem")} download="ca.pem">
          ca.pem
        </a>
      </Text>
      <CodeBlock
        text="export CURL_CA_BUNDLE=ca.pem SSL_CERT_FILE=ca.pem"
        what={texts.authorityCommand}
      />
    </div>
  );
}
