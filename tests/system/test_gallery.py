"""The gallery in a real browser."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from sessionkit.core.base64 import encode
from tests.pictures import picture
from tests.system.browsing import DESKTOP, PHONE, Look, chromium, opened
from tests.system.sessions import PROGRAM, do

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.system

FIXTURES = Path(__file__).parents[2] / "fixtures"
PI = FIXTURES / "pi" / "compacted" / "session.jsonl"
BROKEN = FIXTURES / "faults" / "pi" / "image-empty" / "bad.jsonl"
MOST = 2000

EVIL = '"><img src=x onerror="window.hurt=1"><script>window.hurt=2</script></script><script>window.hurt=3</script><!--<script>'
"""Whatever holds this must show it, and nothing of it may happen."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_of_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session that was compacted, and a broken one."""
    page = tmp_path_factory.mktemp("gallery") / "page.html"
    do("gallery", PI, BROKEN, "-o", page, "--window", "4000")
    return page


def records(*words: str | Path) -> list[dict[str, Any]]:
    done = subprocess.run([*PROGRAM, *words, "--json"], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in done.stdout.splitlines()]


def shown(page: Page) -> int:
    return page.locator(".tile:visible").count()


def until(page: Page, expression: str) -> None:
    """Ask again and again: to wait in the page would take `eval`, which its policy forbids."""
    for _ in range(500):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(10)
    pytest.fail(f"never true: {expression}")


