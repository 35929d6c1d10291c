"""Declarations for the names that a snippet uses and does not declare, found by what the compiler misses."""

import re

from swift_text import calls

# What Apple's classes have: a member that is missing here is our failure, and never made up.
APPLE_CLASSES = {
    "NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression", "NSSortDescriptor",
    "FoundationPredicate", "FoundationCompoundPredicate", "FoundationComparisonPredicate", "FoundationExpression",
    "FoundationSortDescriptor",
}
APPLE_MEMBERS = set("""
    init predicateFormat evaluate withSubstitutionVariables allowEvaluation compoundPredicateType subpredicates
    predicateOperatorType comparisonPredicateModifier leftExpression rightExpression customSelector options expressionType
    constantValue keyPath function variable operand arguments collection predicate left right expressionBlock expressionValue
    expressionForEvaluatedObject expressionForAnyKey key ascending selector comparator compare reversedSortDescriptor copy
    isEqual hash description Operator Modifier Options LogicalType ExpressionType
""".split())
BRIDGED = {
    "NSDate": "Date", "NSUUID": "UUID", "NSData": "Data", "NSURL": "URL", "NSString": "String", "NSArray": "[Any]",
    "NSSet": "Set<AnyHashable>", "NSDictionary": "[String: Any]", "NSNumber": "Int", "NSDecimalNumber": "Decimal",
}
# Names whose type their use tells.
USES = [
    (r"(?<![\w.])(\w+)\.evaluate\(with:", "NSPredicate"), (r"(?<![\w.])(\w+)\.predicateFormat\b", "NSPredicate"),
    (r"(?<![\w.])(\w+)\.expressionValue\(", "NSExpression"), (r"(?<![\w.])(\w+)\.filtered\(using:", "NSArray"),
    (r"(?<![\w.])(\w+)\.sortedArray\(using:", "NSArray"), (r"filter(?:ed)?\(using:\s*(\w+)\)", "NSPredicate"),
    (r"sortedArray\(using:\s*(\w+)\)", "[NSSortDescriptor]"), (r"sortedArray\(using:\s*\[(\w+)\]\)", "NSSortDescriptor"),
    (r"(?<![\w.])(\w+)\.withSubstitutionVariables\(", "NSPredicate"),
]
# The labels of the initializers that Apple's classes have: any other is the program's own.
APPLE_LABELS = {
    ("format",), ("format", "argumentArray"), ("format", "arguments"), ("value",), ("block",), ("fromMetadataQueryString",),
    ("type", "subpredicates"), ("andPredicateWithSubpredicates",), ("orPredicateWithSubpredicates",),
    ("notPredicateWithSubpredicate",), ("leftExpression", "rightExpression", "modifier", "type", "options"),
    ("leftExpression", "rightExpression", "modifier", "type"), ("leftExpression", "rightExpression", "customSelector"),
    ("forConstantValue",), ("forVariable",), ("forKeyPath",), ("forFunction", "arguments"),
    ("forFunction", "selectorName", "arguments"), ("forAggregate",), ("forUnionSet", "with"), ("forIntersectSet", "with"),
    ("forMinusSet", "with"), ("forSubquery", "usingIteratorVariable", "predicate"),
    ("forConditional", "trueExpression", "falseExpression"), ("block", "arguments"), ("expressionType",),
    ("key", "ascending"), ("key", "ascending", "selector"), ("key", "ascending", "comparator"), ("keyPath", "ascending"),
    ("keyPath", "ascending", "comparator"), ("coder",), (),
}
KNOWN = {
    "predicateReceiver": "NSPredicate", "collectionReceiver": "NSArray", "expressionReceiver": "NSExpression",
}


class Member:
    """A member of a type: a nested type, a function or a value."""

    def __init__(self, name, is_type=False):
        self.name, self.is_type = name, is_type


