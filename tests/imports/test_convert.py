"""The converter of CSV facts writes the text as it is, and touches no table that people write by hand."""
import subprocess
import sys

import text

BY_HAND = {"sources.tsv", "fallbacks.tsv", "namespaces.tsv", "reported.tsv", "rules/dtypes.tsv", "rules/implied.tsv",
           "rules/renamed.tsv", "npu/kernel_types.tsv", "recipes/recipes.tsv", "npu/cann.tsv", "npu/unit_conditions.tsv", "npu/units_by_hand.tsv", "npu/arguments_by_hand.tsv", "musa/arguments_by_hand.tsv", "rules/operators.tsv",
           "npu/slow_casts.tsv", "rules/names.tsv", "musa/limits_by_hand.tsv",
           "package_sources.tsv", "package_builds.tsv", "rules/collective_names.tsv", "scripts/names.tsv", "scripts/strings.tsv", "faults/faults.tsv",
           "faults/environment.tsv", "faults/codes.tsv", "scripts/effort.tsv", "cost/chips.tsv", "cost/ratios.tsv", "cost/classes.tsv"}
IMPORTED = {"npu/units.tsv", "npu/arguments.tsv", "npu/custom_units.tsv", "npu/custom_arguments.tsv", "npu/plugin_arguments.tsv", "npu/custom_calls.tsv",
            "musa/arguments.tsv",
            "npu/calls.tsv", "npu/aclnn.tsv", "npu/casts.tsv", "npu/collectives.tsv", "musa/kernel_limits.tsv", "musa/tested_types.tsv",
            "musa/collectives.tsv", "package_ops.tsv"}  # by opdb/extract/facts.py: test_kernels.py


def test_every_table_is_converted_or_written_by_hand(whole_reference, tmp_path):
    for folder in ("torch", "npu", "musa", "rules"):
        (tmp_path / folder).mkdir()
    subprocess.run([sys.executable, text.OPDB / "convert.py", whole_reference / "facts", whole_reference / "tools", tmp_path], check=True)
    made = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.tsv")}
    there = {str(p.relative_to(text.OPDB)) for p in text.OPDB.rglob("*.tsv") if "extract" not in p.parts}
    assert made == there - BY_HAND - IMPORTED
    differing = [name for name in sorted(made) if (tmp_path / name).read_bytes() != (text.OPDB / name).read_bytes()]
    assert differing == []
