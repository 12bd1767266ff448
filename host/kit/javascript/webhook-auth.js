// A mode of webhook authentication: `X-Signature: sha256=…`, the HMAC-SHA256 of the body.

export const meta = {
  describe() {
    return { name: "{{name}}", version: "0.1.0", summary: "{{summary}}" };
  },
};

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const webhookAuthentication = {
  authenticate(request, credential) {
    // The host signs: the secret is never seen here.
    const signature = credential.hmacSha256([{ tag: "content", val: request.body() }]);
    return [{ name: "X-Signature", value: `sha256=${hex(signature)}` }];
  },
};
