import { decodeBase64url, encodeBase64url } from "../verify/base64url";
import { list, object, text, texts } from "./json";

/** Reasons for which the browser created or used no passkey. */
export type PasskeyFaultKind = "not-used" | "known" | "unsupported" | "insecure";

/** A failure of the browser or its authenticator, not of the gateway. */
export class PasskeyFault extends Error {
  constructor(readonly kind: PasskeyFaultKind) {
    super(`no passkey: ${kind}`);
  }
}

/** The browser's part of a ceremony (WebAuthn section 5.1). */
export type Authenticators = Pick<CredentialsContainer, "create" | "get">;

/** Whether this browser supports passkeys on this page, as far as the page can tell. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === "function";
}

/**
 * Has the browser create a passkey.
 *
 * @param options as `POST /api/account/passkeys/options` answers them
 * @returns the members that `POST /api/account/passkeys` takes in addition to the name
 * @throws PasskeyFault
 */
export async function makePasskey(options: unknown, browser: Authenticators): Promise<object> {
  const { response } = await used(browser.create({ publicKey: creationOptions(options) }));
  const made = response as AuthenticatorAttestationResponse;
  return {
    clientDataJSON: encoded(made.clientDataJSON),
    attestationObject: encoded(made.attestationObject),
    transports: made.getTransports(),
  };
}

/**
 * Has the browser answer a challenge with a passkey.
 *
 * @param options as `POST /api/sign-in/passkey/options` answers them
 * @returns the body of `POST /api/sign-in/passkey`
 * @throws PasskeyFault
 */
export async function answerWithPasskey(
  options: unknown,
  browser: Authenticators,
): Promise<object> {
  const credential = await used(browser.get({ publicKey: requestOptions(options) }));
  const answer = credential.response as AuthenticatorAssertionResponse;
  return {
    id: encoded(credential.rawId),
    clientDataJSON: encoded(answer.clientDataJSON),
    authenticatorData: encoded(answer.authenticatorData),
    signature: encoded(answer.signature),
    ...(answer.userHandle === null ? {} : { userHandle: encoded(answer.userHandle) }),
  };
}

// Octets are decoded here: not every browser has PublicKeyCredential.parseCreationOptionsFromJSON.
function creationOptions(json: unknown): PublicKeyCredentialCreationOptions {
  const options = object(json);
  const user = object(options["user"]);
  return {
    ...(options as unknown as PublicKeyCredentialCreationOptions),
    challenge: decodeBase64url(text(options["challenge"])),
    user: {
      id: decodeBase64url(text(user["id"])),
      name: text(user["name"]),
      displayName: text(user["displayName"]),
    },
    excludeCredentials: descriptors(options["excludeCredentials"]),
  };
}

function requestOptions(json: unknown): PublicKeyCredentialRequestOptions {
  const options = object(json);
  return {
    ...(options as unknown as PublicKeyCredentialRequestOptions),
    challenge: decodeBase64url(text(options["challenge"])),
    allowCredentials: descriptors(options["allowCredentials"]),
  };
}

function descriptors(json: unknown): PublicKeyCredentialDescriptor[] {
  return list(json).map(({ id, transports }) => ({
    type: "public-key",
    id: decodeBase64url(text(id)),
    transports: texts(transports) as AuthenticatorTransport[],
  }));
}

async function used(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await asked;
  } catch (reason) {
    throw new PasskeyFault(kindOf(reason));
  }
  if (credential === null) throw new PasskeyFault("not-used");
  return credential as PublicKeyCredential;
}

/**
 * The kind, by the error names of sections 5.1.3 and 5.1.4, which reveal little to protect privacy.
 */
function kindOf(reason: unknown): PasskeyFaultKind {
  switch (reason instanceof Error ? reason.name : "") {
    case "InvalidStateError":
      return "known";
    case "NotSupportedError":
    case "ConstraintError":
      return "unsupported";
    case "SecurityError":
      return "insecure";
    default:
      return "not-used";
  }
}

function encoded(octets: ArrayBuffer): string {
  return encodeBase64url(new Uint8Array(octets));
}
