import { canUsePasskeys } from "../gateway/passkeys";
import { readSignInWays, type SignInWays } from "../gateway/signInWays";
import { useGateway } from "./gateway";
import { useLoaded } from "./loaded";

/** The ways to sign in other than with name and password on this page, in this browser; undefined while unknown. */
export function useSignInWays(): SignInWays | undefined {
  const { api } = useGateway();
  const { data } = useLoaded("ways to sign in", () => readSignInWays(api));
  return data && { ...data, passkeys: data.passkeys && canUsePasskeys() };
}
