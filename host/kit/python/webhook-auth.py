"""A mode of webhook authentication: `X-Signature: sha256=…`, the HMAC-SHA256 of the body."""

from wit_world import exports
from wit_world.exports.meta import Description
from wit_world.exports.webhook_authentication import Header
from wit_world.imports.credentials import Part_Content


class Meta(exports.Meta):
    def describe(self) -> Description:
        return Description("{{name}}", "0.1.0", "{{summary}}")


class WebhookAuthentication(exports.WebhookAuthentication):
    def authenticate(self, request, credential) -> list[Header]:
        # The host signs: the secret is never seen here.
        signature = credential.hmac_sha256([Part_Content(request.body())])
        return [Header("X-Signature", f"sha256={signature.hex()}")]
