"""One call site under one door: its file, the stubs that it needs, and what the compiler says in the end."""

import copy
import re

from stubs import BRIDGED, Stubs
from swift_text import end_of_brackets

ROUNDS = 9

# Classes that Foundation keeps in a module of its own off Apple.
NETWORKING = re.compile(r"\b(HTTPCookie\w*|URLRequest|URLSession\w*|HTTPURLResponse|URLResponse|URLCredential|URLCache)\b")


class Attempt:
    """A reading of a snippet with the stubs that are known so far."""

    def __init__(self, name, body, imports):
        self.name, self.body, self.imports = name, body, imports
        self.stubs = Stubs(body)
        self.errors = None

    @property
    def text(self):
        stubs = self.stubs.declarations()
        if "PredicateFoundation" in self.imports:
            # As types these two names are ambiguous here; a stub is not what is judged.
            stubs = re.sub(r"(?<![\w.])(NSExpression|NSComparisonPredicate)\b", r"PredicateFoundation.\1", stubs)
        modules = self.imports + (["FoundationNetworking"] if NETWORKING.search(self.body) else [])
        return "".join(f"import {module}\n" for module in modules) + stubs + self.body

    def learn(self, errors):
        """Declares what the errors miss; false if they say nothing new."""
        self.errors = errors
        lines = self.text.split("\n")
        changed = False
        for error in errors:
            changed = self.learn_one(error, lines) or changed
        return changed

    def learn_one(self, error, lines):
        message, stubs = error.message, self.stubs
        match = re.match(r"cannot find type '(\w+)' in scope", message)
        if match:
            return stubs.add_name(match.group(1), True)
        match = re.match(r"cannot find '(\w+)' in scope", message)
        if match:
            return stubs.add_name(match.group(1), False)
        match = re.match(r"type '([^']+)'(?: \(aka '[^']+'\))? has no member '(\w+)'", message)
        if match and match.group(1)[0].islower():
            return stubs.add_name(match.group(1), False)
        if match:
            return stubs.add_static(match.group(1), match.group(2))
        match = re.match(r"instance member '(\w+)' cannot be used on type '([^']+)'", message)
        if match:
            return stubs.add_static(match.group(2), match.group(1))
        match = re.match(r"'(\w+)' is not a member type of \w+ '([^']+)'", message)
        if match:
            return stubs.add_static(match.group(2).split(".")[-1], match.group(1))
        if re.search(r"\bNS\w+\(", self.body) and re.search(
                r"(argument labels?|argument|no exact matches|cannot convert value) .*(in call|to initializer|'FormatPredicate')"
                r"|missing argument", message) and stubs.add_initializers():
            return True
        match = re.match(r"value of type '([^']+)'(?: \(aka '[^']+'\))? has no member '(\w+)'", message)
        if match and "->" in match.group(1):
            return self.hide_function(error, lines)
        if match:
            return stubs.add_extension(match.group(1), match.group(2), False)
        return self.learn_type(error, lines)

    def learn_type(self, error, lines):
        message, stubs, name = error.message, self.stubs, name_at(lines, error)
        if re.search(r"after type name|^expansion of macro '|value of type '\([^']*->", message):
            return self.hide_function(error, lines)
        match = re.search(r"cannot convert value of type 'Host' to .*?type '([^']+)'", message)
        if match and "class Host: UnknownHost" in self.body:
            kind = re.sub(r"[?!]$", "", match.group(1))
            self.body = self.body.replace("class Host: UnknownHost", f"extension {kind}", 1)
            return True
        if self.retype_elements(message, error, lines):
            return True
        match = re.search(
            r"cannot convert (?:return expression|value) of type '[^']*'(?: \(aka '[^']*'\))? to "
            r"(?:expected |specified |closure result |return )*(?:argument |element |condition |dictionary \w+ )?type '([^']+)'", message)
        if match and name:
            if stubs.retype(name, match.group(1)):
                return True
            return stubs.retype_member(last_of_chain(lines, error), match.group(1))
        match = re.search(r"'Unknown' is not convertible to '([^']+)'", message)
        if match and name:
            return stubs.retype(name, match.group(1))
        match = re.match(r"default argument value of type '\[Any\]' cannot be converted to type '(\w+)'", message)
        if match:
            return stubs.make_list(match.group(1))
        match = re.match(r"cannot infer contextual base in reference to member '(\w+)'", message)
        if match:
            return stubs.add_extension("Unknown", match.group(1), True)
        if "cannot infer type of closure parameter" in message and "class Host: UnknownHost" in self.body:
            self.body = self.body.replace("class Host: UnknownHost", "class Host: Unknown", 1)
            return True
        match = re.match(r"cannot use optional chaining on non-optional value of type '(\w+)'", message)
        if match and stubs.find_type(match.group(1)) and not stubs.find_type(match.group(1)).is_failable:
            stubs.find_type(match.group(1)).is_failable = True
            return True
        match = re.match(r"cannot assign value of type '([^']+)' to type 'Unknown'", message)
        if match:
            target = re.match(r"\s*(\w+)\s*=", lines[error.line - 1])
            return bool(target) and stubs.retype(target.group(1), match.group(1))
        if re.search(r"non-optional value of type|must have Optional type|non-optional type", message):
            return any([stubs.make_optional(name) for name in names_before(lines, error)])
        match = re.search(r"(?:type|class|value of type) '(\w+)' (?:does not conform|cannot conform) to protocol|"
                          r"requires that '(\w+)' (?:conform to|inherit from)", message)
        if match and name and name in stubs.values and stubs.values[name] == "Unknown":
            return False
        match = re.search(r"inheritance from non-protocol|multiple inheritance from classes '[^']*' and '(\w+)'", message)
        if match:
            return self.make_protocols(message)
        return False

    def hide_function(self, error, lines):
        """A name that the snippet means as a value, and that is a function, a type or a macro elsewhere."""
        for name in [name_at(lines, error)] + names_before(lines, error):
            if name and name not in self.stubs.values:
                self.stubs.values[name] = self.stubs.hints.get(name, "Unknown")
                return True
        return False

    def retype_elements(self, message, error, lines):
        """Names in an array whose elements have another type, and an array whose elements are cast in a closure."""
        match = re.search(r"of type '\[Unknown(?:\.Element)?\]'.* to expected argument type '\[([\w.]+)\]'", message)
        if match:
            text = "\n".join(lines[error.line - 1:])[error.column - 1:]
            opening = text.find("[")
            inside = text[opening:end_of_brackets(text, opening)] if opening >= 0 else ""
            plain = re.compile(r"(?<![\w.])([a-z]\w*)\b(?!\s*[(.:])")
            changed = [self.stubs.retype(name, match.group(1)) for name in plain.findall(inside)]
            if opening > 0 or not inside:
                changed += [self.stubs.retype(name, f"[{match.group(1)}]") for name in names_before(lines, error)[:1]]
            return any(changed)
        match = re.match(r"cannot convert value of type '\((\w+)\) -> .*' to expected argument type '\(Unknown", message)
        if match:
            receivers = re.findall(r"(?<![\w.])(\w+)\.(?:map|compactMap|filter|flatMap|forEach)\b", lines[error.line - 1])
            return any([self.stubs.retype(name, f"[{match.group(1)}]") for name in receivers])
        match = re.search(r"\(aka 'Unknown'\) to type '(\w+)' in coercion", message)
        if match and match.group(1) in BRIDGED:
            receivers = re.findall(r"(?<![\w.])(\w+)\.(?:map|compactMap|filter|flatMap|forEach)\b", lines[error.line - 1])
            return any([self.stubs.retype(name, f"[{BRIDGED[match.group(1)]}]") for name in receivers])
        return False

    def make_protocols(self, message):
        changed = False
        for name in re.findall(r"'(\w+)'", message) or list(self.stubs.types):
            stub = self.stubs.types.get(name)
            if stub and not stub.is_protocol:
                stub.is_protocol = changed = True
        return changed


