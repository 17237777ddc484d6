"""Interprets op_api functions of CANN for one chip and one data type of the first tensor: what is launched, what is rejected.

Tests of chips and of data types are decided. Any other condition forks the path: each choice is one run from the start. Assumed: no empty
and no 0-dim tensors; other tensors have the type of the first, but for index-like (int64) and mask-like (bool) names; checks of shapes
and formats pass; what only logs and fails is a requirement, not a path."""
import re
from collections import namedtuple

from cann_facts.calls import Calls
from cann_facts.names import HELPERS
from cann_facts.values import ERROR, Constant, Tensor, Thing, Tuple, Type, Unknown, equal, shortened, truth, type_of, without_not, words
from reader.syntax import Bind, Block, Call, Constructor, Braces, Declare, Empty, Evaluate, For, ForEach, If, Jump, Name, Switch, While, shown

STEPS = 9000  # of one path
ITEMS = 8  # of a list that a loop runs over
ERROR_VALUE = re.compile(r'(false|nullptr|ACLNN_ERR\w*|GRAPH_FAILED|ge::GRAPH_FAILED|std::tie\(nullptr.*|tuple.*nullptr.*|\{nullptr.*|ACL_ERROR\w*|FAILED)')
NO_SHAPE = re.compile(r'rank\(\w+\) (== 0|< 0|<= 0|< 1)\b|^numel\(\w+\) == 0$|.*IsEmpty|^size\(\w+,\w+\) == 0$')
INDEX_NAME = re.compile(r'ind(ex|ic)|(^|_)idx|offsets?$|positions?$|slot|seqlen|actual|cuSeq|target(Lengths)?$|inputLengths|groupList|tokenMap', re.I)
MASK_NAME = re.compile(r'mask|condition|(^|_)cond(ition)?$', re.I)
SCALAR_TYPE = re.compile(r'(const )?(u?int\d*(_t)?|int|bool|size_t|float|double)$')

# outcome: ok or fuel; result: the value returned; trace: [(condition, choice)]; events: launches and calls; requirements: [(must hold, condition)];
# checks: [(argument, types)]
Path = namedtuple('Path', 'outcome result trace events requirements checks')
# unit: aicore, aicpu, dsa, l0 (a call), ? (a call to nothing known)
Event = namedtuple('Event', 'unit op type kernel types path line')


class OutOfFuel(Exception):
    pass


class Leave(Exception):
    def __init__(self, word, value=None):
        super().__init__(word)
        self.word, self.value = word, value


