/// Finds the declarations of a source with the types around them; bodies of functions are skipped.
struct DeclarationScanner {
    private let source: SourceTokens
    private var index = 0
    private(set) var declarations: [Declaration] = []

    /// The scope of a declaration.
    private struct Scope {
        var path = ""
        var constraints = ""
        /// True where members are public without saying so: requirements, cases.
        var isProtocol = false
        var isEnum = false
        var isPublic = false
        var isPublicExtension = false
    }

    /// The words before a declaration's keyword.
    private struct Prefix {
        var words: [String] = []
        /// True for an interface of its own, which only an import with `@_spi` sees.
        private var isSystemInterface: Bool { words.contains("@_spi") }
        var isPublic: Bool { !isSystemInterface && (words.contains("public") || words.contains("open")) }
        var hasAccess: Bool {
            isPublic || isSystemInterface
                || words.contains { ["package", "internal", "private", "fileprivate"].contains($0) }
        }
        /// True for `private(set)` and the like.
        var isReadOnly = false

        var visible: [String] {
            words.filter {
                ["@nonexhaustive", "indirect", "open", "final", "static", "class", "mutating"].contains($0)
            }
        }
    }

    init(_ text: String) {
        source = SourceTokens(text)
        scan(Scope())
    }

    private mutating func scan(_ scope: Scope) {
        while index < source.tokens.count, source.text(index) != "}" {
            let start = index
            if source.tokens[index].startsLine, let (prefix, kind) = prefix() {
                index += 1
                let first = declarations.count
                scan(kind, prefix, scope)
                document(from: first, at: start)
            } else {
                index = start
                skipOne()
            }
        }
        index += 1
    }

    /// Notes whether what begins at a token is documented: a type, a member, or all cases of a line.
    private mutating func document(from first: Int, at token: Int) {
        guard first < declarations.count, source.isDocumented(token) else { return }
        declarations[first].isDocumented = true
        guard declarations[first].kind == .case else { return }
        for index in first..<declarations.count { declarations[index].isDocumented = true }
    }

    /// Attributes and modifiers, up to a keyword; nil where no declaration begins.
    private mutating func prefix() -> (Prefix, Declaration.Kind)? {
        var prefix = Prefix()
        while index < source.tokens.count {
            let word = source.text(index)
            if let kind = Declaration.Kind(rawValue: word), word != "class" || !isModifier(after: index) {
                return (prefix, kind)
            }
            guard word.hasPrefix("@") || Self.modifiers.contains(word) else { return nil }
            index += 1
            if source.text(index) == "(", isAdjacent(index) {
                if source.text(index + 1) == "set" { prefix.isReadOnly = true } else { prefix.words.append(word) }
                skipOne()
            } else {
                prefix.words.append(word)
            }
        }
        return nil
    }

    private func isModifier(after index: Int) -> Bool { ["func", "var", "let"].contains(source.text(index + 1)) }

    private func isAdjacent(_ index: Int) -> Bool {
        source.tokens[index - 1].range.upperBound == source.tokens[index].range.lowerBound
    }

    private static let modifiers: Set = [
        "public", "open", "package", "internal", "private", "fileprivate", "static", "class", "final", "mutating",
        "nonmutating", "indirect", "override", "required", "convenience", "lazy", "weak", "unowned", "nonisolated",
        "borrowing", "consuming", "prefix", "postfix", "infix", "dynamic", "optional",
    ]

    private mutating func scan(_ kind: Declaration.Kind, _ prefix: Prefix, _ scope: Scope) {
        switch kind {
        case .struct, .class, .enum, .protocol, .actor, .extension: scanType(kind, prefix, scope)
        case .case: scanCases(scope)
        case .var, .let: scanProperty(kind, prefix, scope)
        case .func, .`init`, .subscript, .typealias, .associatedtype: scanMember(kind, prefix, scope)
        }
    }

    private func isPublic(_ prefix: Prefix, _ scope: Scope) -> Bool {
        prefix.isPublic || !prefix.hasAccess && (scope.isProtocol && scope.isPublic || scope.isPublicExtension)
    }

    private mutating func scanType(_ kind: Declaration.Kind, _ prefix: Prefix, _ scope: Scope) {
        let name = takeName(withDots: kind == .extension)
        let parameters = source.text(takeGroup("<", ">"))
        var inherited: [String] = []
        if source.text(index) == ":" {
            index += 1
            inherited = takeList { $0 == "{" || $0 == "where" }
        }
        let constraintStart = index
        while index < source.tokens.count, source.text(index) != "{" { index += 1 }
        let constraints = source.text(constraintStart..<index)
        index += 1
        let isPublic = isPublic(prefix, scope) || kind == .extension
        let path = scope.path.isEmpty ? name : "\(scope.path).\(name)"
        let declaration = Declaration(
            kind: kind, path: path, signature: parameters, modifiers: prefix.visible, inherited: inherited,
            constraints: constraints, isPublic: isPublic)
        declarations.append(declaration)
        scan(
            Scope(
                path: path, constraints: kind == .extension ? constraints : "", isProtocol: kind == .protocol,
                isEnum: kind == .enum, isPublic: isPublic, isPublicExtension: kind == .extension && prefix.isPublic))
    }

