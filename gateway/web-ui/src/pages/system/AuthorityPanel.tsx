import { Button } from "@mantine/core";
import { readAuthority } from "../../gateway/authority";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { CopyButton } from "../../parts/CopyButton";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { derOf, fingerprintOf } from "./certificate";
import { messages } from "./messages";

/** The certificate of the gateway's own authority: its fingerprint, and the file. */
export function AuthorityPanel() {
  const { api, canVerify } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded("authority", async () => {
    const pem = await readAuthority(api);
    const der = pem === undefined ? undefined : derOf(pem);
    return {
      offered: der !== undefined,
      fingerprint:
        der !== undefined && canVerify ? await fingerprintOf(der, crypto.subtle) : undefined,
    };
  });
  return (
    <section className="panel" data-panel="authority">
      <h2>{words.authority}</h2>
      <ErrorAlert problem={problem} onRetry={reload} />
      {data?.offered === false && <p>{words.noAuthority}</p>}
      {data?.offered === true && (
        <>
          <p>{words.authorityHelp}</p>
          {data.fingerprint === undefined ? (
            <p className="dimmed">{words.noFingerprint}</p>
          ) : (
            <div className="thumbprint">
              <code aria-label={words.fingerprint}>{data.fingerprint}</code>
              <CopyButton text={data.fingerprint} what={words.fingerprint} />
            </div>
          )}
          <p>
            <Button
              component="a"
              href={api.url("ca.pem")}
              download="ca.pem"
              variant="default"
              size="compact-md"
            >
              {words.download}
            </Button>
          </p>
        </>
      )}
    </section>
  );
}
