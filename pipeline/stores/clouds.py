"""Opens a bucket: who is asked for credentials, how often is tried, how long is waited.

Credentials come from the environment (``AWS_*``, ``GOOGLE_*``, ``AZURE_*``), from the standard
files, or from the machine that this runs on. They stay inside the client: no address holds one.
"""

import os
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from obstore.exceptions import BaseError
from obstore.store import AzureStore, GCSStore, S3Store

from pipeline.stores import StoreError
from pipeline.stores.address import Scheme
from pipeline.stores.causes import PREFIXES, why_not_opened

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore, RetryConfig, S3CredentialProvider

RETRY: "RetryConfig" = {
    # About half a minute of server errors and refused connections; who calls may try again.
    "max_retries": 8,
    "backoff": {
        "init_backoff": timedelta(seconds=0.2),
        "max_backoff": timedelta(seconds=8),
        "base": 2,
    },
    "retry_timeout": timedelta(seconds=90),
}
CLIENT: "ClientConfig" = {
    "connect_timeout": timedelta(seconds=5),
    # A server that says nothing for so long is taken for gone; one that is slow but goes on
    # has two minutes for a request, none of which is longer than a part or a file.
    "read_timeout": timedelta(seconds=20),
    "timeout": timedelta(seconds=120),
}
AWS_SOURCES = (
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
)
"""Where one of these is set no file is read."""


def opened(scheme: Scheme, bucket: str) -> "ObjectStore":
    """The client of a bucket, one a process; nothing is asked of the network yet."""
    return _opened(scheme, bucket, frozenset(_settings(scheme).items()))


@cache
def _opened(scheme: Scheme, bucket: str, settings: frozenset[tuple[str, str]]) -> "ObjectStore":
    """Made anew where the environment has changed: the settings are read from there."""
    client = CLIENT | {"allow_http": _is_yes(dict(settings).get(f"{PREFIXES[scheme]}ALLOW_HTTP"))}
    try:
        if scheme == "s3":
            provider = _from_files(bucket)
            return S3Store(
                bucket, client_options=client, retry_config=RETRY, credential_provider=provider
            )
        if scheme == "gs":
            return GCSStore(bucket, client_options=client, retry_config=RETRY)
        return AzureStore(bucket, client_options=client, retry_config=RETRY)
    except BaseError as error:
        raise StoreError(f"{scheme}://{bucket}: {why_not_opened(error, scheme)}") from None


def _settings(scheme: Scheme) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k.startswith(PREFIXES[scheme])}


def _is_yes(value: str | None) -> bool:
    return value is not None and value.lower() in ("1", "true", "yes", "on")


def _from_files(bucket: str) -> "S3CredentialProvider | None":
    """Credentials of ``~/.aws`` or of AWS_PROFILE; None where the client finds its own."""
    if any(os.environ.get(name) for name in AWS_SOURCES):
        return None
    file = Path(os.environ.get("AWS_SHARED_CREDENTIALS_FILE") or "~/.aws/credentials").expanduser()
    profile = os.environ.get("AWS_PROFILE")
    if profile is None and not file.exists():
        return None
    whence = "AWS_PROFILE" if profile is not None else str(file)
    try:
        import botocore.exceptions
        from obstore.auth.boto3 import Boto3CredentialProvider
    except ModuleNotFoundError as error:
        raise StoreError(
            f"s3://{bucket}: {whence}: is read by boto3, which is not installed (want pip install "
            "'barbu-sim[aws]', or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment)"
        ) from error
    try:
        return Boto3CredentialProvider()
    except (botocore.exceptions.BotoCoreError, ValueError):
        raise StoreError(f"s3://{bucket}: {whence}: gives no credentials") from None
