"""`locate` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.findings import image_record, safe
from sessionkit.cli.reports.jsonlines import JsonLines, Record, error_record, name
from sessionkit.cli.reports.locate.words import command_of, name_of, obstacle_of, way_words

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.errors import ExitCode, SessionkitError
    from sessionkit.ops.locate import Hit, Located
    from sessionkit.ops.sources import Source


def write_records(located: Located, voice: Voice, code: ExitCode) -> None:
    """Write a record for each hit, one for each of the others, and a summary."""
    lines = JsonLines(voice, "locate")
    refusal, answer = located.refusal, located.answer
    for kind, hits in (("hit", answer.hits), ("other", answer.others)):
        for hit in hits:
            lines.write(kind, _hit(located, hit))
    lines.write(
        "summary",
        {
            "session": safe(name(name_of(located.source))),
            "format": located.format,
            "provider": located.provider,
            "client": located.client,
            "profile": located.profile,
            "rule": refusal.saying.rule if refusal.saying else None,
            "faults": list(refusal.saying.faults) if refusal.saying else [],
            "wire_paths": [way_words(way) for way in refusal.ways],
            "verdict": answer.verdict.name.lower(),
            "remarks": list(answer.remarks),
            "hits": len(answer.hits),
            "others": len(answer.others),
            "exit_code": int(code),
        },
    )


def write_failure(source: Source, error: SessionkitError, voice: Voice) -> None:
    """Write why there is no answer, and a summary that says nothing else."""
    lines, session = JsonLines(voice, "locate"), safe(name(name_of(source)))
    lines.write("session", {"session": session, "status": "failed", "error": error_record(error)})
    unknown = dict.fromkeys(("format", "provider", "client", "profile", "rule", "verdict"))
    nothing: Record = {"faults": [], "wire_paths": [], "remarks": [], "hits": 0, "others": 0}
    lines.write("summary", {"session": session, **unknown, **nothing, "exit_code": int(error.exit_code)})


def _hit(located: Located, hit: Hit) -> Record:
    return {
        "line": hit.spot.line,
        "pointer": safe(hit.spot.pointer),
        "what": safe(hit.what) or None,
        "evidence": [evidence.value for evidence in hit.evidence],
        "fault": hit.finding.fault if hit.finding else None,
        "severity": hit.finding.severity.value if hit.finding else None,
        "cause": safe(hit.finding.cause) if hit.finding else None,
        "image": image_record(hit.image) if hit.image else None,
        "wire_path": way_words(hit.way) or None,
        "elsewhere": [{"line": spot.line, "pointer": safe(spot.pointer)} for spot in hit.elsewhere],
        "command": name(command_of(located, hit)) or None,
        "obstacle": obstacle_of(hit) or None,
    }