def name_at(lines, error):
    """The name on which an error stands."""
    if not 0 < error.line <= len(lines):
        return None
    match = re.match(r"`?([A-Za-z_]\w*)", lines[error.line - 1][error.column - 1:])
    return match.group(1) if match else None


def last_of_chain(lines, error):
    """The last member of the chain that begins where an error stands: `expression` of `Order.ascending.expression`."""
    match = re.match(r"[\w.?!]*\w", lines[error.line - 1][error.column - 1:]) if 0 < error.line <= len(lines) else None
    return match.group(0).split(".")[-1] if match else None


def names_before(lines, error):
    """The names from which the chain comes that an error stands on, the last one first."""
    if not 0 < error.line <= len(lines):
        return []
    line = lines[error.line - 1]
    match = re.match(r"[\w.?!]*", line[error.column - 1:])
    return re.findall(r"[A-Za-z_]\w*", line[:error.column - 1 + len(match.group(0))])[::-1][:3]


def settle(compiler, bodies, known):
    """Compiles bodies by name, round by round with more stubs; the attempts with the errors that stay.

    `known` has attempts that passed through another door, whose stubs are right.
    """
    attempts = {name: Attempt(name, body, compiler.imports) for name, body in bodies.items()}
    for name, attempt in known.items():
        if name in attempts:
            attempts[name].body, attempts[name].stubs = attempt.body, copy.deepcopy(attempt.stubs)
    waiting = dict(attempts)
    for _ in range(ROUNDS):
        if not waiting:
            break
        errors = compiler.check({name: attempt.text for name, attempt in waiting.items()})
        waiting = {name: attempt for name, attempt in waiting.items() if attempt.learn(errors[name])}
    for name, errors in (compiler.check({n: a.text for n, a in waiting.items()}) if waiting else {}).items():
        attempts[name].errors = errors
    return attempts
