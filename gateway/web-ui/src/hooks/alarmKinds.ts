import { alarmKinds, type AlarmKind } from "../gateway/alarmKinds";
import { useGateway } from "./gateway";
import { useLoaded, type Loaded } from "./loaded";

/** The kinds of alarms; undefined until the gateway has answered. */
export function useAlarmKinds(): Pick<Loaded<readonly AlarmKind[]>, "data" | "problem"> {
  const { api } = useGateway();
  return useLoaded("alarm-kinds", () => alarmKinds(api));
}
