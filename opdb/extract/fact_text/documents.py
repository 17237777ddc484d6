"""YAML as the vendors write it: one document of lists, maps and text whose parts know their places. What such a list never has
(anchors, aliases, tags, a key twice in a map) is an error."""
import itertools

import yaml

from fact_text.tables import Malformed, Place, read_text

LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
DEPTH = 16


class Text(str):
    kind = 'text'

    @classmethod
    def read(cls, event, place):
        text = cls(event.value.strip())
        text.place, text.plain = place, not event.style
        return text


class List(list):
    kind = 'a list'


class Map(dict):
    kind = 'a map'


class Reader:
    def __init__(self, name, text):
        self.name, self.events = name, yaml.parse(text, LOADER)

    def place(self, mark):
        return Place(self.name, mark.line + 1 if mark else 1)

    def document(self):
        try:
            next(self.events)
            if isinstance(next(self.events), yaml.StreamEndEvent):
                return None
            root = self.node(next(self.events))
            next(self.events)
            after = next(self.events)
        except yaml.YAMLError as error:
            place = self.place(getattr(error, 'problem_mark', None))
            raise Malformed(place, 'not YAML: %s' % getattr(error, 'problem', error)) from error
        if not isinstance(after, yaml.StreamEndEvent):
            raise Malformed(self.place(after.start_mark), 'a second document begins here')
        return root

    def node(self, event, depth=0):
        place = self.place(event.start_mark)
        if depth > DEPTH:
            raise Malformed(place, 'nested more than %d levels deep' % DEPTH)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise Malformed(place, 'an anchor (&) or alias (*) is not expected here')
        if event.tag:
            raise Malformed(place, 'a tag (!) is not expected here')
        if isinstance(event, yaml.ScalarEvent):
            return Text.read(event, place)
        if isinstance(event, yaml.SequenceStartEvent):
            node = List(self.node(item, depth + 1) for item in self.until(yaml.SequenceEndEvent))
        else:
            node = self.map(depth)
        node.place = place
        return node

    def until(self, end):
        return itertools.takewhile(lambda event: not isinstance(event, end), self.events)

    def map(self, depth):
        found = Map()
        for event in self.until(yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if not isinstance(key, Text):
                raise Malformed(key.place, 'a key must be text')
            if key in found:
                first = next(other for other in found if other == key)
                raise Malformed(key.place, 'key "%s" is in line %d already' % (key, first.place.line))
            found[key] = self.node(next(self.events), depth + 1)
        return found


def parse(name, text):
    """The document as Text, List and Map; None where it has no content."""
    return Reader(name, text).document()


def load(path):
    return parse(path, read_text(path))


def load_list(path, of):
    return check_list(path, load(path), of)


def check_list(path, root, of):
    if not isinstance(root, List):
        raise Malformed(getattr(root, 'place', Place(path)), 'expected a list %s' % of)
    return root


def check_keys(entry, known):
    for key in entry:
        if key not in known:
            raise Malformed(key.place, 'unknown key "%s"' % key)


def is_empty(node):
    """Whether a key has no value: absent, "", null or ~."""
    return not node or (isinstance(node, Text) and node.plain and node.lower() in ('~', 'null'))


def as_bool(node):
    """True or False of a YAML boolean, None for anything else."""
    return {'true': True, 'false': False}.get(node.lower()) if isinstance(node, Text) and node.plain else None


def words(node):
    """The words of text with commas, or of a list of such."""
    texts = [node] if isinstance(node, Text) else node if isinstance(node, List) else []
    return [word.strip() for text in texts if isinstance(text, Text) for word in text.split(',') if word.strip()]
