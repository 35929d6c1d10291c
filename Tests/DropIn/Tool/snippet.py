"""A call site as a Swift file: what stands around a snippet so that it is a whole declaration, statement or expression."""

import re

from swift_text import CLOSING, OPENING, brackets, end_of_brackets, skip, split

TARGETS = re.compile(
    r"NS(Compound|Comparison)?Predicate\b|NSExpression\b|NSSortDescriptor\b|\.evaluate\(|\.filter(ed)?\(|\.sort"
    r"|\.predicateFormat\b|\.expressionValue\(|SubstitutionVariables")

# Words that the compiler refuses where there is no Objective-C, or whose meaning lies outside of the snippet.
IGNORED = re.compile(
    r"@(objc(\([^)]*\))?|objcMembers|NSManaged|IBAction|IBOutlet|IBInspectable|nonobjc|MainActor|discardableResult"
    r"|available\([^)]*\)|Published|State|Binding|StateObject|ObservedObject|Environment\([^)]*\)|EnvironmentObject"
    r"|usableFromInline|inlinable|inline\(__always\)|preconcurrency|frozen|Test(\([^)]*\))?)\s*"
    r"|\b(override|dynamic|required|open|public|internal|private(\(set\))?|fileprivate(\(set\))?|package|weak|unowned"
    r"|nonisolated|mutating)\s+(?=[\w@])")

DECLARATION = re.compile(
    r"(?:static |class |final |lazy |convenience |indirect |async |prefix )*"
    r"(func|var|let|init[?!]?|subscript|extension|struct|class|enum|protocol|typealias|case|actor)\b")


class Skip(Exception):
    """The reason why a snippet cannot be judged."""


def rewritten(text):
    """The snippet without what the compiler itself refuses off Apple: `#keyPath` and `#selector` as strings."""

    def key_path(match):
        return '"' + match.group(1).strip().split(".", 1)[-1].replace("\n", "") + '"'

    def selector(match):
        name = re.sub(r"^(getter|setter):\s*", "", match.group(1).strip()).split(".")[-1]
        name = re.sub(r"\s", "", name)
        plain = re.match(r"(\w+)\(([\w:]*)\)$", name)
        if plain:
            labels = plain.group(2).split(":")[:-1]
            name = plain.group(1) + "".join((label if label != "_" else "") + ":" for label in labels)
        elif not name.endswith(")"):
            name += ":"
        return name

    # Inside a string a quote of a replacement would end it: the key stands there as it is.
    text = re.sub(r"\\\(#keyPath\(([^()]*)\)\)", lambda m: key_path(m).strip('"'), text)
    text = re.sub(r"\\\(#selector\(((?:[^()]|\([^()]*\))*)\)\)", selector, text)
    text = re.sub(r"#keyPath\(([^()]*)\)", key_path, text)
    text = re.sub(r"#(k(e(y(P(a(t(h(\([^()]*)?)?)?)?)?)?)?)?$", '"cut"', text)
    return re.sub(
        r"#selector\(((?:[^()]|\([^()]*\))*)\)", lambda match: f'Selector(("{selector(match)}"))', text)


def without_comments(text):
    result, index = "", 0
    while index < len(text):
        after = skip(text, index)
        if after > index:
            if not text.startswith(("//", "/*"), index):
                result += text[index:after]
            index = after
        else:
            result += text[index]
            index += 1
    return result


def completed(text):
    """The text with the brackets closed that a cut left open."""
    stack, _ = brackets(text)
    while stack:
        text = text.rstrip()
        opening = stack.pop()
        if opening == "{":
            text += ending_of_block(text)
            continue
        text = re.sub(r",$", ", filler" if re.search(r"format:.*,$", text, re.S) else "", text)
        if re.search(r"(:|=|\?\?|&&|\|\||\bin|\btry|\bas)$", text):
            text += " filler"
        if re.search(r"\bNSPredicate\($", text):
            text += "value: true"
        elif re.search(r"\bNSSortDescriptor\($", text):
            text += "key: nil, ascending: true"
        elif re.search(r"\bNSExpression\($", text):
            text += "forVariable: \"v\""
        elif re.search(r"\bNSCompoundPredicate\($", text):
            text += "type: .and, subpredicates: []"
        text += OPENING[opening]
    if re.search(r"(=|\?\?|&&|\|\||\.|\+|->|\bas[?!]?|\bin|\breturn|\btry)$", text.rstrip()):
        text = text.rstrip().rstrip(".") + " filler"
    return text


