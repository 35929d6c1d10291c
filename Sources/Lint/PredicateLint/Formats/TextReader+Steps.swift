/// Strings that a source builds in steps.
///
///     var format = "age > 5"; if isNew { format += " AND isNew == 1" }
///     var parts = ["a == 1"]; parts.append("b == 2"); parts.joined(separator: " AND ")
///     func format() -> String { switch kind { case .open: return "a == 1"; default: return "b == 1" } }
extension TextReader {
    // MARK: Variables

    /// The strings of a constant, variable or computed property at the place of its name.
    func named(_ name: Range<Int>, depth: Int) -> [TextValue] {
        guard depth < Self.deepest, work.take() else { return [] }
        guard let declaration = declarations.declaration(of: name, at: name.lowerBound, bytes) else {
            return results(of: .name(name), depth: depth)
        }
        guard !isEdited(declaration), !declaration.isBound, !declaration.isParameter || declaration.value != nil else {
            return []
        }
        let changes = changes(of: declaration, before: name)
        if declaration.value == nil, changes.isEmpty { return results(of: .name(name), depth: depth) }
        let isMember = declarations.scopes[declaration.scope].ownType != nil
        if isMember, changes.contains(where: \.isAddition) { return [] }
        var steps = TextSteps()
        if let value = declaration.value {
            steps.begin(with: texts(from: value, isBase: changes.contains(where: \.isAddition), depth: depth))
        }
        for change in changes {
            let isCertain = !isMember && isCertain(change, at: name.lowerBound)
            if change.isAddition {
                guard let isInFront = isInFront(change) else { return [] }
                steps.add(added(by: change, depth: depth), isCertain: isCertain, isBefore: isInFront)
            } else {
                let isChoice = declaration.value == nil && !changes.contains(where: \.isAddition)
                steps.set(texts(from: change.value, depth: depth), isCertain: isCertain, isChoice: isChoice)
            }
        }
        return steps.texts(isUncertain: isMember && !changes.isEmpty)
    }

    /// The strings of the value at an offset; if `isBase` is true, a hole for an unknown value to which others are added.
    private func texts(from start: Int, isBase: Bool = false, depth: Int) -> [TextValue] {
        let first = bytes.spaceEnd(from: start)
        let word = first..<bytes.nameEnd(from: first)
        if language == .swift, bytes.equals("switch", word) || bytes.equals("if", word) {
            return results(in: first..<min(bytes.count, first + CodeTokens.reach), isValue: true, depth: depth)
        }
        let node = expression(from: start)
        let values = read(node, depth: depth + 1)
        return values.isEmpty && isBase && !node.range.isEmpty ? [TextValue(text: hole(node.range))] : values
    }

    /// The call of a method that adds: `format.append("…")`, `[format appendString:@"…"]`; nil for `format += …`.
    private func method(of change: Declarations.Assignment) -> (name: Range<Int>, arguments: [CodeArgument])? {
        guard change.value == change.offset || bytes[change.value] == UInt8(ascii: "["),
            case .call(.member(_, let name, _), let arguments, _) = expression(from: change.value), !arguments.isEmpty
        else { return nil }
        return (name, arguments)
    }

    /// True for an insertion in front, `parts.insert("a == 1", at: 0)`; nil for one in another place.
    private func isInFront(_ change: Declarations.Assignment) -> Bool? {
        guard let (name, arguments) = method(of: change), bytes.matches("insert", at: name.lowerBound) else {
            return false
        }
        let place = arguments.last.map { bytes.text($0.value.range) } ?? ""
        return place == "0" || place.hasSuffix(".startIndex") ? true : nil
    }

    /// The strings that `+=` or a method adds.
    private func added(by change: Declarations.Assignment, depth: Int) -> [TextValue] {
        guard let (name, arguments) = method(of: change) else {
            return texts(from: change.value, isBase: true, depth: depth)
        }
        let first = arguments[0].value
        let values =
            bytes.equals("appendFormat", name)
            ? formatted(first, arguments.dropFirst().map(\.value), depth: depth) : read(first, depth: depth + 1)
        return values.isEmpty ? [TextValue(text: hole(first.range))] : values
    }

    // MARK: Lists

    /// `formats[1]`, `formats[key]`: the element at a literal index, or each element of a list or table.
    func element(of list: CodeExpression, _ index: [CodeArgument], depth: Int) -> [TextValue] {
        guard index.count == 1, let (elements, isUncertain) = elements(of: list, depth: depth + 1) else { return [] }
        let number = if case .literal(let token) = index[0].value { Int(bytes.text(token.range)) } else { Int?.none }
        let chosen = number.map { elements.indices.contains($0) ? [elements[$0]] : [] } ?? elements
        return chosen.flatMap(\.1).prefix(Self.mostValues).map { value in
            value.made(isUncertain: isUncertain, isPartial: chosen.contains { $0.1.isEmpty })
        }
    }