def test_every_fixture_shows_as_many_images_as_a_scan_counts(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    told = {record["session"]: record for record in records("gallery", FIXTURES, "-o", file) if record.get("status") == "ok"}
    counted = {record["session"]: record["images"] for record in records("scan", "-r", FIXTURES) if record["type"] == "session"}
    assert {session: record["images"] for session, record in told.items()} == {session: counted[session] for session in told}
    failed = counted.keys() - told.keys()
    assert {session.split("/")[-2] for session in failed} == {"control-characters", "deep", "separators-in-strings"}  # no records
    with opened(browser, file) as page:
        tiles = page.evaluate("Object.fromEntries(all('.session').map(s => [one('h2', s).textContent, all('.tile', s).length]))")
        expected = {session: record["images"] + record["references"] + record["empty"] for session, record in told.items()}
        assert tiles == expected
        assert page.locator(".tile :is(img[alt=''], img:not([alt]))").count() == 0
        page.evaluate("all('.tile img').forEach(image => { image.loading = 'eager'; })")
        broken = page.evaluate("Promise.all(all('.tile img').map(i => i.decode().catch(() => i.alt))).then(told => told.filter(Boolean))")
        assert broken == []


def test_filters_show_what_fits_and_are_kept_in_the_address(browser: Browser, page_of_two: Path) -> None:
    with opened(browser, page_of_two) as page:
        faults = Counter(fault for names in page.evaluate("tiles.map(t => t.dataset.faults)") for fault in names.split())
        sums = set(page.evaluate("tiles.map(t => t.dataset.sha).filter(Boolean)"))
        every = page.locator(".tile").count()
        without_sum = page.locator(".tile:not([data-sha])").count()
        status = page.get_by_role("status")
        assert status.inner_text() == f"{every} of {every} shown"

        page.get_by_role("combobox", name="Finding").select_option("image-empty")
        assert shown(page) == faults["image-empty"] == 2
        assert status.inner_text() == f"2 of {every} shown"
        page.reload()
        assert shown(page) == 2

        page.get_by_role("button", name="Show all").click()
        page.get_by_role("combobox", name="Repeats").select_option("once")
        assert shown(page) == len(sums) + without_sum
        assert page.url.endswith("#repeats=once")
        page.get_by_role("combobox", name="Repeats").select_option("only")
        page.get_by_role("combobox", name="Finding").select_option("none")
        assert 0 < shown(page) < every


def test_an_image_opens_with_the_text_around_it_and_the_keyboard_goes_on(browser: Browser, page_of_two: Path) -> None:
    with opened(browser, page_of_two) as page:
        buttons, viewer, large = page.locator(".open"), page.get_by_role("dialog"), page.locator(".stage img")
        buttons.nth(0).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        viewer.wait_for()
        assert page.locator(".position").inner_text() == f"2 of {buttons.count()}"
        page.keyboard.press("ArrowLeft")
        large.evaluate("image => image.decode()")
        assert (large.get_attribute("src") or "").startswith("blob:")
        assert large.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [320, 200]
        assert "dash.jpg" in page.locator(".before").inner_text()
        for key, at in (("End", buttons.count()), ("ArrowRight", buttons.count()), ("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3)):
            page.keyboard.press(key)
            assert page.locator(".position").inner_text() == f"{at} of {buttons.count()}"
        page.keyboard.press("z")
        assert page.locator(".zoom").get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        assert viewer.is_hidden()
        until(page, "document.activeElement.closest('.tile')?.id === 's1-i3'")
        until(page, "!location.hash")


def test_an_address_opens_an_image_and_a_repeated_one_leads_to_its_twins(browser: Browser, page_of_two: Path) -> None:
    with opened(browser, page_of_two, Look(hash="image=s1-i1")) as page:
        page.get_by_role("dialog").wait_for()
        page.locator(".same button").first.click()
        assert page.locator(".position").inner_text() != "1 of 19"
        assert page.evaluate("current.dataset.sha === tiles[0].dataset.sha")
        page.get_by_role("button", name="Close").click()
        assert page.get_by_role("dialog").is_hidden()


def test_what_cannot_be_shown_says_why(browser: Browser, page_of_two: Path) -> None:
    with opened(browser, page_of_two, Look(hash="fault=image-empty")) as page:
        page.locator(".open:visible").first.click()
        assert page.locator(".stage .trouble").inner_text() == "empty"
        assert "empty" in (page.locator(".broken:visible").first.get_attribute("aria-label") or "")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen_and_scheme(
    browser: Browser, page_of_two: Path, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, page_of_two, Look(size, scheme)) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (red + green + blue > 3 * 128) is (scheme == "light")
        page.locator(".open").first.click()
        assert page.evaluate("[viewer.scrollWidth, one('aside', viewer).scrollWidth <= one('aside', viewer).clientWidth]") == [
            size[0],
            True,
        ]
        assert page.locator(".stage img").bounding_box() is not None


def test_everything_has_a_name_and_a_place(browser: Browser, page_of_two: Path) -> None:
    with opened(browser, page_of_two) as page:
        assert (
            page.locator("button:visible").evaluate_all(
                "found => found.filter(b => !(b.textContent.trim() || one('[alt], [aria-label]', b)?.matches(':not([alt=\"\"])')))"
            )
            == []
        )
        for role in ("banner", "main", "form", "status", "region", "figure"):
            assert page.get_by_role(role).first.is_visible(), role
        assert page.locator("html").get_attribute("lang") == "en"
        ids = page.evaluate("all('[id]').map(e => e.id)")
        assert len(ids) == len(set(ids))


def test_nothing_that_others_wrote_acts(browser: Browser, tmp_path: Path) -> None:
    data = encode(picture("PNG")).decode()
    image = {"type": "image", "data": data, "mimeType": f"image/png{EVIL}"}
    call = {"type": "toolCall", "id": "c1", "name": f"read{EVIL}", "arguments": {"path": EVIL}}
    result = {"role": "toolResult", "toolCallId": "c1", "toolName": f"read{EVIL}", "content": [{"type": "text", "text": EVIL}, image]}
    lines = [
        {"type": "session", "version": 3, "id": f"s{EVIL}", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": EVIL},
        {"type": "message", "id": "a", "parentId": None, "message": {"role": "user", "content": [{"type": "text", "text": EVIL}, image]}},
        {"type": "message", "id": "b", "parentId": "a", "message": {"role": "assistant", "content": [call]}},
        {"type": "message", "id": f"c{EVIL}", "parentId": "b", "message": result},
    ]
    session = tmp_path / f"{EVIL.replace('/', '∕')}\u202e.jsonl"
    session.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    do("gallery", session, "-o", tmp_path / "page.html")
    with opened(browser, tmp_path / "page.html", Look(hash=f"fault={EVIL}&image={EVIL}&repeats=<script>")) as page:
        assert shown(page) == 2
        assert "<img src=x onerror=" in page.locator("h2 .path").inner_text()
        page.locator(".open").nth(1).click()
        viewer = page.get_by_role("dialog").inner_text()
        assert EVIL in viewer
        assert "image/png" + EVIL[:20] in viewer
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("[window.hurt, document.scripts.length, all('img').length]") == [
            None,
            1 + page.locator("script[type]").count(),
            3,
        ]


def test_the_policy_of_the_page_lets_nothing_else_run_or_load(browser: Browser, page_of_two: Path) -> None:
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(page_of_two.as_uri())
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hurt = 1'}))")
    page.evaluate("document.body.append(Object.assign(document.createElement('style'), {textContent: 'body {display: none}'}))")
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/x.png'}))")
    assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')") == "refused"
    assert page.evaluate("[window.hurt, getComputedStyle(document.body).display]") == [None, "block"]
    assert [words for words in refused if "Content Security Policy" not in words] == []
    page.close()


def test_thousands_of_images(browser: Browser, tmp_path: Path) -> None:
    session = tmp_path / "many.jsonl"
    with session.open("w") as file:
        for number in range(MOST):
            data = encode(picture("PNG", size=(40 + number % 50, 20 + number // 50))).decode()
            block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
            file.write(json.dumps({"role": "user", "content": [{"type": "text", "text": f"number {number}"}, block]}) + "\n")
    do("gallery", session, "-o", tmp_path / "page.html")
    with opened(browser, tmp_path / "page.html") as page:
        assert page.get_by_role("status").inner_text() == "2,000 of 2,000 shown"
        page.locator(".open").last.click()
        assert "number 1999" in page.locator(".before").inner_text()


def test_small_pictures_alone(browser: Browser, tmp_path: Path) -> None:
    do("gallery", PI, "-o", tmp_path / "page.html", "--thumbnails-only")
    with opened(browser, tmp_path / "page.html", Look(hash="image=s1-i1")) as page:
        assert page.locator(".stage .trouble").inner_text() == "This page holds only the small picture."
        assert page.locator(".stage img").is_visible()


@pytest.fixture(scope="module")
def page_of_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long sessions, one with lost assets, and a file that is none."""
    folder = tmp_path_factory.mktemp("many")
    pictures = [encode(picture("PNG", size=(40, 40 + number))).decode() for number in range(60)]
    lines = [{"role": "user", "content": [{"type": "image", "mimeType": "image/png", "data": data}]} for data in pictures]
    for name in "abcd":
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "e.jsonl").write_bytes((FIXTURES / "native" / "spilled" / "session.jsonl").read_bytes())
    (folder / "f.jsonl").write_text("no session\n")
    records("gallery", folder, "-o", folder / "page.html")
    return folder / "page.html"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_jump_ends_below_the_filters_with_the_heading_in_sight(browser: Browser, page_of_many: Path, size: tuple[int, int]) -> None:
    with opened(browser, page_of_many, Look(size)) as page:
        for name in ("s4", "s2", "s3"):
            page.get_by_role("combobox", name="Session").select_option(name)
            page.wait_for_timeout(600)
            top = page.locator(f"#{name} h2").bounding_box()
            bar = page.locator(".filters").bounding_box()
            assert top
            assert bar
            assert max(0, bar["y"] + bar["height"]) <= top["y"] < 160


def test_the_way_back_closes_an_image_and_odd_addresses_do_nothing(browser: Browser, page_of_many: Path) -> None:
    with opened(browser, page_of_many, Look(hash="image=")) as page:
        viewer = page.get_by_role("dialog")
        assert viewer.is_hidden()
        page.evaluate("location.hash = 'image=images'")
        page.evaluate("location.hash = ''")
        page.locator(".open").first.click()
        page.keyboard.press("ArrowRight")
        page.go_back()
        viewer.wait_for(state="hidden")
        assert "image" not in page.url
        page.go_forward()
        viewer.wait_for()
        page.keyboard.press("Escape")
        until(page, "!location.hash")
        assert viewer.is_hidden()


def test_lost_images_are_found_by_the_filter_and_failures_stand_first(browser: Browser, page_of_many: Path) -> None:
    with opened(browser, page_of_many) as page:
        status = page.get_by_role("status")
        page.get_by_role("combobox", name="Finding").select_option("unseen")
        assert status.inner_text() == "3 of 243 shown"
        page.get_by_role("combobox", name="Repeats").select_option("once")
        assert status.inner_text() == "2 of 243 shown"
        page.locator(".open:visible").first.click()
        about = page.locator(".viewer dl").inner_text()
        assert "images/c98cd0dfc9e13d774067f74c3d0534bcf65a11e7e8b724916dfa808b14a18e90.png" in about
        assert "2 times" in about
        page.keyboard.press("Escape")
        page.get_by_role("combobox", name="Finding").select_option("any")
        assert status.inner_text() == "no image matches: 0 of 243"
        assert "f.jsonl" in page.locator("main > :first-child").inner_text()