    private mutating func scanCases(_ scope: Scope) {
        guard scope.isEnum else { return }
        let cases = takeList { _ in false }
        for text in cases {
            let name = text.prefix { $0 != "(" && $0 != " " }
            add(.case, String(name), String(text.dropFirst(name.count)), [], scope, isPublic: scope.isPublic)
        }
    }

    /// A `let` is a property that cannot be set; whether one is stored is nobody's business.
    private mutating func scanProperty(_ kind: Declaration.Kind, _ prefix: Prefix, _ scope: Scope) {
        let name = takeName(withDots: false)
        let start = index
        takeHeader { $0 == "{" || $0 == "=" }
        let type = source.text(start..<index)
        let isStored = source.text(index) != "{"
        let accessors = isStored ? [] : bodyWords()
        let isSettable =
            kind == .var && !prefix.isReadOnly
            && (isStored || accessors.contains { ["set", "_modify", "didSet", "willSet"].contains($0) })
        let signature = type + (isSettable ? " { get set }" : " { get }")
        add(kind, name, signature, prefix.visible, scope, isPublic: isPublic(prefix, scope))
    }

    private mutating func scanMember(_ kind: Declaration.Kind, _ prefix: Prefix, _ scope: Scope) {
        let isNamed = kind != .`init` && kind != .subscript
        let name = isNamed ? takeName(withDots: false) : kind.rawValue
        let start = index
        takeHeader { $0 == "{" }
        add(kind, name, source.text(start..<index), prefix.visible, scope, isPublic: isPublic(prefix, scope))
        if source.text(index) == "{" { skipOne() }
    }

    private mutating func add(
        _ kind: Declaration.Kind, _ name: String, _ signature: String, _ modifiers: [String], _ scope: Scope,
        isPublic: Bool
    ) {
        declarations.append(
            Declaration(
                kind: kind, path: scope.path.isEmpty ? name : "\(scope.path).\(name)", signature: signature,
                modifiers: modifiers, constraints: scope.constraints, isPublic: isPublic))
    }
}

extension DeclarationScanner {
    /// A name, an operator, or the path of an extended type.
    private mutating func takeName(withDots: Bool) -> String {
        let start = index
        if source.tokens.indices.contains(index), source.tokens[index].kind == .word {
            index += 1
            while withDots, source.text(index) == "." { index += 2 }
        } else {
            while index < source.tokens.count, source.text(index) != "(" { index += 1 }
        }
        return source.text(start..<index)
    }

    /// A balanced group where one begins here, else nothing.
    private mutating func takeGroup(_ opening: String, _ closing: String) -> Range<Int> {
        let start = index
        guard source.text(index) == opening else { return start..<start }
        var depth = 0
        repeat {
            if source.text(index) == opening { depth += 1 }
            if source.text(index) == closing, source.text(index - 1) != "-" { depth -= 1 }
            index += 1
        } while depth > 0 && index < source.tokens.count
        return start..<index
    }

    /// Goes to the end of a header: a token that ends it, or a line that does not carry it on.
    private mutating func takeHeader(_ isEnd: (String) -> Bool) {
        while index < source.tokens.count {
            let text = source.text(index)
            if isEnd(text) || text == "}" || source.tokens[index].startsLine && !isCarriedOn(text) { return }
            skipOne()
        }
    }

    private func isCarriedOn(_ text: String) -> Bool {
        let last = source.text(index - 1)
        return ["where", "throws", "rethrows", "async", "-", ",", "&"].contains(text)
            || [",", "&", ":"].contains(last) || source.text(index - 2) + last == "->"
    }

    /// Elements between commas, up to an end or to a line that does not carry them on.
    private mutating func takeList(until isEnd: (String) -> Bool) -> [String] {
        var elements: [String] = []
        var start = index
        while index < source.tokens.count {
            let text = source.text(index)
            let ends = isEnd(text) || text == "}"
            if ends || source.tokens[index].startsLine && source.text(index - 1) != "," && index > start { break }
            if text == "," {
                elements.append(source.text(start..<index))
                index += 1
                start = index
            } else {
                skipOne()
            }
        }
        return elements + [source.text(start..<index)]
    }

    /// One token, or a whole group in brackets.
    private mutating func skipOne() {
        var depth = 0
        repeat {
            switch source.text(index) {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: break
            }
            index += 1
        } while depth > 0 && index < source.tokens.count
    }

    /// The words directly inside the braces that begin here, which are skipped.
    private mutating func bodyWords() -> [String] {
        var words: [String] = []
        index += 1
        while index < source.tokens.count, source.text(index) != "}" {
            if source.tokens[index].startsLine || source.text(index - 1) == "{"
                || ["get", "}"].contains(source.text(index - 1))
            {
                words.append(source.text(index))
            }
            skipOne()
        }
        index += 1
        return words
    }
}
