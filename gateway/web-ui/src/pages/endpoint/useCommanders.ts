import { useCallback, useEffect, useState } from "react";
import type { CommanderKey } from "../../sign/command";
import { CommanderKeys } from "../../sign/commanderKeys";

/** Keys that last as long as the page. */
const volatile = new Map<string, CommanderKey>();

/** The commanders' keys of this browser, and how they change. */
export function useCommanders() {
  const [commanders, setCommanders] = useState<readonly CommanderKey[]>([]);
  const reload = useCallback(async () => {
    let kept: CommanderKey[] = [];
    try {
      kept = await new CommanderKeys(indexedDB).all();
    } catch {
      // Browsers without storage can still sign with keys of this page.
    }
    const known = new Set(kept.map(({ kid }) => kid));
    setCommanders([...kept, ...[...volatile.values()].filter(({ kid }) => !known.has(kid))]);
  }, []);
  useEffect(() => void reload(), [reload]);
  const add = useCallback(
    async (commander: CommanderKey, onlyNow: boolean) => {
      if (onlyNow) volatile.set(commander.kid, commander);
      else await new CommanderKeys(indexedDB).keep(commander);
      await reload();
    },
    [reload],
  );
  const forget = useCallback(
    async (kid: string) => {
      volatile.delete(kid);
      await new CommanderKeys(indexedDB).forget(kid);
      await reload();
    },
    [reload],
  );
  return { commanders, add, forget };
}
