"""Debian's Chromium with one page in it, which must neither complain nor ask the network for anything."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request, Route

DESKTOP = (1280, 860)
PHONE = (390, 844)
_HELD = ("data:", "blob:")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; never one of playwright's own."""
    path = shutil.which("chromium")
    assert path, "chromium is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Look:
    """How the page is looked at."""

    size: tuple[int, int] = DESKTOP
    scheme: Literal["light", "dark"] = "light"
    hash: str = ""


@contextmanager
def opened(browser: Browser, file: Path, look: Look = Look()) -> Iterator[Page]:
    """Show a page; in the end it must have kept quiet."""
    seen: list[str] = []
    width, height = look.size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look.scheme)
    page, address = context.new_page(), file.resolve().as_uri()
    page.on("console", lambda message: seen.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: seen.append(f"error: {error}"))
    page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: None if is_own(request, address) else seen.append(f"request: {request.url}"))
    context.route("**/*", lambda route: let_pass(route, address))
    page.goto(address + (f"#{look.hash}" if look.hash else ""))
    yield page
    context.close()
    assert seen == []


def is_own(request: Request, address: str) -> bool:
    return request.url.startswith(_HELD) or request.url.partition("#")[0] == address


def let_pass(route: Route, address: str) -> None:
    if is_own(route.request, address):
        route.continue_()
    else:
        route.abort()