def ending_of_block(text):
    """The rest of a block that is cut: of a switch, and of an `if` that is a value, more than its end."""
    head = text.rsplit("{", 1)[0]
    if re.search(r"\bswitch\b[^{}]*$", head):
        return " default: fatalError() }"
    if re.search(r"=\s*if\b[^{}]*$", head):
        return " fatalError() } else { fatalError() }"
    if re.search(r"\bvar\s+\w+\s*:[^={}]*=[^{}]*$", head):
        return " didSet {} }"
    return " fatalError() }"


def trimmed(text):
    """The text with the last argument of the innermost open bracket left out, which is cut; None if none is open."""
    stack, starts, index = [], [], 0
    while index < len(text):
        after = skip(text, index)
        if after > index:
            index = after
            continue
        if text[index] in OPENING:
            stack.append(text[index])
            starts.append(index + 1)
        elif text[index] in CLOSING and stack:
            stack.pop()
            starts.pop()
        elif text[index] == "," and stack:
            starts[-1] = index
        index += 1
    if not stack or stack[-1] == "{":
        return None
    comma = text[starts[-1]] == "," if starts[-1] < len(text) else False
    return text[:starts[-1]] + (", filler" if comma else "")


def within_function(body):
    return "fileprivate class Host: UnknownHost {\n    func site() async throws {\n%s\n    }\n}\n" % body


def within_class(member):
    return "fileprivate class Host: UnknownHost {\n%s\n}\n" % member


def closure_arguments(text):
    """Names for `$0` and `$1` outside of every closure, which the snippet does not show."""
    result, index = "", 0
    while index < len(text):
        if text[index] == "{":
            after = end_of_brackets(text, index)
        elif text.startswith(("//", "/*"), index):
            after = skip(text, index)
        else:
            after = index
        if after > index:
            result += text[index:after]
            index = after
            continue
        match = re.match(r"\$(\d)", text[index:])
        if match:
            result += "argument" + match.group(1)
            index += 2
        else:
            result += text[index]
            index += 1
    return result


def receiver(text):
    """The name of an object for a snippet that begins with a dot: of the class that has the method."""
    if re.match(r"[?!]*\.(filtered|filter|sortedArray|sort)\b", text):
        return "collectionReceiver"
    if re.match(r"[?!]*\.expressionValue\b", text):
        return "expressionReceiver"
    return "predicateReceiver"


def expression(text):
    text = closure_arguments(text)
    return within_function("_ = " + completed(text))


def statement(text):
    text = closure_arguments(completed(text))
    match = re.match(r"return\b\s*(\.)?", text.strip())
    if match:
        return within_function(("let _: Choice = " if match.group(1) else "_ = ") + text.strip()[6:])
    return within_function(text)


def member(text):
    """A declaration with the body that the cut left out."""
    text = completed(text)
    kind = DECLARATION.match(text).group(1)
    if kind in ("extension", "struct", "class", "enum", "protocol", "typealias", "actor"):
        if kind == "extension":
            text = re.sub(r"\{\s*fatalError\(\)\s*\}$", "{}", text)
        conforms = kind == "extension" and ":" in text.split("{")[0]
        return ("" if conforms else "fileprivate ") + text.strip() + "\n"
    if kind == "case":
        return "fileprivate enum Choice {\n%s\n}\n" % text
    if kind.startswith("init"):
        text = re.sub(r"^(convenience )?init", "init", text)
        body = "" if text.rstrip().endswith("}") else " { fatalError() }"
        return "fileprivate struct Holder {\n%s%s\n}\n" % (text, body)
    if kind in ("func", "subscript"):
        body = "" if text.rstrip().endswith("}") else " { fatalError() }"
        return within_class(text + body)
    if re.search(r"\{\s*(get|set)", text):
        return "fileprivate protocol Shape {\n%s\n}\n" % text.replace("lazy ", "").replace("class ", "static ")
    # A property without a value is one that an initializer or a macro sets.
    computed = re.search(r"\{", text) and not re.search(r"=", text.split("{")[0])
    if re.search(r"=", text) or computed:
        return within_class(text if computed or "lazy" in text else text.replace("class ", "static "))
    return within_class(re.sub(r"\b(lazy|let) ", lambda m: "" if m.group(1) == "lazy" else "let ", text) + " = filler")


def parameter(text):
    """`predicate: NSPredicate? = nil,` of a declaration whose other lines are not shown."""
    return within_class("func site(%s) { fatalError() }" % completed(text.strip().rstrip(",{ ")))