class TypeStub:
    def __init__(self, name):
        self.name = name
        self.statics, self.nested, self.base, self.is_protocol, self.is_failable = {}, {}, "Unknown", False, False
        self.is_list = name == "Choice"

    def declaration(self, text, indent=""):
        if self.is_protocol:
            return f"{indent}fileprivate protocol {self.name} {{}}\n"
        generic = re.search(r"\b" + self.name + r"<([^<>]*)>", text)
        parameters = "<" + ", ".join(f"P{n}" for n in range(generic.group(1).count(",") + 1)) + ">" if generic else ""
        base = self.base + (", ExpressibleByArrayLiteral" if self.is_list else "")
        lines = [f"{indent}fileprivate class {self.name}{parameters}: {base} {{"]
        inner = indent + "    "
        shapes = {signature(call) for call in calls(text, self.name)} - {()}
        if shapes:
            lines.append(f"{inner}override init() {{}}")
        mark = "?" if self.is_failable else ""
        lines += [f"{inner}init{mark}({parameter_list(shape)}) {{ fatalError() }}" for shape in sorted(shapes, key=str)]
        if self.is_list:
            lines.append(f"{inner}required init(arrayLiteral elements: {self.name}...) {{ fatalError() }}")
        for name in sorted(self.statics):
            lines += [inner + line for line in self.static_lines(name, text)]
        for nested in self.nested.values():
            lines.append(nested.declaration(text, inner).rstrip("\n"))
        return "\n".join(lines + [indent + "}"]) + "\n"

    def static_lines(self, name, text):
        shapes = {signature(call) for call in calls(text, name)}
        kind = self.statics[name]
        if shapes:
            lines = []
            for shape in sorted(shapes, key=str):
                lines.append(f"static func {quoted(name)}({parameter_list(shape)}) -> Unknown {{ fatalError() }}")
                lines.append(
                    f"@_disfavoredOverload static func {quoted(name)}<R>({parameter_list(shape)}) -> R {{ fatalError() }}")
            return lines
        generic = re.search(r"\b" + self.name + r"<", text)
        type_name = kind or ("Unknown" if generic else self.name)
        return [f"static var {quoted(name)}: {type_name} {{ fatalError() }}"]


def quoted(name):
    words = {"default", "in", "is", "as", "where", "for", "return", "case", "class", "self", "operator", "repeat"}
    return f"`{name}`" if name in words else name


def signature(call):
    """The labels of a call and the kind of each argument, by which two calls have one declaration."""
    return tuple((label, kind_of(value)) for label, value in call)


def kind_of(value):
    if value.startswith("{"):
        head = re.match(r"\{\s*\(?([^{}()]*?)\)?\s*(?:async |throws |->[^{]*?)*\bin\b", value)
        if head and "$" not in head.group(1):
            names = [name for name in head.group(1).split(",") if name.strip()]
            return f"closure{len(names)}"
        return "closure%d" % (max([int(n) + 1 for n in re.findall(r"\$(\d)", value)], default=0))
    if value.startswith("&"):
        return "inout"
    if re.match(r"\[?\.[a-z]\w*", value):
        return "choice"
    return "any"


def parameter_list(shape):
    types = {"any": "Any?", "inout": "inout Unknown", "choice": "Choice"}
    parts = []
    for number, (label, kind) in enumerate(shape):
        if kind.startswith("closure"):
            inputs = ", ".join(["Unknown"] * int(kind[7:]))
            type_name = f"@escaping ({inputs}) async throws -> Any?"
        else:
            type_name = types[kind]
        parts.append(f"{label or '_'} p{number}: {type_name}")
    return ", ".join(parts)


