"""Why a store did not do what was asked, in a few words of ours.

The client's own words hold addresses with signed queries and answers of any kind of server, so
none of them are repeated: only what is known of them is told.
"""

import re
from collections.abc import Mapping

from pipeline.stores.address import Scheme

STATUS = re.compile(r"status code: (\d{3})")
CODE = re.compile(r"<Code>([A-Za-z]{1,40})</Code>")
"""What S3 and Azure call it."""
SET: dict[Scheme, str] = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a machine with a role",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, or a machine with a service account",
    "az": "AZURE_STORAGE_ACCOUNT_KEY, AZURE_CLIENT_ID and _SECRET, or a machine with an identity",
}
ENDPOINT: dict[Scheme, str] = {
    "s3": "AWS_ENDPOINT_URL and AWS_REGION",
    "gs": "the network",
    "az": "AZURE_STORAGE_ACCOUNT_NAME",
}
PREFIXES: Mapping[Scheme, str] = {"s3": "AWS_", "gs": "GOOGLE_", "az": "AZURE_"}
"""Of the variables that say how a store is reached."""
ASKED_AGAIN = re.compile(r"after [1-9]\d* retries")
BROKEN = ("kind: Timeout", "kind: Interrupted", "IncompleteMessage", "body error")
"""Marks of an answer that did not come whole."""


def cause(error: Exception, scheme: Scheme) -> str:
    """One phrase; ``error`` came from the client."""
    text = str(error)
    status, code = STATUS.search(text), CODE.search(text)
    said = f" ({code[1]})" if code else ""
    # Whoever asks for credentials asks this address of the machine first.
    if "169.254.169.254" in text or "token request" in text:
        return f"no credentials (want {SET[scheme]})"
    if code is not None and code[1] in ("NoSuchBucket", "ContainerNotFound"):
        return f"there is no such bucket{said}"
    if "BadScheme" in text:
        return f"an http:// endpoint is refused ({PREFIXES[scheme]}ALLOW_HTTP=true allows it)"
    if status is not None:
        return _of_status(int(status[1]), said)
    if "redirect" in text:
        return "the bucket is in another region (want AWS_REGION set)"
    if "kind: Timeout" in text:
        return "no answer in time"
    if any(mark in text for mark in BROKEN):
        return "the connection broke off"
    if "error sending request" in text or "kind: Connect" in text:
        return f"cannot be reached (is {ENDPOINT[scheme]} right?)"
    return f"the client failed ({type(error).__name__})"


def _of_status(status: int, said: str) -> str:
    if status in (401, 403):
        return f"access denied{said}"
    if status == 404:
        return f"not found{said}"
    if status in (429, 503):
        return f"the server asks to slow down{said or f' ({status})'}"
    return f"the server answers {status}{said}"


def why_not_opened(error: Exception, scheme: Scheme) -> str:
    """Why there is no client: the network was not asked yet, so the environment is wrong."""
    if "MissingAccount" in str(error):
        return "no account (want AZURE_STORAGE_ACCOUNT_NAME set)"
    return f"what {PREFIXES[scheme]}... in the environment says is no use (want {SET[scheme]})"


def came_to_nothing(error: Exception) -> bool:
    """Whether an answer did not come, or not whole, which the client does not always try again;
    what was asked may have been done all the same."""
    return any(mark in str(error) for mark in BROKEN) and not was_asked_again(error)


def was_asked_again(error: Exception) -> bool:
    """Whether the client asked more than once: an earlier time may have been heard."""
    return ASKED_AGAIN.search(str(error)) is not None
