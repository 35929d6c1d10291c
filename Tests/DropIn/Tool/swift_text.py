"""Swift source as text: where strings, comments and brackets begin and end, and the arguments of calls."""

import re

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {")": "(", "]": "[", "}": "{"}
NAME = re.compile(r"[A-Za-z_]\w*")


def end_of_string(text, start):
    """The offset after the string literal that begins at `start`, whose quote may follow number signs."""
    signs = 0
    while text.startswith("#", start + signs):
        signs += 1
    quotes = '"""' if text.startswith('"""', start + signs) else '"'
    close, index = quotes + "#" * signs, start + signs + len(quotes)
    escape = "\\" + "#" * signs
    while index < len(text):
        if text.startswith(close, index):
            return index + len(close)
        if text.startswith(escape + "(", index):
            index = end_of_brackets(text, index + len(escape))
        elif text.startswith(escape, index):
            index += len(escape) + 1
        else:
            index += 1
    return len(text)


def skip(text, index):
    """The offset after a string or a comment that begins at `index`; `index` itself where none begins."""
    if text.startswith("//", index):
        end = text.find("\n", index)
        return len(text) if end < 0 else end
    if text.startswith("/*", index):
        end = text.find("*/", index)
        return len(text) if end < 0 else end + 2
    if re.match(r'#*"', text[index:index + 8]):
        return end_of_string(text, index)
    return index


def end_of_brackets(text, start):
    """The offset after the bracket that closes the one at `start`."""
    depth, index = 0, start
    while index < len(text):
        after = skip(text, index)
        if after > index:
            index = after
            continue
        if text[index] in OPENING:
            depth += 1
        elif text[index] in CLOSING:
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    return len(text)


def brackets(text):
    """The brackets that stay open at the end of a text, and those that close what was never opened."""
    stack, strays, index = [], [], 0
    while index < len(text):
        after = skip(text, index)
        if after > index:
            index = after
            continue
        letter = text[index]
        if letter in OPENING:
            stack.append(letter)
        elif letter in CLOSING:
            if stack and stack[-1] == CLOSING[letter]:
                stack.pop()
            else:
                strays.append(letter)
        index += 1
    return stack, strays


def split(text, separator=","):
    """The parts of a text between separators outside all brackets and strings."""
    parts, start, index = [], 0, 0
    while index < len(text):
        after = skip(text, index)
        if after == index and text[index] in OPENING:
            after = end_of_brackets(text, index)
        if after > index:
            index = after
            continue
        if text[index] == separator:
            parts.append(text[start:index])
            start = index + 1
        index += 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def arguments(text, opening):
    """The (label, value) pairs of the call whose bracket stands at `opening`, trailing closures too."""
    end = end_of_brackets(text, opening)
    found = []
    for part in split(text[opening + 1:end - 1]):
        label = re.match(r"([A-Za-z_]\w*)\s*:(?!:)", part)
        found.append((label.group(1), part[label.end():].strip()) if label else (None, part))
    closure = re.match(r"\s*\{", text[end:])
    if closure and "\n" not in closure.group(0):
        found.append((None, text[end + closure.end() - 1:end_of_brackets(text, end + closure.end() - 1)]))
    return found


def calls(text, name):
    """The arguments of each call of a name, whatever stands before it."""
    found = []
    for match in re.finditer(r"(?<![\w#])" + re.escape(name) + r"\s*(?=\()", text):
        found.append(arguments(text, match.end()))
    for match in re.finditer(r"(?<![\w#])" + re.escape(name) + r"\s*(?=\{)", text):
        found.append([(None, text[match.end():end_of_brackets(text, match.end())])])
    return found
