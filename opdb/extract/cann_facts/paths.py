"""The paths of an interpreted function as a decision tree, and what still tells them apart as words."""
import re

OPPOSITE = {'==': '!=', '!=': '==', '<=': '>', '>=': '<', '<': '>=', '>': '<='}
UNSEEN = ('unseen',)
REJECTED = 'rejected'


def tree(paths):
    """paths: [(trace, label)], a trace being [(condition, choice)]: ('leaf', label), ('fork', condition, yes, no) or UNSEEN."""
    if not paths:
        return UNSEEN
    ended = next((label for trace, label in paths if not trace), None)
    if any(not trace for trace, _ in paths):
        return 'leaf', ended
    condition = paths[0][0][0][0]
    sides = [tree([(trace[1:], label) for trace, label in paths if trace[0] == (condition, choice)]) for choice in (True, False)]
    return ('fork', condition, *sides)


def collapsed(node):
    """The tree without forks that change nothing; what is rejected or unseen on one side says nothing about the other."""
    if node[0] != 'fork':
        return node
    yes, no = collapsed(node[2]), collapsed(node[3])
    if yes == no:
        return yes
    for side, other in ((yes, no), (no, yes)):
        if side in (UNSEEN, ('leaf', REJECTED)):
            return other
    return 'fork', node[1], yes, no


def leaves(node, before=()):
    """(conditions, label) of every leaf."""
    if node[0] == 'leaf':
        yield before, node[1]
    elif node[0] == 'fork':
        yield from leaves(node[2], (*before, (node[1], True)))
        yield from leaves(node[3], (*before, (node[1], False)))


def opposite(condition):
    compared = re.match(r'^(.*) (==|!=|<=|>=|<|>) ([^&|]*)$', condition)
    if compared and '&&' not in condition and '||' not in condition:
        return '%s %s %s' % (compared[1], OPPOSITE[compared[2]], compared[3])
    return 'not(%s)' % condition


def conjunction(conditions):
    return ' & '.join(('(%s)' % text if '||' in text else text) if choice else opposite(text) for text, choice in conditions)


def in_words(text):
    """A condition in the short words of the tables."""
    for code, said in (('&&', '&'), ('||', '|'), (' == ', '=='), (' != ', '!='), (' <= ', '<='), (' >= ', '>='), (' < ', '<'), (' > ', '>')):
        text = text.replace(code, said)
    text = re.sub(r'\bstd::', '', re.sub(r'GetViewShape\((\w+)\)', r'shape(\1)', text))
    text = re.sub(r'size\((\w+),rank\(\1\) - 1\)', r'size(\1,last)', text)
    text = re.sub(r'\b(\w*[dD]im\w*|axis)(==|!=)rank\(\w+\) - 1', r'\1\2last', text)
    text = re.sub(r'not\(!\(([^()&|]*)\)\)', r'\1', text)
    text = re.sub(r'!\(([^()&|=<>!]*|\w+\([^()]*\))\)', r'not \1', text)
    text = re.sub(r'!\((\S+?)==(\S+?)\)', r'\1!=\2', text)
    text = re.sub(r'rank\((\w+)\) - 1\b', 'last', re.sub(r'\b\d+ \* size\b', 'bytes', text))
    return re.sub(r'\s+', ' ', text).strip()


def cut(text, longest):
    return text if len(text) <= longest else text[:longest - 2] + '..'


def alternatives(conditions, most):
    """Conditions joined by OR, the shortest first; '' if one of them is always."""
    different = sorted(dict.fromkeys(conditions), key=len)
    if '' in different:
        return ''
    said = ' OR '.join(cut(text, 170) for text in different[:most])
    return said + (' OR +%d more' % (len(different) - most) if len(different) > most else '')


def when(paths, wanted):
    """The conditions in words under which the label of a path is the wanted one."""
    return [in_words(conjunction(conditions)) for conditions, label in leaves(collapsed(tree(paths))) if label == wanted and label is not False]