class Stubs:
    """The stubs of one file."""

    def __init__(self, text):
        self.text = text
        self.values, self.functions, self.types, self.extensions = {}, set(), {}, {}
        self.initializers = {}
        self.hints = {name: type_name for pattern, type_name in USES for name in re.findall(pattern, text)}
        for name, type_name in KNOWN.items():
            if re.search(r"\b" + name + r"\b", text):
                self.values[name] = type_name

    def declarations(self):
        parts = [f"fileprivate var {quoted(name)}: {kind} {{ get {{ fatalError() }} set {{}} }}\n"
                 for name, kind in sorted(self.values.items())]
        for name in sorted(self.functions):
            for shape in sorted({signature(call) for call in calls(self.text, name)}, key=str) or [()]:
                parameters = parameter_list(shape)
                parts.append(f"fileprivate func {name}({parameters}) -> Unknown {{ fatalError() }}\n")
                parts.append(
                    f"@_disfavoredOverload fileprivate func {name}<R>({parameters}) -> R {{ fatalError() }}\n")
        parts += [stub.declaration(self.text) for stub in self.types.values()]
        for base, members in sorted(self.extensions.items()):
            parts.append(f"fileprivate extension {base} {{\n{''.join(self.extension_lines(members))}}}\n")
        for base, shapes in sorted(self.initializers.items()):
            for shape in sorted(shapes, key=str):
                # The program's own initializer makes an optional where the site unwraps one.
                parts.append(f"fileprivate extension {base} {{\n    convenience init{self.mark(base)}("
                             f"{parameter_list(shape)}) {{ fatalError() }}\n}}\n")
        return "".join(parts)

    def mark(self, base):
        return "?" if re.search(r"\b%s\([^()]*\)[!?]" % base, self.text) else ""

    def extension_lines(self, members):
        for (name, is_static), result_type in sorted(members.items()):
            word = "static " if is_static else ""
            shapes = {signature(call) for call in calls(self.text, name)}
            for shape in sorted(shapes, key=str):
                for generic, result in (("", "Unknown"), ("<R>", "R")):
                    mark = "@_disfavoredOverload " if generic else ""
                    yield f"    {mark}{word}func {quoted(name)}{generic}({parameter_list(shape)}) -> {result} " \
                        "{ fatalError() }\n"
            if not shapes:
                yield f"    {word}var {quoted(name)}: {result_type} {{ fatalError() }}\n"

    # Each returns true if the stubs have changed.

    def add_name(self, name, wants_type):
        if name in self.types or name in self.values or name in self.functions:
            return False
        if name in self.hints:
            self.values[name] = self.hints[name]
            return True
        if wants_type or name[0].isupper() and not re.search(r"(?<![\w.])%s\s*(?![\w.(<\[{: ])" % name, self.text):
            self.types[name] = TypeStub(name)
            return True
        if name[0].isupper() and not name.isupper() and "_" not in name and not name.endswith("Key"):
            self.types[name] = TypeStub(name)
        elif calls(self.text, name):
            self.functions.add(name)
        else:
            self.values[name] = "Unknown"
        return True

    def find_type(self, path):
        names = [name for name in re.sub(r"<.*>", "", path).split(".") if name not in ("Type",)]
        found = self.types.get(names[0]) if names else None
        for name in names[1:]:
            found = found and found.nested.get(name)
        if not found:
            for stub in self.types.values():
                found = found or stub.nested.get(names[-1] if names else "")
        return found

    def add_static(self, path, name):
        stub = self.find_type(path)
        if not stub:
            return self.add_extension(path, name, True)
        if name[0].isupper():
            if name in stub.nested:
                return False
            stub.nested[name] = TypeStub(name)
        elif name in stub.statics:
            return False
        else:
            stub.statics[name] = None
        return True

    def add_extension(self, path, name, is_static):
        base = re.sub(r"[?!]$", "", path.strip())
        base = re.sub(r"^\[.*:.*\]$", "Dictionary", base)
        base = re.sub(r"^\[.*\]$", "Array", base)
        generic = "<" in base
        base = re.sub(r"<.*>", "", base).split(" ")[-1]
        if base in APPLE_CLASSES and name in APPLE_MEMBERS or not re.match(r"[A-Z][\w.]*$", base) \
                or base in ("Any", "AnyObject"):
            return False
        members = self.extensions.setdefault(base, {})
        if (name, is_static) in members:
            return False
        members[name, is_static] = base if is_static and not generic else "Unknown"
        return True

    def retype(self, name, type_name):
        """Gives a value the type that its place asks for."""
        type_name = re.sub(r" \(aka '.*", "", type_name)
        type_name = BRIDGED.get(type_name, type_name)
        if name not in self.values or self.values[name] == type_name or not re.match(r"[\w\[\]<>:?., ()&]+$", type_name):
            return False
        self.values[name] = type_name
        return True

    def add_initializers(self):
        """Declares the initializers of Apple's classes that Apple does not have: those of the program's own extensions."""
        changed = False
        for base in ("NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression", "NSSortDescriptor"):
            for call in calls(self.text, base):
                labels = tuple(label for label, _ in call if label) if call and call[0][0] else tuple(l for l, _ in call)
                if labels in APPLE_LABELS or call and call[0][0] is None and call[0][1].startswith("{"):
                    continue
                shapes = self.initializers.setdefault(base, set())
                if signature(call) not in shapes:
                    shapes.add(signature(call))
                    changed = True
        return changed

    def retype_member(self, name, type_name):
        """Gives a member of an extension or a static one the type that its place asks for."""
        type_name = BRIDGED.get(type_name, type_name)
        for members in self.extensions.values():
            for key, kind in members.items():
                if key[0] == name and kind != type_name:
                    members[key] = type_name
                    return True
        for stub in self.types.values():
            if name in stub.statics and stub.statics[name] != type_name:
                stub.statics[name] = type_name
                return True
        return False

    def make_list(self, name):
        stub = self.types.get(name)
        if not stub or stub.is_list:
            return False
        stub.is_list = True
        return True

    def make_optional(self, name):
        if name in self.values and not self.values[name].endswith("?"):
            self.values[name] += "?"
            return True
        return False
