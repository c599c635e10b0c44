"""Opening an address: only the web, few redirections, and no way from https back to http."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from killcurve.tables.dataset import DataError

_REDIRECTIONS = {301, 302, 303, 307, 308}
_MOST_REDIRECTIONS = 5


class Passing(Exception):
    """A trouble that may pass; ``wait`` is how many seconds the server asks to wait, if it does."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@contextmanager
def answering(address: str, headers: Mapping[str, str], timeout: float) -> Iterator[HTTPResponse]:
    """The answer of an address, with whatever status; redirections are followed.

    Raises:
        Passing: if there is none for now.
        DataError: if there cannot be any.
    """
    here = address
    for _ in range(_MOST_REDIRECTIONS + 1):
        answer = _open(here, headers, timeout)
        with answer:
            there = answer.headers["Location"]
            if answer.status not in _REDIRECTIONS or not there:
                yield answer
                return
        here = _next(here, there, address)
    raise DataError(f"{address} leads from one address to the next without end")


def _next(here: str, there: str, address: str) -> str:
    target = urljoin(here, quote(there, safe="%/:=&?~#+!$,;'@()*[]"))
    allowed = ("https",) if urlsplit(here).scheme == "https" else ("http", "https")
    if urlsplit(target).scheme not in allowed:
        raise DataError(f"{address} leads to {target[:200]}, which is not followed")
    return target


def _open(address: str, headers: Mapping[str, str], timeout: float) -> HTTPResponse:
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler()):
        opener.add_handler(handler)
    try:
        request = Request(address, headers=dict(headers))  # noqa: S310 - no other handlers
        answer = opener.open(request, timeout=timeout)
    except URLError as error:
        raise _unreachable(address, error.reason) from None
    except TimeoutError:
        raise Passing(f"did not answer within {timeout:g} s") from None
    except (OSError, HTTPException) as error:
        raise Passing(f"gave no answer ({type(error).__name__})") from None
    except ValueError as error:
        raise DataError(f"{address} is no address that can be opened ({error})") from None
    if not isinstance(answer, HTTPResponse):
        raise DataError(f"{address} is no address of the web (http or https)")
    return answer


def _unreachable(address: str, reason: object) -> Exception:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return DataError(
            f"{address}: the server's certificate is not trusted ({reason}); nothing was fetched"
        )
    if isinstance(reason, socket.gaierror):
        return DataError(
            f"{address} cannot be reached: its name is not known here. Fetching needs a "
            "connection to the internet; everything else works without"
        )
    if isinstance(reason, TimeoutError):
        return Passing("did not answer in time")
    return Passing(f"cannot be reached ({reason})")
