"""How often the overload that is chosen for a call is the one that was called, for the tests that know the true one."""
import collections
import json
import os
import pathlib

from conftest import Run

MAX_SHOWN = 12


def chooser():
    path = pathlib.Path(os.environ.get("OPCHECK_BUILD_ROOT", "."), "tests", "choose_overloads")
    assert path.exists(), "not built: meson compile -C build choose_overloads"
    return path


class Score:
    """Calls by what became of them: the choice is right, the set holds the truth, all."""

    def __init__(self):
        self.calls = self.right = self.held = 0
        self.wrong = collections.Counter()

    def add(self, question, truth, answer, calls):
        likely, _, fits = answer.partition("\t")
        self.calls += calls
        self.right += calls * (likely == truth)
        self.held += calls * (truth in fits.split(","))
        if likely != truth or truth not in fits.split(","):
            self.wrong["%s is %s, answered %s" % (question.replace("\t", " "), truth, answer)] += calls

    def hold(self, what, least):
        print("%s: %d calls, %.3f %% right, %.3f %% held (at least %.0f %% and 100 %%)"
              % (what, self.calls, 100 * self.right / self.calls, 100 * self.held / self.calls, 100 * least))
        shown = "\n".join("%d times %s" % (count, text) for text, count in self.wrong.most_common(MAX_SHOWN))
        assert self.held == self.calls, "the set does not hold the truth:\n" + shown
        assert self.right >= least * self.calls, "the choice is wrong too often:\n" + shown


def choose(database, questions):
    """questions: {(name, shapes, dtypes, concrete, true overload): calls}"""
    keys = list(questions)
    lines = ["\t".join(key[:4]) for key in keys]
    done = Run([chooser(), database], input=("\n".join(lines) + "\n").encode())
    answers = done.text.splitlines()
    assert done.status == 0 and len(answers) == len(keys), done.err
    score = Score()
    for line, key, answer in zip(lines, keys, answers):
        score.add(line, key[4] or "-", answer, questions[key])
    return score


def of_truth(truth, typed):
    """The calls of a truth file, as a trace shows them (typed) or as a table does."""
    questions = collections.Counter()
    for step in truth["steps"]:
        for name, shapes, _, variants, is_annotation, _ in step:
            if is_annotation or not name.startswith("aten::"):
                continue
            for variant in variants:
                dims = str(variant["dims"] if typed else shapes)
                questions[name, dims, json.dumps(variant["types"]) if typed else "", "", variant["overload"]] += variant["calls"]
    return questions


def of_execution_trace(document, typed):
    questions = collections.Counter()
    for node in document["nodes"]:
        attributes = {item["name"]: item["value"] for item in node.get("attrs", [])}
        schema = node.get("op_schema", attributes.get("op_schema", ""))
        if not schema.startswith("aten::"):
            continue
        inputs = node["inputs"] if isinstance(node["inputs"], dict) else {
            "shapes": node["input_shapes"], "types": node["input_types"]}
        overload = schema[:schema.index("(")].partition(".")[2]
        questions[node["name"], json.dumps(inputs["shapes"]), json.dumps(inputs["types"]) if typed else "", "", overload] += 1
    return questions
