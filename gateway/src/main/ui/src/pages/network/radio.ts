import { useEffect, useState } from "react";
import { ApiProblem } from "../../gateway/api";
import { readRadio, type Radio } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";

const INTERVAL = 5_000;
const INTERVAL_WITHOUT_RADIO = 60_000;

/** Polls the gateway's radio; undefined while the gateway has none. */
export function useRadio(): Radio | undefined {
  const { api } = useGateway();
  const [radio, setRadio] = useState<Radio>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unmounted = false;
    const poll = async () => {
      let pause = INTERVAL;
      try {
        if (document.visibilityState === "visible") {
          const read = readRadio(await api.json("api/network"));
          if (!unmounted) setRadio(read);
        }
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.status === 404) {
          pause = INTERVAL_WITHOUT_RADIO;
          if (!unmounted) setRadio(undefined);
        }
      }
      if (!unmounted) timer = setTimeout(() => void poll(), pause);
    };
    void poll();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [api]);
  return radio;
}