    /// `parts.joined(separator: " AND ")`, `[parts componentsJoinedByString:@" AND "]`
    func joinedElements(of list: CodeExpression, _ separator: CodeExpression?, depth: Int) -> [TextValue] {
        let separators = separator.map { read($0, depth: depth + 1) } ?? [TextValue(text: FormatText())]
        guard let (elements, isUncertain) = elements(of: list, depth: depth + 1), separators.count == 1,
            elements.contains(where: { !$0.1.isEmpty })
        else { return [] }
        let parts = elements.flatMap { [(list, separators), ($0.0, $0.1)] }.dropFirst()
        return joined(Array(parts)).map { $0.made(isUncertain: isUncertain) }
    }

    private typealias Elements = (elements: [(CodeExpression, [TextValue])], isUncertain: Bool)

    /// The elements of a list with their strings, and whether the list may have other or fewer elements.
    private func elements(of list: CodeExpression, depth: Int) -> Elements? {
        guard depth < Self.deepest, work.take() else { return nil }
        switch list {
        case .group(_, let parts):
            // The elements of a dictionary literal are its values.
            let isTable = parts.contains { $0.label != nil }
            let values = parts.filter { !isTable || $0.label != nil }.map(\.value)
            return (values.map { ($0, read($0, depth: depth)) }, false)
        case .cast(let inner, _), .forced(let inner): return elements(of: inner, depth: depth)
        case .call(.member(let base?, let name, _), let arguments, _):
            switch bytes.text(name) {
            case "map", "compactMap", "flatMap":
                guard case .closure(let closure)? = arguments.first?.value, let result = closure.body.last,
                    !isOfNumbers(base)
                else { return nil }
                return ([(result, read(result, depth: depth))], true)
            case "filter", "sorted", "reversed", "prefix", "suffix", "dropFirst", "dropLast":
                return elements(of: base, depth: depth).map { ($0.elements, true) }
            default: return nil
            }
        case .name(let name): return listed(name, depth: depth)
        case .member(_, let name, _): return list.names == nil || isVariable(list) ? nil : listed(name, depth: depth)
        case .literal, .infix, .call, .closure, .element, .choice, .branch, .refused, .unknown: return nil
        }
    }

    /// True for a range, and for a list of numbers or UUIDs, whose elements are harmless in a format.
    private func isOfNumbers(_ list: CodeExpression) -> Bool {
        if case .group(_, let parts) = list, parts.count == 1, case .infix(_, let sign, _) = parts[0].value {
            return bytes.matches("..", at: sign.lowerBound)
        }
        let kind = type(of: list)?.elementKind
        return kind == .number || kind == .uuid
    }

    /// The elements of a variable: those of its initial value, and those added later.
    private func listed(_ name: Range<Int>, depth: Int) -> Elements? {
        guard let declaration = declarations.declaration(of: name, at: name.lowerBound, bytes),
            !declaration.isParameter, !declaration.isBound
        else { return nil }
        var (found, isUncertain): ([(CodeExpression, [TextValue])], Bool) = ([], false)
        if let value = declaration.value, let own = elements(of: expression(from: value), depth: depth + 1) {
            (found, isUncertain) = own
        }
        for change in changes(of: declaration, before: name) {
            guard change.isAddition, let isInFront = isInFront(change) else { return nil }
            let more = elements(addedBy: change, depth: depth + 1)
            found = isInFront ? more.elements + found : found + more.elements
            isUncertain = isUncertain || more.isUncertain || !isCertain(change, at: name.lowerBound)
        }
        return found.isEmpty ? nil : (found, isUncertain)
    }

    /// The elements that `+=` or a method adds; a list of an unknown number of elements counts as one that is unknown.
    private func elements(addedBy change: Declarations.Assignment, depth: Int) -> Elements {
        let first = method(of: change)?.arguments[0]
        let list = first?.value ?? expression(from: change.value)
        if let first, first.label.map({ !bytes.equals("contentsOf", $0) }) ?? true {
            return ([(list, read(list, depth: depth))], false)
        }
        return elements(of: list, depth: depth) ?? ([(list, [])], true)
    }

    // MARK: Functions

    /// The strings that a function or computed property of the source returns.
    func results(of node: CodeExpression, depth: Int) -> [TextValue] {
        body(of: node).map { results(in: $0, depth: depth + 1) } ?? []
    }

    /// The expressions that a function or computed property of the source returns.
    func results(of node: CodeExpression) -> [CodeExpression] {
        body(of: node).map { results(in: $0) } ?? []
    }

    /// The expressions that are the results of a block.
    func results(in block: Range<Int>, isValue: Bool = false) -> [CodeExpression] {
        ResultReader(bytes, language, block, isValue: isValue).starts.prefix(Self.mostValues).map(expression(from:))
    }

    private func results(in block: Range<Int>, isValue: Bool = false, depth: Int) -> [TextValue] {
        guard depth < Self.deepest, work.take() else { return [] }
        let all = ResultReader(bytes, language, block, isValue: isValue).starts.prefix(Self.mostValues).map {
            texts(from: $0, depth: depth)
        }
        let isPartial = all.contains(where: \.isEmpty)
        return all.joined().prefix(Self.mostValues).map { $0.made(isPartial: isPartial) }
    }

