"""The grammar of a reference, to the letter: what keeps to it is one, anything else is data."""

from __future__ import annotations

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.media.finder import look_at
from sessionkit.core.media.references import Kind, Oddity, OddReference, Reference, find_references, write_members, write_object
from sessionkit.core.media.triage import Candidate
from sessionkit.core.pixels import Size

DIGEST = "ab" * 32
ASSET = AssetName(DIGEST, "png")
PATH = f'"images/{DIGEST}.png"'
RUN = f'"asset_path":{PATH},"width":3,"height":2,"asset_prefix":"data:image/png;base64,","asset_field":"data"'


def read(line: str) -> list[Reference | OddReference]:
    data = bytearray(line.encode())
    return list(find_references(look_at(data, Candidate(0, len(data), ()))))


def one(line: str) -> Reference:
    (reference,) = read(line)
    assert isinstance(reference, Reference)
    return reference


@pytest.mark.parametrize("size", [None, Size(3, 2), Size(2**31 - 1, 1)])
@pytest.mark.parametrize("prefix", [b"", b"data:image/png;base64,", b"DATA:;BASE64,", "data:é;base64,".encode()])
def test_what_is_written_is_read(size: Size | None, prefix: bytes) -> None:
    name, value = write_members(rb'"\u0064ata"', ASSET, size, prefix)
    member = one(f'{{"x":1,{name.decode()} : {value.decode()} ,"y":2}}')
    assert (member.kind, member.asset, member.size, member.prefix, member.field) == (Kind.MEMBER, ASSET, size, prefix, rb'"\u0064ata"')
    string = one(f"[{write_object(ASSET, size, prefix).decode()}]")
    assert (string.kind, string.asset, string.size, string.prefix, string.field) == (Kind.STRING, ASSET, size, prefix, b"")


def test_order_of_the_members() -> None:
    name, value = write_members(b'"data"', ASSET, Size(3, 2), b"data:image/png;base64,")
    assert f"{name.decode()}:{value.decode()}" == RUN


@pytest.mark.parametrize(
    "line",
    [
        f"{{{RUN}}}",
        f'{{"type":"image",{RUN},"mimeType":"image/png"}}',
        f'{{ "asset_path" : {PATH} , "asset_field" : "data" }}',
        f'{{"asset_path":{PATH},"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":0,"height":2147483647,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_field":"data","width":3,"height":2}}',
        f'{{"asset_path":{PATH},"asset_field":"data","width":"wide"}}',
        f'{{"asset_path":{PATH},"asset_field":"\\u0064ata"}}',
        f'{{"asset_path":{PATH},"asset_field":""}}',
        f'{{"asset_path":{PATH},"asset_prefix":"DATA:x;y=z;base64,","asset_field":"data"}}',
        f'{{"assetPath":"x","asset_path":{PATH},"asset_field":"data"}}',
        f'{{"x":1,"x":2,"asset_path":{PATH},"asset_field":"data"}}',
        f'{{"content":{{"asset_path":{PATH},"asset_field":"data"}}}}',
    ],
)
def test_a_member_was_here(line: str) -> None:
    assert one(line).kind is Kind.MEMBER


@pytest.mark.parametrize(
    "line",
    [
        f'[{{"asset_path":{PATH},"asset_field":null}}]',
        f'[ {{ "asset_path" : {PATH}, "width":1,"height":1, "asset_field" : null }} ]',
        f'{{"images":[{{"asset_path":{PATH},"asset_prefix":"data:;base64,","asset_field":null}}]}}',
        f'{{"url":{{"asset_path":{PATH},"asset_field":null}}}}',
    ],
)
def test_a_whole_string_was_here(line: str) -> None:
    assert one(line).kind is Kind.STRING


