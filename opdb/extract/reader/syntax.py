"""A tolerant parser of C++: lists, constants, functions and their statements, as far as host code of operators uses them.

What cannot be read becomes an Opaque expression or an Empty statement; a function that cannot be read is named in Unit.errors.
Preprocessor lines are left out and both branches of a condition are read."""
import re
from collections import namedtuple

Name = namedtuple('Name', 'name template')
Number = namedtuple('Number', 'text')
String = namedtuple('String', 'text')
Opaque = namedtuple('Opaque', 'text')
Call = namedtuple('Call', 'function arguments line')
Member = namedtuple('Member', 'base name')
Index = namedtuple('Index', 'base index')
Unary = namedtuple('Unary', 'sign value')
Binary = namedtuple('Binary', 'sign left right')
Choice = namedtuple('Choice', 'condition yes no')
Braces = namedtuple('Braces', 'items')
Constructor = namedtuple('Constructor', 'type arguments')
Assign = namedtuple('Assign', 'sign target value')
Lambda = namedtuple('Lambda', 'parameters body')
Jump = namedtuple('Jump', 'word value line')  # return, break, continue; also as a macro's argument
Variable = namedtuple('Variable', 'name type value line')
Declare = namedtuple('Declare', 'variables')
Bind = namedtuple('Bind', 'names value')
Block = namedtuple('Block', 'statements')
Evaluate = namedtuple('Evaluate', 'value line')
If = namedtuple('If', 'condition yes no line')
For = namedtuple('For', 'first condition step body')
ForEach = namedtuple('ForEach', 'names values body')
While = namedtuple('While', 'condition body')
Switch = namedtuple('Switch', 'value cases')
Empty = namedtuple('Empty', '')
Parameter = namedtuple('Parameter', 'name type default')
Function = namedtuple('Function', 'name parameters body line namespace')
Unit = namedtuple('Unit', 'functions variables errors')

TOKEN = re.compile(r'(?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)|(?P<string>R"\(.*?\)"|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\')'
                   r'|(?P<number>\d[\w.]*(?:(?<=[eE])[+-]\d+[fFlL]?)?)|(?P<name>[A-Za-z_]\w*)'
                   r'|(?P<sign>::|->|\+\+|--|<<=|>>=|<=|>=|==|!=|&&|\|\||[-+*/%|&^]=|<<|\.\.\.|[-+*/%<>=!&|^~?:;,.(){}\[\]@$])|(?P<other>.)', re.S)
QUALIFIERS = set('static const inline constexpr extern volatile typename struct unsigned signed mutable register thread_local __attribute__'.split())
NOT_TYPES = set('return if else for while switch case break continue using delete goto'.split())
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '%=', '|=', '&=', '^=', '<<=', '>>='}
BINDING = {'||': 1, '&&': 2, '|': 3, '^': 4, '&': 5, '==': 6, '!=': 6, '<': 7, '>': 7, '<=': 7, '>=': 7, '<<': 8, '>>': 8, '+': 9, '-': 9,
           '*': 10, '/': 10, '%': 10}
CLOSING = {'(': ')', '[': ']', '{': '}', '<': '>'}
VALUE_TYPES = re.compile(r'(u?int\d*_t|int|float|double|bool|size_t|char|long|void|op::DataType|DataType)$')
CONTAINERS = re.compile(r'(vector|initializer_list|Shape|array|tuple|FVector|pair|Strides|bitset)$')
LONGEST_TEMPLATE_LIST = 60


class SyntaxProblem(Exception):
    pass


def tokens_of(source):
    """(kind, text, line) of every token; preprocessor lines are blank."""
    source = re.sub(r'^[ \t]*#(?:[^\n\\]|\\\n|\\.)*', lambda m: '\n' * m[0].count('\n'), source, flags=re.M)
    found, line = [], 1
    for token in TOKEN.finditer(source):
        if token.lastgroup not in ('space', 'other'):
            found.append((token.lastgroup, token[0], line))
        line += token[0].count('\n')
    return found


