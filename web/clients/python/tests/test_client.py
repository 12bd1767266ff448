"""How the client repeats requests, continues uploads and checks webhooks, against a server that does what a test says.

    python3 -m unittest discover --start-directory web/clients/python/tests
"""

import http.server
import json
import pathlib
import socket
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from sealwright_client import ApiError, Client, webhooks  # noqa: E402

BREAK = object()


class Server:
    """Answers each request with the next of `answers`: a status, headers and a body, or a broken connection."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.requests.append((self.command, self.path, dict(self.headers.items()), body))
                answer = outer.answers.pop(0)
                self.close_connection = True
                if answer is BREAK:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, headers, content = answer
                text = json.dumps(content).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Type" not in headers:
                    self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "0" if status == 204 else str(len(text)))
                self.end_headers()
                if status != 204 and self.command != "HEAD":
                    self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_HEAD = answer

            def log_message(self, *_):
                pass

        self.http = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **settings):
        settings = {"token": "t0", "longest_pause": 0.01, **settings}
        return Client(f"http://127.0.0.1:{self.http.server_port}", **settings)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def heads(self):
        return [f"{method} {path}" for method, path, _, _ in self.requests]


OK = (200, {}, [])
NEW_CASE = (201, {}, {"id": 1})
LIMITED = (429, {"Retry-After": "0"}, {"statusCode": 429, "message": "too many"})
FAILED = (500, {}, {"statusCode": 500, "message": "broken"})


def offset(number, status=204):
    return (status, {"Upload-Offset": str(number), "Location": "http://elsewhere.example/v2/uploads/abc"}, None)


class Repetition(unittest.TestCase):
    def test_a_request_over_its_quota_is_repeated_after_the_pause_that_the_server_asks_for(self):
        with Server(LIMITED, LIMITED, OK) as server:
            self.assertEqual(server.client().list_frames(), [])
            self.assertEqual(len(server.requests), 3)

    def test_a_pause_that_is_too_long_is_reported(self):
        with Server((429, {"Retry-After": "60"}, {"message": "too many"})) as server:
            with self.assertRaises(ApiError) as caught:
                server.client(longest_pause=59).list_frames()
            self.assertEqual((caught.exception.status, caught.exception.message), (429, "too many"))

    def test_repetition_ends(self):
        with Server(LIMITED, LIMITED, LIMITED) as server:
            self.assertRaises(ApiError, server.client(retries=2).list_frames)
            self.assertEqual(len(server.requests), 3)

    def test_a_case_is_opened_again_with_the_same_key(self):
        with Server(FAILED, BREAK, NEW_CASE) as server:
            self.assertEqual(server.client().create_case({"frameId": 1})["id"], 1)
            keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
            self.assertEqual((len(server.requests), len(keys)), (3, 1))

    def test_what_may_have_changed_something_is_not_repeated(self):
        for answer, error in [(FAILED, ApiError), (BREAK, OSError)]:
            with Server(answer, NEW_CASE) as server:
                self.assertRaises(error, server.client().bulk_create_cases, [{"frameId": 1}])
                self.assertEqual(len(server.requests), 1)

    def test_an_expired_token_is_replaced_once(self):
        refused = (401, {}, {"message": "expired"})
        with Server(refused, (200, {}, {"token": "t1"}), OK) as server:
            client = server.client(username="name", password="secret")
            self.assertEqual(client.list_frames(), [])
            tokens = [headers.get("Authorization") for _, _, headers, _ in server.requests]
            self.assertEqual(tokens, ["Bearer t0", None, "Bearer t1"])
        with Server(refused, (200, {}, {"token": "t1"}), refused) as server:
            self.assertRaises(ApiError, server.client(username="name", password="secret").list_frames)

    def test_a_redirect_is_not_followed(self):
        with Server((302, {"Location": "/frames"}, None), OK) as server:
            self.assertRaises(ApiError, server.client().list_frames)
            self.assertEqual(len(server.requests), 1)

    def test_a_part_of_a_path_cannot_change_the_path(self):
        with Server(OK) as server:
            server.client().read_report("../cases?x=1")
            self.assertEqual(server.heads(), ["GET /reports/..%2Fcases%3Fx%3D1"])

    def test_an_answer_of_another_kind_is_reported(self):
        with Server((200, {"Content-Type": "application/zip"}, None)) as server:
            with self.assertRaisesRegex(TypeError, "_as_file"):
                server.client().search_cases(format="zip")


class Uploads(unittest.TestCase):
    DESCRIPTION = {"caseId": 1, "stepId": 2, "filename": "é.jpg", "frontCreatedAt": "2026-11-20T10:00:00Z"}

    def test_an_upload_continues_where_the_bytes_have_arrived(self):
        answers = [BREAK, offset(0, 201), offset(4), BREAK, offset(6, 200), offset(10), (200, {}, {"offset": 10})]
        with Server(*answers) as server:
            view = server.client().upload(b"0123456789", self.DESCRIPTION, piece_size=4)
            self.assertEqual(view, {"offset": 10})
            sent = [body for method, _, _, body in server.requests if method == "PATCH"]
            self.assertEqual(sent, [b"0123", b"4567", b"6789"])
            announced = [headers["Upload-Metadata"] for method, _, headers, _ in server.requests if method == "POST"]
            self.assertEqual(len(announced), 2)
            self.assertEqual(announced[0], announced[1])
            self.assertIn("filename w6kuanBn", announced[0])
            self.assertEqual(server.heads()[-1], "GET /v2/uploads/abc")

    def test_a_refused_file_is_not_sent_again(self):
        with Server(offset(0, 201), (400, {}, {"message": "file type is not accepted"})) as server:
            with self.assertRaises(ApiError) as caught:
                server.client().upload(b"text", self.DESCRIPTION)
            self.assertEqual(caught.exception.status, 400)


class Webhooks(unittest.TestCase):
    def test_hmac_sha256(self):
        # RFC 4231, section 4.3.
        body, signature = b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        headers = {"authorization": f"HMAC-SHA256 acme-key:{signature}"}
        self.assertTrue(webhooks.verify_hmac_sha256(body, headers, "acme-key", "Jefe"))
        self.assertFalse(webhooks.verify_hmac_sha256(body + b" ", headers, "acme-key", "Jefe"))
        self.assertFalse(webhooks.verify_hmac_sha256(body, headers, "other-key", "Jefe"))
        self.assertFalse(webhooks.verify_hmac_sha256(body, {}, "acme-key", "Jefe"))

    def test_tokens(self):
        self.assertTrue(webhooks.verify_bearer({"Authorization": "Bearer s3cret"}, "s3cret"))
        self.assertFalse(webhooks.verify_bearer({"Authorization": "Bearer s3cre"}, "s3cret"))
        self.assertTrue(webhooks.verify_security_token({"security-token": "s3cret"}, "s3cret"))
        self.assertFalse(webhooks.verify_security_token({"Security-Token": "é"}, "s3cret"))
        self.assertTrue(webhooks.verify_partner_apikey({"X-Partner-Apikey": "key"}, "key"))
        self.assertFalse(webhooks.verify_partner_apikey({"x-partner-apikey": "key", "X-Partner-Apikey": "key"}, "key"))

    def test_standard_webhooks(self):
        # The example of the libraries of Standard Webhooks.
        secret, body, time = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}', 1614265330
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": str(time),
            "webhook-signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }

        def verify(body=body, secrets=secret, now=time, **changed):
            return webhooks.verify_standard_webhooks(body, {**headers, **changed}, secrets, now=now)

        self.assertTrue(verify())
        self.assertTrue(verify(secrets=["whsec_AAAA", secret], now=time + 300))
        self.assertFalse(verify(now=time + 301))
        self.assertFalse(verify(now=time - 301))
        self.assertFalse(verify(body=body + b" "))
        self.assertFalse(verify(secrets="whsec_AAAA"))
        self.assertFalse(verify(**{"webhook-id": "msg_other"}))
        self.assertFalse(verify(**{"webhook-signature": ""}))


if __name__ == "__main__":
    unittest.main()