    /// The block of the function that a call names, or of a computed property: `format()`, `self.format`, `Formats.open`
    private func body(of node: CodeExpression) -> Range<Int>? {
        let function = if case .call(let function, _, _) = node { function } else { node }
        guard let name = function.lastName, let body = declarations.body(of: name, bytes) else { return nil }
        guard let base = function.base else { return body }
        guard let owner = base.names?.last.map(bytes.text) else { return nil }
        let type = typeName(at: body.lowerBound)
        return owner == "self" || owner == "Self" || owner == type || type != nil && self.type(of: base)?.name == type
            ? body : nil
    }
}

/// The strings that a variable may have after its changes.
private struct TextSteps {
    private var found: [TextValue] = []
    private var isKnown = true
    /// The number of changes that do not always happen.
    private var optional = 0
    /// True if the first string is empty or unknown, in which case later changes may depend on it.
    private var isOpen = false

    mutating func begin(with texts: [TextValue]) {
        (found, isKnown) = (texts, !texts.isEmpty)
        isOpen = texts.contains { $0.text.bytes.isEmpty || $0.text.segments.first?.isHole ?? true }
    }

    /// `isChoice` is true if this is one of several first values of a variable that is declared without a value.
    mutating func set(_ texts: [TextValue], isCertain: Bool, isChoice: Bool) {
        if texts.isEmpty { isKnown = false }
        if isCertain { (isKnown, optional, isOpen) = (!texts.isEmpty, 0, false) }
        if !isCertain, !isChoice, !found.isEmpty { optional += 1 }
        found = isCertain ? texts : Array((found + texts).suffix(TextReader.mostValues))
    }

    mutating func add(_ texts: [TextValue], isCertain: Bool, isBefore: Bool) {
        if found.isEmpty { isKnown = false }
        let longer = found.flatMap { first in
            texts.map { isBefore ? TextReader.join($0, first) : TextReader.join(first, $0) }
        }
        if !isCertain { optional += 1 }
        // Of too many, those with all changes are kept.
        found = Array((isCertain ? longer : found + longer).suffix(TextReader.mostValues))
    }

    func texts(isUncertain: Bool) -> [TextValue] {
        let mayDiffer = isUncertain || optional > 1 || isOpen && optional > 0
        return isKnown ? found.map { $0.made(isUncertain: mayDiffer) } : []
    }
}

/// Finds the expressions that are the results of a block: after `return`, in the branches of `switch` and `if`, or the only
/// expression.
private struct ResultReader {
    private let tokens: CodeTokens
    /// The offsets at which the expressions begin.
    private(set) var starts: [Int] = []

    /// `isValue` is true for a value that begins with `switch` or `if`; the rest of the block is then not read.
    init(_ bytes: Bytes, _ language: CodeLanguage, _ block: Range<Int>, isValue: Bool) {
        tokens = CodeTokens(bytes, language, in: block)
        read(0..<tokens.count, isValue: isValue)
    }

    private mutating func read(_ range: Range<Int>, isValue: Bool = false) {
        guard !range.isEmpty else { return }
        let returns = isValue ? [] : range.filter { tokens.isWord($0, "return") }
        if !returns.isEmpty {
            starts += returns.map { tokens[$0 + 1].start }
        } else if tokens.isWord(range.lowerBound, "switch") {
            if let body = block(from: range.lowerBound, in: range) { readCases(body) }
        } else if tokens.isWord(range.lowerBound, "if") {
            readBranches(range)
        } else {
            starts.append(tokens[range.lowerBound].start)
        }
    }

    /// The tokens in the next braces.
    private func block(from index: Int, in range: Range<Int>) -> Range<Int>? {
        var index = index
        while index < range.upperBound, !tokens[index].is("{") { index = tokens.end(of: index) }
        let end = tokens.end(of: index) - 1
        return index < range.upperBound && index < end ? index + 1..<end : nil
    }

    /// `case .open: "a == 1"`
    private mutating func readCases(_ body: Range<Int>) {
        var (index, start) = (body.lowerBound, Int?.none)
        while index < body.upperBound {
            if tokens.isWord(index, "case") || tokens.isWord(index, "default") {
                if let start { read(start..<index) }
                start = nil
            } else if tokens[index].is(":"), start == nil {
                start = index + 1
            }
            index = tokens.end(of: index)
        }
        if let start { read(start..<body.upperBound) }
    }

    /// `if isNew { "a == 1" } else { "b == 1" }`
    private mutating func readBranches(_ range: Range<Int>) {
        var index = range.lowerBound
        while let body = block(from: index, in: range) {
            read(body)
            index = body.upperBound + 1
            guard tokens.isWord(index, "else") else { return }
        }
    }
}

/// The remaining work for one expression, which is limited so that scanning takes linear time.
final class ReadingWork {
    private var left = 128

    func begin() { left = 128 }

    func take() -> Bool {
        left -= 1
        return left >= 0
    }
}
