"""What the rows of a page's table of operators open to, from the block of data that the script builds them from."""
import json
import re


def block(page):
    return json.loads(re.search(r'id="operator-data">(.*?)</script>', page, re.S)[1])


def cells(page):
    """Name of an operator -> the cells of its statuses."""
    data = block(page)
    return {row[0]: "".join(data["texts"][cell] for cell in row[5]) for row in data["rows"]}


def rows(page):
    """Name of an operator -> its cells and details as HTML."""
    data = block(page)

    def html(part):
        if not isinstance(part, list):
            return data["texts"][part]
        return "".join(map(html, part[1:])) if part[:1] == [-1] else "<li>%s</li>" % "".join(map(html, part))

    return {row[0]: "".join(data["texts"][cell] for cell in row[5]) + "".join(map(html, row[7])) for row in data["rows"]}


def without(page):
    """The page as a reader without a script has it."""
    return re.sub(r"<script.*?</script>\n?", "", page, flags=re.S)
