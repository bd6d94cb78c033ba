import { Alert, Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { ApiProblem } from "../gateway/api";
import { beginProviderSignIn } from "../gateway/signInWays";
import { useGateway } from "../hooks/gateway";
import { Warning } from "../parts/icons";
import { problemText } from "../text/problems";
import { useMessages } from "../hooks/messages";
import { providerMessages } from "./providerMessages";

/** The part of an address with the gateway's reason for a failed sign-in through the provider. */
const FAILURE = "sign-in";

/** The button of the provider that the settings name. */
export function ProviderSignIn({ provider }: { provider: string }) {
  const texts = useMessages(providerMessages);
  const { api } = useGateway();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(failureOfAddress);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (search !== "") window.history.replaceState(null, "", pathname + hash);
  }, []);
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