@pytest.mark.parametrize(
    "line",
    [
        f'{{"asset_path":{PATH},"x":0,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":3,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"height":2,"width":3,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":"data:;base64,","width":3,"height":2,"asset_field":"data"}}',
        f'{{"asset_field":"data","asset_path":{PATH}}}',
        f'{{"asset_path":{PATH},"width":3.0,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":-3,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":03,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":3e0,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":"3","height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"width":12345678901,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"w\\u0069dth":3,"height":2,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":"data:image\\/png;base64,","asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":"data:a,b;base64,","asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":"","asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":"data:;base64,AA","asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_prefix":null,"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_field":1}}',
        f'{{"asset_path":{PATH},"asset_field":["data"]}}',
        f'{{"asset_path":{PATH},"asset_field":"data","asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_path":{PATH},"asset_field":"data"}}',
        f'{{"asset_\\u0070ath":{PATH},"asset_field":"data"}}',
        f'{{"assetPath":{PATH},"asset_field":"data"}}',
        f'{{"asset_path":{PATH},"asset_\\u0066ield":"data"}}',
        f'{{"asset_path":[{PATH}],"asset_field":"data"}}',
        '{"asset_path":null,"asset_field":"data"}',
        f'{{"asset_path":{PATH}}}',
        f'{{"type":"text","asset_path":{PATH}}}',
        f'{{"asset_path":{PATH},"asset_field":null,"x":0}}',
        f'{{"x":0,"asset_path":{PATH},"asset_field":null}}',
        f'[{{"asset_path":{PATH},"width":1,"height":1,"asset_field":null,"width":1}}]',
        f'{{"asset_path":{PATH},"asset_field":"text"}}',
        f'{{"asset_path":{PATH},"asset_field":"arguments"}}',
        f'{{"type":"tool_use","asset_path":{PATH},"asset_field":"input"}}',
        f'{{"content":{{"asset_path":{PATH},"asset_field":null}}}}',
        f'{{"content":[{{"asset_path":{PATH},"asset_field":null}}]}}',
        f'{{"arguments":{{{RUN}}}}}',
        f'{{"type":"tool_use","input":{{{RUN}}}}}',
        f'{{"args":[{{"asset_path":{PATH},"asset_field":null}}]}}',
        f"{{{RUN}",
    ],
)
def test_data(line: str) -> None:
    assert not any(isinstance(found, Reference) for found in read(line))


@pytest.mark.parametrize(
    "members",
    [
        pytest.param(f'"asset_field":"data","asset_path":{PATH}', id="sorted by a program that writes JSON anew"),
        pytest.param(f'"asset_path":{PATH},"note":1,"asset_field":"data"', id="a member in between"),
        pytest.param(f'"asset_path":{PATH},"width":"3","height":"2","asset_field":"data"', id="a number as text"),
        pytest.param(f'"asset_path":{PATH},"asset_field":null,"note":1', id="a string's reference with more in it"),
        pytest.param(f'"asset_path":{PATH},"asset_field":"data","asset_field":"data"', id="a name twice"),
    ],
)
def test_what_was_a_reference_once_is_told(members: str) -> None:
    (found,) = read(f'{{"type":"image",{members}}}')
    assert isinstance(found, OddReference)
    assert found.reason is Oddity.FORM


@pytest.mark.parametrize(
    "path",
    [
        f"images/{DIGEST}.PNG",
        f"images/{DIGEST}.exe",
        f"images/{DIGEST}",
        f"images/{DIGEST.upper()}.png",
        f"images/{DIGEST[:-1]}.png",
        f"images/{DIGEST}0.png",
        f"images//{DIGEST}.png",
        f"./images/{DIGEST}.png",
        f"images/../images/{DIGEST}.png",
        f"/images/{DIGEST}.png",
        f"pictures/{DIGEST}.png",
        f"images/{DIGEST}.png\\n",
        f"images/{DIGEST}.png\\u0000",
        f"images\\\\{DIGEST}.png",
        "/etc/passwd",
        "",
        "x" * 3000,
    ],
)
def test_an_odd_path_makes_it_data_that_is_reported(path: str) -> None:
    (found,) = read(f'{{"asset_path":"{path}","asset_field":"data"}}')
    assert isinstance(found, OddReference)


@pytest.mark.parametrize(
    ("line", "size"),
    [
        (f'{{"type":"image","asset_path":{PATH},"mime_type":"image/png","width":3,"height":2}}', Size(3, 2)),
        (f'{{"width":3,"height":2,"asset_path":{PATH},"type":"image"}}', Size(3, 2)),
        (f'{{"type":"image","assetPath":{PATH},"mimeType":"image/png"}}', None),
        (f'{{"type":"image","asset_path":{PATH},"width":null,"height":2}}', None),
        (f'{{"type":"image","asset_path":{PATH},"data":"iVBORw0KGgo="}}', None),
    ],
)
def test_agents_own_references(line: str, size: Size | None) -> None:
    assert (one(line).kind, one(line).asset, one(line).size) == (Kind.NATIVE, ASSET, size)


def test_pointer_tells_where_it_stands() -> None:
    assert one(f'{{"a":[0,{{"b/c":{{{RUN}}}}}]}}').scope.pointer() == "/a/1/b~1c"