class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens + [('end', '', tokens[-1][2] if tokens else 0)], 0

    # --- tokens

    def text(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def line(self):
        return self.tokens[self.at][2]

    def ended(self):
        return self.kind() == 'end'

    def next(self):
        if self.ended():
            raise SyntaxProblem('the file ends')
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, text):
        if self.text() != text:
            raise SyntaxProblem('%s instead of %s in line %d' % (self.text(), text, self.line()))
        self.at += 1

    def accept(self, *texts):
        if self.text() in texts and not self.ended():
            self.at += 1
            return True
        return False

    def skip_balanced(self, opening):
        depth = 0
        while True:
            text = self.next()
            depth += (text == opening) - (text == CLOSING[opening])
            if depth == 0:
                return

    def skip_past(self, text):
        while self.next() != text:
            pass

    def tried(self, parse):
        """What parse() reads, or None at the place where it began."""
        start = self.at
        try:
            return parse()
        except SyntaxProblem:
            self.at = start
            return None

    # --- names

    def template_list(self):
        """The texts between < and >, or None if this < compares."""
        start, depth, current, found = self.at, 0, [], []
        while not self.ended():
            kind, text, _ = self.tokens[self.at]
            if text == '<':
                depth += 1
            elif text == '>':
                depth -= 1
                if depth == 0:
                    self.at += 1
                    return found + [' '.join(current)]
            elif not (kind in ('name', 'number') or text in ('::', '*', '&', ',', '[', ']', '(', ')', '-')) or self.at - start > LONGEST_TEMPLATE_LIST:
                break
            if text == ',' and depth == 1:
                found.append(' '.join(current))
                current = []
            elif text != '<' or depth > 1:
                current.append(text)
            self.at += 1
        self.at = start
        return None

    def qualified(self, declares=False):
        """a::b<c>: (name, template list or None)."""
        parts, template = [], None
        self.accept('::')
        while True:
            if self.kind() != 'name':
                raise SyntaxProblem('no name in line %d: %s' % (self.line(), self.text()))
            parts.append(self.next())
            if self.text() == '<':
                start = self.at
                found = self.template_list()
                if found is not None and (declares or self.text() in ('(', '{', '::')):
                    template = found
                else:
                    self.at = start
            if self.text() == '::' and self.kind(1) == 'name':
                self.at += 1
                continue
            return '::'.join(parts), template

    # --- expressions

    def expression(self):
        target = self.choice()
        if self.text() in ASSIGNMENTS:
            sign = self.next()
            return Assign(sign, target, self.value())
        return target

    def value(self):
        return self.braces() if self.text() == '{' else self.expression()

    def braces(self):
        self.expect('{')
        items = []
        while not self.accept('}'):
            if self.accept('.'):
                self.next()
                self.expect('=')
            items.append(self.value())
            if not self.accept(',') and self.text() != '}':
                raise SyntaxProblem('list in line %d' % self.line())
        return Braces(items)

    def choice(self):
        condition = self.binary(1)
        if not self.accept('?'):
            return condition
        yes = self.value()
        self.expect(':')
        return Choice(condition, yes, self.value())

    def binary(self, least):
        left = self.unary()
        while True:
            sign = '>>' if self.text() == '>' and self.text(1) == '>' else self.text()
            if BINDING.get(sign, 0) < least or self.kind() == 'string':
                return left
            self.at += 2 if sign == '>>' else 1
            left = Binary(sign, left, self.binary(BINDING[sign] + 1))

    def unary(self):
        text = self.text()
        if text in ('!', '-', '+', '~', '*', '&', '++', '--'):
            self.at += 1
            return Unary(text, self.unary())
        if text == 'sizeof':
            self.at += 1
            if self.text() == '(':
                self.skip_balanced('(')
            return Opaque('sizeof')
        if text in ('new', 'delete', 'throw'):
            raise SyntaxProblem(text)
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while True:
            text = self.text()
            if text == '(':
                line = self.line()
                value = Call(value, self.arguments(), line)
            elif text == '[':
                self.at += 1
                value = Index(value, self.expression())
                self.expect(']')
            elif text in ('.', '->'):
                self.at += 1
                self.accept('template')
                value = Member(value, self.qualified()[0])
            elif text in ('++', '--'):
                value = Unary(self.next(), value)
            elif text == '{' and isinstance(value, Name) and (value.template is not None or CONTAINERS.search(value.name)):
                line = self.line()
                value = Call(value, [self.braces()], line)
            else:
                return value

    def arguments(self):
        self.expect('(')
        found = []
        while not self.accept(')'):
            argument = self.tried(self.argument)
            found.append(self.unread_argument() if argument is None else argument)
            self.accept(',')
        return found

    def argument(self):
        if self.text() in ('return', 'continue', 'break'):  # of a macro
            word = self.next()
            found = Jump(word, None if self.text() in (')', ',', ';') else self.value(), self.line())
            self.accept(';')
        else:
            found = self.value()
        if self.text() not in (',', ')'):
            raise SyntaxProblem('argument in line %d' % self.line())
        return found

    def unread_argument(self):
        depth, texts = 0, []
        while not self.ended() and not (depth == 0 and self.text() in (',', ')')):
            depth += (self.text() in '([{') - (self.text() in ')]}')
            texts.append(self.next())
        return Opaque(' '.join(texts))

    def primary(self):
        text = self.text()
        if text == '(':
            cast = self.tried(self.cast)
            return cast if cast is not None else self.parenthesised()
        if text == '[':
            return self.lambda_function()
        if text == '{':
            return self.braces()
        if self.kind() == 'number':
            return Number(self.next())
        if self.kind() == 'string':
            parts = []
            while self.kind() == 'string' or self.kind() == 'name' and self.text().startswith('PRI'):
                parts.append(self.next())
            return String(''.join(parts))
        if self.kind() == 'name' or text == '::':
            return Name(*self.qualified())
        raise SyntaxProblem('%s in line %d' % (text, self.line()))

    def cast(self):
        """(type)value; the value alone is of interest."""
        self.expect('(')
        while self.accept(*QUALIFIERS):
            pass
        name, pointer = self.qualified(True)[0], False
        while self.accept('*', '&', 'const'):
            pointer = True
        self.expect(')')
        if not (pointer or VALUE_TYPES.match(name)) or not (self.kind() in ('name', 'number') or self.text() in ('(', '*', '-')):
            raise SyntaxProblem('no cast')
        return self.unary()

    def parenthesised(self):
        self.expect('(')
        value = self.value()
        while self.accept(','):
            value = self.expression()
        self.expect(')')
        return value

    def lambda_function(self):
        self.skip_balanced('[')
        parameters = self.parameters() if self.text() == '(' else []
        while self.text() != '{' and not self.ended():
            self.at += 1
        return Lambda(parameters, self.block())

    # --- declarations

    def declaration(self):
        return self.tried(self.read_declaration)

    def read_declaration(self):
        while self.accept(*QUALIFIERS):
            pass
        if self.accept('auto'):
            while self.accept('&', '*', 'const', '&&'):
                pass
            if self.text() == '[':
                names = self.bound_names()
                self.expect('=')
                value = self.expression()
                self.expect(';')
                return Bind(names, value)
            type_name = 'auto'
        else:
            if self.kind() != 'name' or self.text() in NOT_TYPES:
                raise SyntaxProblem('no type')
            type_name, template = self.qualified(True)
            while self.text() in ('int', 'long', 'char', 'double'):
                type_name += ' ' + self.next()
            type_name += '<%s>' % ','.join(template) if template else ''
        while self.accept('*', '&', 'const', '&&', 'constexpr'):
            pass
        variables = [self.variable(type_name)]
        while self.accept(','):
            variables.append(self.variable(type_name))
        self.expect(';')
        return Declare(variables)

    def bound_names(self):
        self.expect('[')
        names = []
        while not self.accept(']'):
            names.append(self.next())
            self.accept(',')
        return names

    def variable(self, type_name):
        while self.accept('*', '&'):
            pass
        if self.kind() != 'name' or self.text(1) == '::':
            raise SyntaxProblem('no variable')
        line, name, value = self.line(), self.next(), None
        while self.text() == '[':
            self.skip_balanced('[')
        if self.accept('='):
            value = self.value()
        elif self.text() == '{':
            value = self.braces()
        elif self.text() == '(':
            value = Constructor(type_name, self.arguments())
        elif self.text() not in (';', ','):
            raise SyntaxProblem('no variable')
        return Variable(name, type_name, value, line)

    def parameters(self):
        """The parameters of a function, separated by commas outside brackets."""
        self.expect('(')
        groups, depth, current = [], 0, []
        while True:
            if self.ended():
                raise SyntaxProblem('parameters')
            text = self.text()
            if depth == 0 and text in (',', ')'):
                groups += [current] if current else []
                current = []
                self.at += 1
                if text == ')':
                    return [parameter_of(group) for group in groups]
                continue
            depth += (text in CLOSING) - (text in CLOSING.values())
            current.append(self.tokens[self.at])
            self.at += 1

    # --- statements

    def block(self):
        self.expect('{')
        found = []
        while not self.accept('}'):
            found.append(self.statement())
        return Block(found)

    def statement(self):
        read = {'{': self.block, 'if': self.if_statement, 'for': self.for_statement, 'while': self.while_statement, 'do': self.do_statement,
                'switch': self.switch_statement, 'try': self.try_statement}.get(self.text())
        if read:
            return read()
        if self.accept(';'):
            return Empty()
        line = self.line()
        if self.text() in ('return', 'break', 'continue'):
            word = self.next()
            value = None if word != 'return' or self.text() == ';' else self.value()
            self.accept(';')
            return Jump(word, value, line)
        if self.text() in ('using', 'typedef', 'static_assert'):
            self.skip_past(';')
            return Empty()
        if self.text() in ('struct', 'class') and self.kind(1) == 'name' and self.text(2) == '{':
            self.at += 2
            self.skip_balanced('{')
            self.accept(';')
            return Empty()
        return self.declaration() or self.tried(self.expression_statement) or self.unread_statement()

    def expression_statement(self):
        line, value = self.line(), self.expression()
        while self.accept(','):
            value = self.expression()
        if not self.accept(';') and not isinstance(value, Call):
            raise SyntaxProblem('statement in line %d' % line)
        return Evaluate(value, line)

    def unread_statement(self):
        start, depth = self.at, 0
        while not self.ended() and not (depth == 0 and self.text() == '}'):
            text = self.next()
            depth += (text in '([{') - (text in ')]}')
            if text == ';' and depth <= 0:
                break
        self.at = max(self.at, start + 1)
        return Empty()

    def condition(self):
        """The condition in the brackets of an if, or the variable declared there."""
        def plain():
            value = self.expression()
            if self.text() != ')':
                raise SyntaxProblem('condition')
            return value
        found = self.tried(plain)
        if found is None:
            while self.accept(*QUALIFIERS):
                pass
            self.qualified(True)
            while self.accept('*', '&', 'const'):
                pass
            name = self.next()
            self.expect('=')
            found = Assign('=', Name(name, None), self.expression())
        self.expect(')')
        return found

    def if_statement(self):
        line = self.line()
        self.expect('if')
        self.accept('constexpr')
        self.expect('(')
        before = self.declaration()
        condition = self.condition()
        yes = self.statement()
        found = If(condition, yes, self.statement() if self.accept('else') else None, line)
        return Block([before, found]) if before else found

    def for_statement(self):
        self.expect('for')
        return self.tried(self.for_each) or self.for_counted()

    def for_each(self):
        self.expect('(')
        while self.accept(*QUALIFIERS):
            pass
        if not self.accept('auto'):
            self.qualified(True)
        while self.accept('&', '*', 'const', '&&'):
            pass
        names = self.bound_names() if self.text() == '[' else [self.next()]
        self.expect(':')
        values = self.value()
        self.expect(')')
        return ForEach(names, values, self.statement())

    def for_counted(self):
        self.expect('(')
        first = None
        if not self.accept(';'):
            first = self.declaration()
            if first is None:
                values = [self.expression()]
                while self.accept(','):
                    values.append(self.expression())
                self.expect(';')
                first = Block([Evaluate(value, self.line()) for value in values])
        condition = None if self.text() == ';' else self.expression()
        self.expect(';')
        step = []
        while not self.accept(')'):
            step.append(self.expression())
            self.accept(',')
        return For(first, condition, step, self.statement())

    def while_statement(self):
        self.expect('while')
        self.expect('(')
        condition = self.condition()
        return While(condition, self.statement())

    def do_statement(self):
        self.expect('do')
        body = self.statement()
        self.expect('while')
        self.skip_balanced('(')
        self.accept(';')
        return body

    def switch_statement(self):
        self.expect('switch')
        self.expect('(')
        value, cases = self.condition(), []
        self.expect('{')
        while not self.accept('}'):
            if self.accept('case'):
                label = self.choice()
                self.expect(':')
                cases.append((label, []))
            elif self.accept('default'):
                self.expect(':')
                cases.append((None, []))
            else:
                statement = self.statement()
                if cases:
                    cases[-1][1].append(statement)
        return Switch(value, cases)

    def try_statement(self):
        self.expect('try')
        body = self.block()
        while self.accept('catch'):
            self.skip_balanced('(')
            self.skip_balanced('{')
        return body


