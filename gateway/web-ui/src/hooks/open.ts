import { useEffect, useState } from "react";
import { useGateway } from "./gateway";

/** Whether the gateway answers requests of strangers for a path; undefined while it is not known. */
export function useIsOpen(path: string): boolean | undefined {
  const { api } = useGateway();
  const [answer, setAnswer] = useState<{ path: string; open: boolean }>();
  useEffect(() => {
    let unmounted = false;
    api.isOpen(path).then(
      (open) => !unmounted && setAnswer({ path, open }),
      () => undefined,
    );
    return () => {
      unmounted = true;
    };
  }, [api, path]);
  return answer?.path === path ? answer.open : undefined;
}
