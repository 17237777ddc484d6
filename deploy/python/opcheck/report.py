"""A report: the dataclasses of its schema, and what a person asks of it."""
from __future__ import annotations

import dataclasses
import html
from typing import Any, Dict, List

from . import schema

COLOURS = {"ready": "#1a7f37", "ready-with-warnings": "#9a6700", "blocked": "#cf222e", "inconclusive": "#6e7781"}


@dataclasses.dataclass(frozen=True)
class Report(schema.Report):
    """One assessment. `raw` is the whole JSON, with keys that this version of the module does not know."""

    raw: Dict[str, Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, data: Dict[str, Any]) -> Report:
        return cls(**vars(schema.Report.read(data)), raw=data)

    def on(self, target: str) -> schema.Target:
        """The first target of this name, such as "npu" or "npu@2.7.1"; KeyError if there is none."""
        for one in self.targets:
            if target in (one.id, one.asked, one.id.split("@")[0]) or one.id.startswith(target.replace("@", "@v") + "-"):
                return one
        raise KeyError("%s is not in the report; it has %s" % (target, ", ".join(one.id for one in self.targets)))

    def verdict(self, target: str) -> str:
        """ready, ready-with-warnings, blocked or inconclusive."""
        return self.on(target).verdict

    def _repr_html_(self) -> str:
        rows: List[str] = []
        for one in self.targets:
            word = one.headline.word if one.headline else one.verdict
            why = one.headline.why.text if one.headline else ""
            share = one.readiness.time
            cells = (one.id, word, "%.1f-%.1f %%" % (100 * share.lo, 100 * share.hi), why)
            rows.append('<tr style="border-left: 4px solid %s">%s</tr>' % (
                COLOURS.get(one.verdict, "#6e7781"), "".join("<td>%s</td>" % html.escape(cell) for cell in cells)))
        return ("<table><thead><tr><th>Target</th><th>Result</th><th>On the device</th><th>Why</th></tr></thead><tbody>%s</tbody></table>"
                % "".join(rows))