def parameter_of(tokens):
    texts, default = [text for _, text, _ in tokens], None
    if '=' in texts:
        at = texts.index('=')
        parser = Parser(tokens[at + 1:])
        default = parser.tried(parser.value) or Opaque(' '.join(texts[at + 1:]))
        texts = texts[:at]
    while texts and (texts[-1] in ('[', ']') or len(texts) > 1 and texts[-1].isdigit()):
        texts.pop()
    named = len(texts) > 1 and re.match(r'[A-Za-z_]\w*$', texts[-1]) and texts[-1] != 'const'
    return Parameter(texts[-1] if named else '', ' '.join(texts[:-1] if named else texts), default)


class FileParser(Parser):
    """Functions, variables and namespaces of one file."""

    def __init__(self, source):
        super().__init__(tokens_of(source))
        self.unit, self.spaces = Unit([], {}, []), []

    def parse(self):
        while not self.ended():
            start = self.at
            try:
                self.top_level()
            except SyntaxProblem as problem:
                self.unit.errors.append(('', str(problem)))
                self.at = max(self.at, start + 1)
        return self.unit

    def top_level(self):
        text = self.text()
        if text == 'namespace':
            self.namespace()
        elif text == 'extern' and self.kind(1) == 'string':
            self.at += 2
            if self.accept('{'):
                self.spaces.append('extern')
        elif text == '}':
            self.at += 1
            self.spaces[-1:] = []
        elif text == ';':
            self.at += 1
        elif text in ('using', 'typedef', 'static_assert'):
            self.skip_past(';')
        elif text == 'template':
            self.at += 1
            if self.text() == '<':
                self.skip_balanced('<')
        elif not (text in ('struct', 'class', 'enum', 'union') and self.type_definition()):
            self.variable_or_function()

    def namespace(self):
        self.expect('namespace')
        name = ''
        while self.text() not in ('{', ';', '='):
            name += self.next()
        if self.accept('{'):
            self.spaces.append(name)
        else:
            self.skip_past(';')

    def type_definition(self):
        start = self.at
        is_enum = self.text() == 'enum'
        while self.text() not in ('{', ';', '(', '=') and not self.ended():
            self.at += 1
        if self.text() == '{':
            self.skip_balanced('{')
            while self.kind() == 'name':
                self.at += 1
            self.accept(';')
            return True
        self.at = start
        if is_enum:
            self.skip_past(';')
        return is_enum

    def variable_or_function(self):
        declared = self.declaration()
        if declared:
            for variable in declared.variables if isinstance(declared, Declare) else ():
                self.unit.variables[variable.name] = variable
            return
        start = self.at
        while not self.ended() and self.text() not in (';', '}'):
            if self.text() == '<':
                if self.template_list() is None:
                    self.at += 1
            elif self.text() == '(':
                if self.function(start):
                    return
                break
            elif self.text() == '{':
                self.skip_balanced('{')
                break
            else:
                self.at += 1
        if self.text() == ';' or self.at == start:
            self.at += 1

    def function(self, start):
        """A definition or declaration whose parameters open here; False if it is something else."""
        name, line, at = self.tokens[self.at - 1][1], self.tokens[self.at - 1][2], self.at - 2
        while at > start and self.tokens[at][1] == '::':
            name = self.tokens[at - 1][1] + '::' + name
            at -= 2
        parameters = self.parameters()
        while self.accept('const', 'noexcept', 'override', 'final'):
            pass
        if self.accept(';'):
            return True
        if self.text() != '{':
            return False
        body = self.at
        try:
            self.unit.functions.append(Function(name, parameters, self.block(), line, '::'.join(self.spaces)))
        except SyntaxProblem as problem:
            self.unit.errors.append((name, str(problem)))
            self.at = body
            self.skip_balanced('{')
        return True


def parse(source):
    return FileParser(source).parse()


def shown(value):
    """An expression as text on one line, without the namespaces of its names."""
    if value is None:
        return ''
    if isinstance(value, Name):
        return value.name.split('::')[-1]
    if isinstance(value, (Number, String, Opaque)):
        return value.text
    if isinstance(value, Call):
        return '%s(%s)' % (shown(value.function), ', '.join(map(shown, value.arguments)))
    if isinstance(value, Member):
        return '%s.%s' % (shown(value.base), value.name)
    if isinstance(value, Index):
        return '%s[%s]' % (shown(value.base), shown(value.index))
    if isinstance(value, Unary):
        return value.sign + shown(value.value)
    if isinstance(value, Binary):
        return '%s %s %s' % (shown(value.left), value.sign, shown(value.right))
    if isinstance(value, Choice):
        return '%s?%s:%s' % (shown(value.condition), shown(value.yes), shown(value.no))
    if isinstance(value, Braces):
        return '{%s}' % ', '.join(map(shown, value.items))
    if isinstance(value, Assign):
        return shown(value.target) + value.sign + shown(value.value)
    return type(value).__name__.lower()
