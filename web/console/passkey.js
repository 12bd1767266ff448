// Passkeys: the forms that ask the browser for one. Nothing else can ask for it, so they are hidden without this script.

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask(form);
  });
}

/** @param {HTMLFormElement} form */
async function ask(form) {
  const problem = form.querySelector("p.alert");
  try {
    const answer = form.dataset.passkey === "create" ? await create(form.dataset) : await get(form.dataset);
    for (const [name, bytes] of Object.entries(answer)) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = encoded(bytes);
    }
    form.submit();
  } catch {
    // The person has cancelled, the browser has no passkeys, or the page is at another address.
    if (!(problem instanceof HTMLElement)) return;
    problem.textContent = form.dataset.failed ?? "";
    problem.hidden = false;
  }
}

/**
 * @param {DOMStringMap} asked
 * @returns {Promise<Record<string, ArrayBuffer>>}
 */
async function create(asked) {
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: decoded(asked.challenge),
      rp: { id: asked.domain, name: "Sealwright" },
      user: { id: decoded(asked.user), name: asked.username ?? "", displayName: asked.name ?? "" },
      // ES256 and EdDSA: the server knows no other keys.
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -8 },
      ],
      attestation: "none",
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
      excludeCredentials: known(asked),
      timeout: Number(asked.timeout),
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  const { response } = credential;
  const key = response instanceof AuthenticatorAttestationResponse ? response.getPublicKey() : null;
  if (!(response instanceof AuthenticatorAttestationResponse) || !key) throw new Error("no key");
  return {
    credential: credential.rawId,
    "public-key": key,
    "client-data": response.clientDataJSON,
    "authenticator-data": response.getAuthenticatorData(),
  };
}

/**
 * @param {DOMStringMap} asked
 * @returns {Promise<Record<string, ArrayBuffer>>}
 */
async function get(asked) {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: decoded(asked.challenge),
      rpId: asked.domain,
      allowCredentials: known(asked),
      userVerification: "required",
      timeout: Number(asked.timeout),
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error("no signature");
  return {
    credential: credential.rawId,
    "client-data": response.clientDataJSON,
    "authenticator-data": response.authenticatorData,
    signature: response.signature,
  };
}

/**
 * The user's passkeys.
 * @param {DOMStringMap} asked
 * @returns {PublicKeyCredentialDescriptor[]}
 */
function known(asked) {
  const names = (asked.credentials ?? "").split(" ").filter(Boolean);
  return names.map((name) => ({ type: "public-key", id: decoded(name) }));
}

/**
 * Reads base64url.
 * @param {string | undefined} text
 */
function decoded(text) {
  const bytes = atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}

/**
 * Writes base64url, without padding.
 * @param {ArrayBuffer} bytes
 */
function encoded(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export {};