def argument(text):
    """`matching: NSPredicate(format: …),` of a call whose other lines are not shown."""
    text = closure_arguments(completed(text.strip().rstrip(", ")))
    values = [re.sub(r"^[A-Za-z_]\w*\s*:(?!:)\s*", "", part) for part in split(text)]
    return within_function("\n".join("_ = " + value for value in values))


def candidates(snippet):
    """The ways to read a snippet, the likeliest first."""
    text = without_comments(rewritten(snippet)).strip()
    previous = None
    while previous != text:
        previous = text
        text = IGNORED.sub("", text, count=1) if IGNORED.match(text) else text
        text = text.strip()
    text = re.sub(r"(?m)^(\s*)@(objc|nonobjc|IBAction|NSManaged)\s+", r"\1", text)
    if not TARGETS.search(text):
        raise Skip("shows no predicate, expression or sort descriptor")
    labels = re.search(r"\.evaluate\(with:[^:]*?,\s*(\w+):", text)
    if labels and labels.group(1) not in ("substitutionVariables",) and "NSPredicate" not in text:
        raise Skip("calls evaluate of another type")
    text = re.sub(r"\bSelf\.", "SelfType.", text)
    found = readings(text)
    shorter = trimmed(text)
    return found + (readings(shorter) if shorter else [])


def readings(text):
    if re.match(r"@\w+\(", text):
        return [expression(text[1:]), member(text) if DECLARATION.search(text) else expression(text[1:])]
    if re.match(r"\)", text):
        tail = text.split(")", 1)[1]
        return [within_class(completed("func site()" + tail) + ("" if "{" in tail else " { fatalError() }"))]
    if re.match(r"[?!]?\.", text):
        return [expression(receiver(text) + text.lstrip("?!"))]
    if text.startswith("!."):
        return [expression("!" + receiver(text[1:]) + text[1:])]
    if re.match(r"[}\])]", text):
        text = re.sub(r"^[}\])]\s*", "", text)
        return readings(text) if text else []
    if re.match(r"(else\s+)?(if|guard|switch|for|while|defer|do|return|throw|yield)\b(?!\s*:)", text):
        return [statement(flow(text))]
    if DECLARATION.match(text):
        return declarations(text)
    if re.match(r"[A-Za-z_]\w*(\s+[A-Za-z_]\w*)?\s*:(?!:)", text):
        return labelled(text)
    return [expression(text), statement(text)]


def declarations(text):
    found = [member(text)]
    if re.match(r"(let|var)\b", text):
        found.insert(0, statement(text))
    if re.match(r"(static |class )*func\b", text) and "{" not in text:
        found.append("fileprivate protocol Shape {\n%s\n}\n" % completed(text).replace("class func", "static func"))
    if re.match(r"case\b", text):
        found.append(within_function("switch filler as Unknown {\n%s break\ndefault: break\n}" % completed(text)))
    return found


def labelled(text):
    """A line of a list of parameters or of arguments, or a statement of a closure's head."""
    head, strays = head_of_list(text)
    if strays and re.match(r"\s*(async|throws|rethrows|->|\{|where|$)", strays[1:]) and strays[1:].strip():
        tail = completed(strays[1:])
        return [within_class("func site(%s)%s" % (head, tail + ("" if "{" in tail else " { fatalError() }")))]
    text = head
    value = text.split(":", 1)[1].strip()
    is_type = re.match(r"(inout |some |any |@escaping |\[|\()*(NS\w+|[A-Z]\w*)[\w.<>\[\]?!: ]*(=.*)?,?\s*\)?\s*\{?$", value, re.S)
    first = [parameter, argument] if is_type and "(" not in value.split("=")[0] else [argument, parameter]
    return [read(text) for read in first]


def head_of_list(text):
    """A text up to the bracket that closes a list whose beginning is not shown, and the rest."""
    index, depth = 0, 0
    while index < len(text):
        after = skip(text, index)
        if after > index:
            index = after
            continue
        if text[index] in OPENING:
            depth += 1
        elif text[index] in CLOSING:
            depth -= 1
            if depth < 0:
                return text[:index], text[index:]
        index += 1
    return text, ""


def flow(text):
    """A statement of control flow with the parts that the cut left out."""
    text = re.sub(r"^else\s+", "", text)
    if re.match(r"return\b", text):
        return text
    stack, _ = brackets(text)
    if re.match(r"guard\b", text) and "else" not in text:
        return text.rstrip("{ ") + " else { return }"
    if re.match(r"(if|while|for)\b", text) and "{" not in text:
        return text + " {}"
    if re.match(r"switch\b", text) and stack:
        return text + " default: break }"
    return text
