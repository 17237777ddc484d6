"""The lists of the porting guide: every operator of a profiler's tables, and those that later steps show with other shapes.

A second reading of the guide's rules, to hold `opcheck extract --as-guide` against. A line that, without blanks around it, begins
with Name and ends with Input Shapes begins a step. From then on a line that holds [[ or [] is a row. Two blanks part its cells:
the operator is the first one, the shapes are the last. Usage as the guide's script: --profiler_file LOG --out-dir FOLDER.
"""
import sys

options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
steps = []
with open(options["--profiler_file"]) as log:
    for line in log:
        stripped = line.strip()
        if stripped.startswith("Name") and stripped.endswith("Input Shapes"):
            steps.append({})
        elif steps and any(mark in line for mark in ("[[", "[]")):
            cells = list(filter(None, stripped.split("  ")))
            steps[-1].setdefault(cells[0].strip(), []).append(cells[-1].strip())
names = list(dict.fromkeys(name for step in steps for name in step))
changing = list(dict.fromkeys(name for step in steps[1:] for name in step))
changing = [name for name in changing
            if any(shapes not in steps[0].get(name, []) for step in steps[1:] for shapes in step.get(name, []))]
print("all_ops:", names)
print("dynamic_ops", changing)
for file, listed in (("all_ops.txt", names), ("dynamic_ops.txt", changing)):
    with open(options["--out-dir"] + "/" + file, "w") as out:
        out.writelines(name + "\n" for name in listed)
