import { Alert, Button, Divider } from "@mantine/core";
import { useEffect, useState } from "react";
import { ApiProblem } from "../gateway/api";
import { beginProviderSignIn, readSignInWays } from "../gateway/signInWays";
import { useGateway } from "../hooks/gateway";
import { Warning } from "../parts/icons";
import { problemText } from "../text/problems";
import { useMessages } from "./messages";
import { providerMessages } from "./providerMessages";

/** The part of an address in which the gateway tells why a sign-in through the provider failed. */
const FAILURE = "sign-in";

/** The button of the provider, if the settings name one. */
export function ProviderSignIn() {
  const texts = useMessages(providerMessages);
  const { api } = useGateway();
  const [provider, setProvider] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(failureOfAddress);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    let shown = true;
    readSignInWays(api).then(
      (ways) => shown && setProvider(ways.provider),
      // The form for passwords is there in any case, and tells what is wrong with the gateway.
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, [api]);
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (search !== "") window.history.replaceState(null, "", pathname + hash);
  }, []);
  if (provider === "") return null;
  const begin = async () => {
    setBusy(true);
    setFailure(undefined);
    setProblem(undefined);
    try {
      window.location.assign(await beginProviderSignIn(api));
    } catch (reason) {
      setProblem(reason);
      setBusy(false);
    }
  };
  const away = problem instanceof ApiProblem && problem.status === 503;
  const text =
    problem === undefined
      ? texts.failures[failure ?? ""]?.(provider)
      : away
        ? texts.failures["unavailable"]?.(provider)
        : problemText(problem);
  return (
    <>
      <Divider label={texts.or} />
      {text !== undefined && (
        <Alert color="red" icon={<Warning size={20} />} data-problem>
          {text}
        </Alert>
      )}
      <Button variant="default" loading={busy} onClick={() => void begin()} data-provider>
        {texts.through(provider)}
      </Button>
    </>
  );
}

function failureOfAddress(): string | undefined {
  return new URLSearchParams(window.location.search).get(FAILURE) ?? undefined;
}