class Interpreter(Calls):
    def __init__(self, library, chip, type_name, memory=None, l0_mode=False):
        self.library, self.chip, self.type_name, self.l0_mode = library, chip, type_name, l0_mode
        self.prune = not l0_mode
        self.memory = {} if memory is None else memory
        self.node_facts = library.found.setdefault('node facts', {})
        self.routines, self.depth = [], 0

    def reset(self, choices):
        self.choices, self.chosen, self.decided = choices, 0, {}
        self.trace, self.events, self.requirements, self.checks = [], [], [], []
        self.fuel = STEPS

    @property
    def path(self):
        return self.routines[-1].path

    # --- conditions

    def decide(self, value):
        """The truth of a condition; one that is not known is a choice of this path."""
        known = truth(value)
        if known is not None:
            return known
        text = shortened(value.text, 200) if isinstance(value, Unknown) else 'x'
        inside = without_not(text)
        flipped = inside is not None
        text = inside if flipped else text
        if NO_SHAPE.match(text):
            return flipped
        if text.startswith('CopyNpuToNpu'):
            return not flipped
        if self.prune and re.search(r'^[^&|]*(>|>=) \d{9,}$', text):
            return flipped
        if text not in self.decided:
            if self.chosen >= len(self.choices):
                self.choices.append(True)
            self.decided[text] = self.choices[self.chosen]
            self.chosen += 1
            self.trace.append((text, self.decided[text]))
        return self.decided[text] != flipped

    def node_fact(self, node, name, ask):
        key = id(node), name
        if key not in self.node_facts:
            self.node_facts[key] = ask(node)
        return self.node_facts[key]

    def reports_error(self, node):
        """Does a statement contain a log or a check."""
        def ask(part):
            if isinstance(part, Call) and isinstance(part.function, Name) and re.match('OP_LOG|OP_CHECK|ACLNN_LOG', part.function.name.split('::')[-1]):
                return True
            return isinstance(part, (tuple, list)) and any(ask(item) for item in part)
        return self.node_fact(node, 'reports', ask)

    def returns_error(self, node):
        def ask(part):
            while isinstance(part, Block) and part.statements:
                part = part.statements[-1]
            return isinstance(part, Jump) and part.word == 'return' and part.value is not None and bool(ERROR_VALUE.match(shown(part.value)))
        return self.node_fact(node, 'fails', ask)

    def only_logs(self, node):
        if isinstance(node, Block):
            return all(map(self.only_logs, node.statements))
        if isinstance(node, Evaluate):
            return isinstance(node.value, Call) and isinstance(node.value.function, Name) and node.value.function.name.startswith('OP_LOG')
        return isinstance(node, Empty)

    def in_check(self):
        """Does the current function only check its arguments."""
        name = self.routines[-1].name if self.routines else ''
        return bool(re.match(r'(Check|check|Is.*Valid|Param)', name)) and not re.search(r'ai_?core|ai_?cpu|support|use|need|can', name, re.I)

    # --- statements

    def spend(self):
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel()

    def execute(self, node, scope):
        self.spend()
        self.STATEMENTS[type(node)](self, node, scope)

    def execute_block(self, node, scope):
        for statement in node.statements:
            self.execute(statement, scope)

    def execute_declare(self, node, scope):
        for variable in node.variables:
            value = self.initial(variable, scope)
            if re.search(r'\bmap\b|unordered_map', variable.type) and isinstance(value, list):
                value = as_map(value)
            if isinstance(value, Unknown) and not value.given and len(value.text) > 60:
                value = Unknown(variable.name)
            scope[variable.name] = value

    def initial(self, variable, scope):
        name, kind, value = variable.name, variable.type, variable.value
        if value is None:
            return False if kind.endswith('bool') else Unknown(name, bool(re.search('vector|Shape', kind)))
        if isinstance(value, Constructor):
            given = [self.evaluate(argument, scope) for argument in value.arguments]
            if len(given) == 1 and 'vector' not in kind:
                return given[0]
            return Tuple(given) if re.search('tuple|pair', kind) else Unknown(name, True)
        result = self.evaluate(value, scope)
        if isinstance(value, Braces):
            if not result:
                return Unknown(name, True)
            if len(result) == 1 and SCALAR_TYPE.match(kind):
                return result[0]
        return result

    def execute_bind(self, node, scope):
        value = self.evaluate(node.value, scope)
        for number, name in enumerate(node.names):
            scope[name] = value[number] if isinstance(value, Tuple) and number < len(value) else Unknown(name)

    def execute_evaluate(self, node, scope):
        self.evaluate(node.value, scope)

    def execute_if(self, node, scope):
        condition = self.evaluate(node.condition, scope)
        known = truth(condition)
        if known is None and node.no is None and (self.only_logs(node.yes) or self.required(node, condition)):
            return
        if known is None:
            if isinstance(condition, Tensor):
                known = self.decide(Unknown('has(%s)' % condition.name))
            elif isinstance(condition, Unknown):
                text = condition.text
                if node.no is None and re.match(r'\w*(dim|axis|Dim|Axis)\w* < 0$', text):
                    return
                known = False if re.search(r'^(IsEmpty|numel\(\w+\) == 0|Log|dlog)', text) else self.decide(condition)
            else:
                known = True
        if known:
            self.execute(node.yes, scope)
        elif node.no is not None:
            self.execute(node.no, scope)

    def required(self, node, condition):
        """An if that only logs and fails: its condition must not hold."""
        if not self.returns_error(node.yes):
            return False
        short = not isinstance(node.yes, Block) or len(node.yes.statements) <= 1
        silent = not self.l0_mode and short and not re.search('aicore|aicpu', shown(node.condition), re.I) and self.in_check()
        if not (self.reports_error(node.yes) or silent):
            return False
        self.requirements.append((False, shortened(condition.text if isinstance(condition, Unknown) else shown(node.condition))))
        return True

    def execute_jump(self, node, scope):
        raise Leave(node.word, self.evaluate(node.value, scope) if node.value is not None else None)

    def once(self, body, scope):
        """One round of a loop; False if the loop ends."""
        try:
            self.execute(body, scope)
        except Leave as leave:
            if leave.word == 'return':
                raise
            return leave.word == 'continue'
        return True

    def execute_for(self, node, scope):
        """A counted loop runs once, its variables unknown."""
        if node.first:
            self.execute(node.first, scope)
        for variable in node.first.variables if isinstance(node.first, Declare) else ():
            scope[variable.name] = Unknown(variable.name)
        self.once(node.body, scope)

    def execute_for_each(self, node, scope):
        values = self.evaluate(node.values, scope)
        if isinstance(values, list) and values:
            items = values[:ITEMS]
        else:
            items = [Tensor(values.name, values.type) if isinstance(values, Tensor) else Unknown(node.names[0], True)]
        for item in items:
            scope.update((name, item) for name in node.names)
            if not self.once(node.body, scope):
                return

    def execute_while(self, node, scope):
        if truth(self.evaluate(node.condition, scope)) is not False:
            self.once(node.body, scope)

    def execute_switch(self, node, scope):
        value, start = self.evaluate(node.value, scope), None
        try:
            for number, (label, _) in enumerate(node.cases):
                if label is not None and self.decide(equal(value, self.evaluate(label, scope))):
                    start = number
                    break
            else:
                start = next((number for number, (label, _) in enumerate(node.cases) if label is None), len(node.cases))
            for _, statements in node.cases[start:]:
                for statement in statements:
                    self.execute(statement, scope)
        except Leave as leave:
            if leave.word != 'break':
                raise

    def execute_empty(self, node, scope):
        pass

    STATEMENTS = {Block: execute_block, Declare: execute_declare, Bind: execute_bind, Evaluate: execute_evaluate, If: execute_if, Jump: execute_jump,
                  For: execute_for, ForEach: execute_for_each, While: execute_while, Switch: execute_switch, Empty: execute_empty}

    # --- functions

    def run(self, routine, given):
        """(result, scope at the end) of a routine."""
        scope = {}
        self.routines.append(routine)
        self.depth += 1
        try:
            for number, parameter in enumerate(routine.parameters):
                scope[parameter.name] = given[number] if number < len(given) else (
                    Unknown(parameter.name) if parameter.default is None else self.evaluate(parameter.default, {}))
            return self.run_body(routine.body, scope), scope
        finally:
            self.depth -= 1
            self.routines.pop()

    def run_body(self, body, scope):
        """What a body returns."""
        try:
            self.execute(body, scope)
        except Leave as leave:
            return leave.value if leave.word == 'return' else None
        return None

    def call_l0(self, routine, name, given):
        """An l0 function: what it does is kept if all its paths do the same."""
        if name in HELPERS:
            arguments = tuple(helper_key(value) for value in given if isinstance(value, (Tensor, Type)))
        else:
            arguments = tuple(map(argument_key, given))
        key = id(routine.body), self.chip, arguments
        if key not in self.memory:
            self.memory[key] = self.one_outcome(routine, name, given)
        outcome = self.memory[key]
        if outcome is None:
            return self.run(routine, given)[0]
        self.events.extend(outcome.events)
        return copied(outcome.result)

    def one_outcome(self, routine, name, given):
        """The path that stands for all of an l0 function, or None if they differ."""
        inner = Interpreter(self.library, self.chip, self.type_name, self.memory, True)
        inner.prune, inner.depth, inner.routines = self.prune, self.depth, [self.routines[-1]]
        pending, outcomes = [[]], []
        while pending and len(outcomes) < (6 if name in HELPERS else 24):
            choices = pending.pop(0)
            before = len(choices)
            inner.reset(choices)
            try:
                result = inner.run(routine, [value.copy() if isinstance(value, Tensor) else value for value in given])[0]
            except OutOfFuel:
                result = None
            outcomes.append(Path('ok', result, inner.trace, inner.events, [], []))
            pending += [choices[:number] + [False] for number in range(before, len(choices))]
        launches = {id(outcome): tuple(event[:2] for event in outcome.events if event.unit != 'l0') for outcome in outcomes}
        good = [outcome for outcome in outcomes if outcome.result is not None or launches[id(outcome)]] or outcomes
        same = len({(launches[id(outcome)], result_key(outcome.result)) for outcome in good}) == 1
        return good[0] if same or name in HELPERS else None

    # --- paths

    def arguments_of(self, routine, l0):
        """What an interface is called with: its first tensor has the type that is asked about."""
        given, first = [], True
        for parameter in routine.parameters:
            kind, name = parameter.type.replace(' ', ''), parameter.name
            if 'aclTensor' in kind:
                if first and 'condition' in name.lower():
                    made = type_of('bool', True)
                elif first:
                    made, first = type_of(self.type_name), False
                elif INDEX_NAME.search(name):
                    made = type_of('int64', True)
                else:
                    made = type_of('bool', True) if MASK_NAME.search(name) else type_of(self.type_name, not l0)
                given.append(Tensor(name, made, 'Optional' in name, 'List' in kind))
            elif 'aclOpExecutor' in kind:
                given.append(Thing('executor'))
            elif 'aclScalar' in kind and 'List' not in kind:
                given.append(Thing('scalar', name))
            elif 'DataType' in kind:
                given.append(type_of(self.type_name))
            else:
                given.append(Unknown(name, 'uint64_t*' in kind and not (parameter.default is not None and l0)))
        return given

    def explore(self, routine, most, l0=False):
        """(paths, whether there are more): the paths nearest to the one where every condition holds come first."""
        found, pending = [], [[]]
        while pending:
            if len(found) >= most:
                return found, True
            choices = list(pending.pop())
            before = len(choices)
            self.reset(choices)
            try:
                result, outcome = self.run(routine, self.arguments_of(routine, l0))[0], 'ok'
            except OutOfFuel:
                result, outcome = None, 'fuel'
                self.routines, self.depth = [], 0
            found.append(Path(outcome, result, self.trace, self.events, self.requirements, self.checks))
            pending += [choices[:number] + [False] for number in range(before, len(choices))]
            pending.sort(key=lambda tried: (sum(1 for choice in tried if not choice), len(tried)), reverse=True)
        return found, False

    def launch(self, unit, op, type_name, types, line):
        self.events.append(Event(unit, op, str(type_name), self.routines[-1].name if self.routines else '', types, self.path, line))

    def rejected(self, path):
        return path.result is False or isinstance(path.result, Constant) and path.result == ERROR


def as_map(pairs):
    if pairs and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return {words(key): value for key, value in pairs}
    return pairs


def argument_key(value):
    if isinstance(value, Tensor):
        return 'tensor', value.name, str(value.type), value.type.assumed, value.optional
    if isinstance(value, str):
        return 'text', str(value), getattr(value, 'assumed', False)
    if isinstance(value, list):
        return tuple(map(argument_key, value))
    if isinstance(value, Unknown):
        return 'unknown', value.text
    return value.kind if isinstance(value, Thing) else str(value)[:40]


def helper_key(value):
    """Helpers do the same whatever the names of their arguments."""
    if isinstance(value, Tensor):
        return 'tensor', str(value.type), value.type.assumed
    return argument_key(value)


def result_key(value):
    if isinstance(value, Tensor):
        return str(value.type)
    if isinstance(value, list):
        return tuple(map(result_key, value))
    if isinstance(value, Unknown):
        return 'unknown ' + value.text
    return repr(value) if isinstance(value, (bool, int, float, str)) else str(type(value))


def copied(value):
    if isinstance(value, Tensor):
        return value.copy()
    if isinstance(value, list):
        return type(value)(map(copied, value))
    return value
