import { useSyncExternalStore } from "react";
import type { Session } from "../gateway/session";
import { useGateway } from "./gateway";

export function useSession(): Session {
  const { session } = useGateway();
  return useSyncExternalStore(session.subscribe, session.getSnapshot);
}
