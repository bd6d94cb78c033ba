// A real provider of OpenID Connect (oidc-provider) on loopback, for tests of signing in through it.
//
//   node e2e/provider.mjs SECRET
//
// SECRET: the secret of the client "vigil"
// Prints "issuer URL". It closes every connection until it receives SIGUSR2. Users sign in with
// only a name: "ann" is in the group "crew", others in none; "nobody" cancels.
import { createServer } from "node:http";
// @ts-expect-error the package has no types
import Provider from "oidc-provider";

const REDIRECTS = ["http://127.0.0.1/sign-in/callback", "http://localhost/sign-in/callback"];
const LOGIN = "/login/";
const SUBJECT = "subject-of-";

let up = false;
process.on("SIGUSR2", () => (up = true));

const server = createServer();
// The provider is on another site than the gateway's 127.0.0.1, so cookies behave as in production.
await new Promise((done) => server.listen(0, "localhost", () => done(undefined)));
const issuer = `http://localhost:${/** @type {any} */ (server.address()).port}`;

const client = (/** @type {string} */ id) => ({
  client_id: id,
  client_secret: process.argv[2] ?? "",
  // The gateway of a test has any port, which RFC 8252 allows for native clients on loopback.
  application_type: "native",
  redirect_uris: REDIRECTS,
});

const provider = new Provider(issuer, {
  clients: [client("vigil"), client("another")],
  claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
  cookies: { keys: ["a key of a test"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (/** @type {unknown} */ _, /** @type {any} */ { uid }) => LOGIN + uid },
  findAccount: (/** @type {unknown} */ _, /** @type {string} */ id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      preferred_username: id.replace(SUBJECT, ""),
      groups: id === `${SUBJECT}ann` ? ["crew", "everybody"] : ["everybody"],
    }),
  }),
  // The provider does not ask for consent to pass on the name.
  async loadExistingGrant(/** @type {any} */ { oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope("openid profile");
    await grant.save();
    return grant;
  },
});
const answer = provider.callback();

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function login(request, response) {
  if (request.method !== "POST") {
    response.setHeader("Content-Type", "text/html");
    response.end(
      '<!doctype html><title>Login</title><form method="post"><label>Name <input name="name"></label><button>Go</button></form>',
    );
    return;
  }
  let form = "";
  for await (const part of request) form += part;
  const name = new URLSearchParams(form).get("name");
  await provider.interactionFinished(
    request,
    response,
    name === "nobody"
      ? { error: "access_denied" }
      : { login: { accountId: SUBJECT + name }, consent: {} },
  );
}

server.on("request", (request, response) => {
  if (!up) request.socket.destroy();
  else if (request.url?.startsWith(LOGIN)) void login(request, response);
  else void answer(request, response);
});
console.log(`issuer ${issuer}`);
