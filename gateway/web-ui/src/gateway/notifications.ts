import { encodeBase64url } from "../verify/base64url";
import { ApiProblem, type Api } from "./api";
import type { Schemas } from "./schemas";

/** The parts of a browser that web push needs; members are missing without them or over plain HTTP. */
export interface PushSupport {
  workers?: Pick<ServiceWorkerContainer, "register" | "getRegistration" | "ready"> | undefined;
  notifications?: Pick<typeof Notification, "permission" | "requestPermission"> | undefined;
  push: boolean;
}

/**
 * Whether this browser gets notifications. `unsupported`: the browser has no web push, or the page
 * is not loaded over HTTPS; `unavailable`: the gateway's settings do not switch it on; `blocked`:
 * the user has forbidden them to the browser.
 */
export type NotificationState =
  | { kind: "unsupported" | "unavailable" }
  | { kind: "blocked" | "off"; key: string }
  | { kind: "on"; key: string; id: string };

export type PushTest = Schemas["PushTest"];

/** The person has forbidden notifications when the browser asked. */
export class NotificationsBlocked extends Error {}

const PATH = "api/account/browsers";
/** Next to the page, so that its scope is the page. */
const WORKER = "notifications.js";

export function pushSupport(): PushSupport {
  return {
    workers: "serviceWorker" in navigator ? navigator.serviceWorker : undefined,
    notifications: "Notification" in window ? Notification : undefined,
    push: "PushManager" in window,
  };
}

/** @throws ApiProblem */
export async function readNotifications(api: Api, has: PushSupport): Promise<NotificationState> {
  if (has.workers === undefined || has.notifications === undefined || !has.push) {
    return { kind: "unsupported" };
  }
  const { key, browsers } = (await api.json(PATH)) as Schemas["PushBrowsers"];
  if (key === undefined) return { kind: "unavailable" };
  if (has.notifications.permission === "denied") return { kind: "blocked", key };
  const subscription = await subscriptionOf(has);
  const id = subscription && (await idOf(subscription.endpoint));
  return browsers.some((one) => one.id === id) && id !== undefined
    ? { kind: "on", key, id }
    : { kind: "off", key };
}

/**
 * Asks the person and subscribes this browser.
 *
 * @throws ApiProblem
 * @throws NotificationsBlocked
 */
export async function switchOn(
  api: Api,
  has: PushSupport,
  key: string,
  language: string,
): Promise<void> {
  if ((await has.notifications?.requestPermission()) !== "granted")
    throw new NotificationsBlocked();
  if (has.workers === undefined) return;
  await has.workers.register(WORKER);
  // A worker that is not active yet cannot subscribe.
  const registration = await has.workers.ready;
  // A subscription for another key cannot be used and prevents a new one.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  await send(api, subscription, language);
}

/**
 * Has the gateway end the notifications of this browser, then ends its subscription.
 *
 * @throws ApiProblem
 */
export async function switchOff(api: Api, has: PushSupport, id: string): Promise<void> {
  await api.send("DELETE", `${PATH}/${id}`);
  await (await subscriptionOf(has))?.unsubscribe();
}

/** @throws ApiProblem */
export async function testNotifications(api: Api, id: string): Promise<PushTest> {
  return (await api.test(`${PATH}/${id}/test`)) as PushTest;
}

/**
 * Ties the notifications of this browser to the present session, so that they end with it, and sends
 * the chosen language. A subscription that does not belong to the session's account ends: the
 * session of its account may have expired before somebody else signed in here.
 */
export async function renewNotifications(
  api: Api,
  has: PushSupport,
  language: string,
): Promise<void> {
  const subscription = await subscriptionOf(has);
  if (!subscription) return;
  const kind = await readNotifications(api, has).then(
    (state) => state.kind,
    (reason: unknown) => {
      // Accounts of a provider have no notifications.
      if (reason instanceof ApiProblem && reason.status === 403) return "off";
      throw reason;
    },
  );
  if (kind === "on") await send(api, subscription, language);
  if (kind === "off") await subscription.unsubscribe();
}

async function subscriptionOf({ workers }: PushSupport): Promise<PushSubscription | undefined> {
  const registration = await workers?.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

async function send(api: Api, subscription: PushSubscription, language: string): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await api.send("POST", PATH, {
    endpoint,
    p256dh: keys?.["p256dh"],
    auth: keys?.["auth"],
    language,
  });
}

async function idOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return encodeBase64url(new Uint8Array(digest));
}
