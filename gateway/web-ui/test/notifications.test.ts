import { expect, test } from "vitest";
import { ApiProblem, type Api } from "../src/gateway/api";
import {
  NotificationsBlocked,
  readNotifications,
  renewNotifications,
  switchOff,
  switchOn,
  type PushSupport,
} from "../src/gateway/notifications";

const ENDPOINT = "https://push.example/1";
/** SHA-256 of the endpoint, base64url. */
const ID = "W6Ff_5ZfRK-lWqT6TVK5SwuoY4ChYQid3Km50IvvnvY";

/** A browser's push, which tests cannot reach: what it was asked for. */
function browser({ permission = "granted" as NotificationPermission, subscribed = false } = {}) {
  const done: string[] = [];
  let active = false;
  let present = subscribed;
  const subscription = {
    endpoint: ENDPOINT,
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: "point", auth: "secret" } }),
    unsubscribe: () => {
      present = false;
      done.push("unsubscribe");
      return Promise.resolve(true);
    },
  };
  const pushManager = {
    getSubscription: () => Promise.resolve(present ? subscription : null),
    subscribe: (options: PushSubscriptionOptionsInit) => {
      if (!active) return Promise.reject(new DOMException("no active worker", "AbortError"));
      present = true;
      done.push(`subscribe ${JSON.stringify(options)}`);
      return Promise.resolve(subscription);
    },
  };
  const registration = { pushManager } as unknown as ServiceWorkerRegistration;
  const has: PushSupport = {
    workers: {
      register: (url) => {
        done.push(`register ${String(url)}`);
        return Promise.resolve(registration);
      },
      getRegistration: () => Promise.resolve(registration),
      get ready() {
        return Promise.resolve().then(() => {
          active = true;
          return registration;
        });
      },
    },
    notifications: { permission, requestPermission: () => Promise.resolve(permission) },
    push: true,
  };
  return { has, done };
}

/** A gateway that knows some browsers; notes the changes. */
function gateway(answer: { key?: string; browsers: { id: string }[] }) {
  const sent: string[] = [];
  const api = {
    json: () => Promise.resolve(answer),
    send: (method: string, path: string, body?: object) => {
      sent.push(`${method} ${path} ${JSON.stringify(body ?? null)}`);
      return Promise.resolve(undefined);
    },
  } as unknown as Api;
  return { api, sent };
}

const POSTED = `POST api/account/browsers ${JSON.stringify({
  endpoint: ENDPOINT,
  p256dh: "point",
  auth: "secret",
  language: "de",
})}`;

test("the state of this browser is on only if the gateway knows it", async () => {
  const known = gateway({ key: "K", browsers: [{ id: ID }] });
  const other = gateway({ key: "K", browsers: [{ id: "other" }] });
  const { has } = browser({ subscribed: true });
  expect(await readNotifications(known.api, has)).toEqual({ kind: "on", key: "K", id: ID });
  expect(await readNotifications(other.api, has)).toEqual({ kind: "off", key: "K" });
  expect(await readNotifications(known.api, browser().has)).toEqual({ kind: "off", key: "K" });
  expect(await readNotifications(known.api, browser({ permission: "denied" }).has)).toEqual({
    kind: "blocked",
    key: "K",
  });
  expect(await readNotifications(gateway({ browsers: [] }).api, has)).toEqual({
    kind: "unavailable",
  });
  expect(await readNotifications(known.api, { ...has, push: false })).toEqual({
    kind: "unsupported",
  });
  expect(await readNotifications(known.api, { push: true })).toEqual({ kind: "unsupported" });
});

test("switching on asks, replaces an old subscription and sends the new one", async () => {
  const { api, sent } = gateway({ key: "K", browsers: [] });
  const { has, done } = browser({ subscribed: true });
  await switchOn(api, has, "K", "de");
  expect(done).toEqual([
    "register notifications.js",
    "unsubscribe",
    'subscribe {"userVisibleOnly":true,"applicationServerKey":"K"}',
  ]);
  expect(sent).toEqual([POSTED]);
  const forbidden = browser({ permission: "denied" });
  await expect(switchOn(api, forbidden.has, "K", "de")).rejects.toThrow(NotificationsBlocked);
  expect(forbidden.done).toEqual([]);
});

test("switching off ends it at the gateway first", async () => {
  const { api, sent } = gateway({ key: "K", browsers: [{ id: ID }] });
  const { has, done } = browser({ subscribed: true });
  await switchOff(api, has, ID);
  expect(sent).toEqual([`DELETE api/account/browsers/${ID} null`]);
  expect(done).toEqual(["unsubscribe"]);
});

test("a new session renews notifications that are on, and no others", async () => {
  const on = gateway({ key: "K", browsers: [{ id: ID }] });
  const own = browser({ subscribed: true });
  await renewNotifications(on.api, own.has, "de");
  await renewNotifications(on.api, browser().has, "de");
  expect(on.sent).toEqual([POSTED]);
  expect(own.done).toEqual([]);
});

test("a new session ends notifications of another account", async () => {
  const other = gateway({ key: "K", browsers: [] });
  const provider = gateway({ browsers: [] });
  provider.api.json = () => Promise.reject(new ApiProblem(403));
  for (const { api, sent } of [other, provider]) {
    const { has, done } = browser({ subscribed: true });
    await renewNotifications(api, has, "de");
    expect(done).toEqual(["unsubscribe"]);
    expect(sent).toEqual([]);
  }
  const failing = gateway({ browsers: [] });
  failing.api.json = () => Promise.reject(new ApiProblem(503));
  const { has, done } = browser({ subscribed: true });
  await expect(renewNotifications(failing.api, has, "de")).rejects.toThrow(ApiProblem);
  expect(done).toEqual([]);
});
