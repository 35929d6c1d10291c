/// Reads the tokens of a source once: its declarations, its types, and the calls that take format strings.
///
/// Brackets are matched with an explicit stack instead of recursion. An unmatched bracket costs no more than the
/// distance to its neighbours.
struct CodeScanner {
    let names: CallNames
    let tokens: CodeTokens
    private(set) var calls: [FoundCall] = []
    var declarations = Declarations()
    /// The types of the source, and the members and conformances that its extensions add.
    private(set) var types: [SourceType] = []
    private(set) var extensions: [SourceType] = []
    /// The types of static properties and the result types of functions, for all types; nil if the declarations disagree.
    var results: [NeededMember: TypeName?] = [:]
    /// The strings of the constants, as `SourceTypes` keeps them.
    var constants: [NeededMember: Set<String>] = [:]
    /// The types whose members are being read, innermost last.
    var building: [SourceType] = []

    var frames: [Frame] = []
    private let baseScope: Int
    private let depth: Int
    /// The start of the current statement.
    private var statement = 0
    /// The declarations to which blocks belong, by the index of the opening brace.
    var blocks: [Int: Block] = [:]
    /// The attributes before a declaration, and whether the declaration is static.
    var attributes: Set<String> = []
    var isStatic = false
    /// The index of the `=` of the last declared variable, and that of the declaration's keyword in this statement.
    var assignment = -1
    var variables: Int?
    /// The scope of the current `@implementation`.
    var implementation: Int?
    /// The Objective-C type whose members are being read.
    var owner: String?

    /// An open bracket.
    struct Frame {
        var start: CodeToken
        var index: Int
        /// The index of the token that ends the bracket, and whether that token is the bracket's partner.
        var close: Int
        var isClosed: Bool
        var scope: Int
        var expectsFailure: Bool
        /// True for the block of a type, and of an extension.
        var isType = false
        var isExtension = false
        var isProtocol = false
    }

    /// What a declaration determines about the block after it.
    struct Block {
        /// The function or computed property whose body this is.
        var body: Range<Int>?
        var typeName: Range<Int>?
        var type: SourceType?
        var isExtension = false
        var isProtocol = false
        var generics: [Range<Int>] = []
        /// The parameters, and the names that a loop binds.
        var parameters: [Declarations.Declaration] = []
    }

    /// The maximum nesting of interpolations and macros that are searched for calls.
    private static let deepestPart = 4

    init(_ bytes: Bytes, _ language: CodeLanguage, _ names: CallNames) {
        self.init(CodeTokens(all: bytes, language), names)
    }

    /// Reads the tokens of a whole source.
    init(_ tokens: CodeTokens, _ names: CallNames) {
        self.init(tokens, names, Declarations(), scope: 0, depth: 0)
    }

    private init(_ tokens: CodeTokens, _ names: CallNames, _ declarations: Declarations, scope: Int, depth: Int) {
        self.tokens = tokens
        self.names = names
        self.declarations = declarations
        baseScope = scope
        self.depth = depth
        read()
    }

    var bytes: Bytes { tokens.bytes }
    var isSwift: Bool { tokens.language == .swift }
    var scope: Int { frames.last?.scope ?? baseScope }
    /// True if all enclosing brackets are braces.
    private var isInBlock: Bool { frames.last?.start.is("{") ?? true }

    private mutating func read() {
        for directive in tokens.directives { read(directive) }
        var index = 0
        while index < tokens.count {
            giveUp(at: index)
            noteStatement(index)
            switch tokens[index].kind {
            case .string: string(index)
            case .word: if isSwift { swiftWord(index) } else { objectiveCWord(index) }
            case .symbol: symbol(index)
            case .number, .opaque, .end, .condition, .directive: break
            }
            index = next(after: index)
        }
        giveUp(at: tokens.count)
    }

    /// The index of the next token. If only declarations are read, the bodies of functions are skipped.
    private func next(after index: Int) -> Int {
        guard !names.findsCalls, isSwift, let frame = frames.last, frame.index == index, frame.start.is("{"),
            !frame.isType
        else { return index + 1 }
        return max(index + 1, frame.close)
    }

    /// Records the start of a statement: after a brace or semicolon and, in Swift, on a new line outside parentheses and square
    /// brackets.
    private mutating func noteStatement(_ index: Int) {
        guard isInBlock else { return }
        let before = tokens[index - 1]
        if before.is("{") || before.is("}") || before.is(";")
            || isSwift && bytes.beginsStatement(tokens[index], after: before)
        {
            (statement, variables) = (tokens[index].start, nil)
        }
    }

    /// Handles `#define NAME @"…"`, which declares a constant. The body of a macro may contain calls.
    private mutating func read(_ directive: CodeToken) {
        guard let macro = CodeLexer(bytes, tokens.language).macro(directive) else { return }
        if !macro.name.isEmpty, bytes[macro.name.upperBound] != UInt8(ascii: "(") {
            declarations.declare(.init(name: macro.name, scope: 0, value: macro.body.lowerBound), bytes)
        }
        scanPart(macro.body)
    }

    /// Scans a part of the source separately: an interpolation, or the body of a macro.
    private mutating func scanPart(_ range: Range<Int>) {
        guard depth < Self.deepestPart, names.mayOccur(in: range, bytes.upTo(range.upperBound)) else { return }
        let part = CodeTokens(bytes, tokens.language, in: range, reach: .max)
        var known = Declarations()
        swap(&known, &declarations)
        let inner = CodeScanner(part, names, known, scope: scope, depth: depth + 1)
        declarations = inner.declarations
        calls += inner.calls
    }

    /// Handles a comma: the next variable of `let lower = 18, upper = 65`.
    private mutating func list(_ index: Int) {
        noteList()
        let isNext = tokens[index + 2].is("=") || tokens[index + 2].is(":")
        if isInBlock, !isInType, isNext, let variables { variable(index, isVariable: tokens.isWord(variables, "var")) }
    }

    private mutating func string(_ index: Int) {
        let token = tokens[index]
        if names.isLogOption(tokens, before: index) {
            note(.logCommand, tokens[index - 2].range, argument: token.range)
        }
        guard isSwift, names.mayOccur(in: token.range, bytes) else { return }
        for (_, hole, _) in SwiftLiteral.text(of: token.range, bytes).holes { scanPart(hole.expression) }
    }

    private mutating func symbol(_ index: Int) {
        switch tokens[index].symbol {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open(index)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(index)
        case UInt8(ascii: "="): equals(index)
        case UInt8(ascii: "-"), UInt8(ascii: "+"): if !isSwift, frames.isEmpty { method(index) }
        case UInt8(ascii: "@"): if isSwift { attribute(index) }
        case UInt8(ascii: ","): list(index)
        case UInt8(ascii: ";"):
            endDeclaration()
            if !isSwift { unsetVariable(index - 1) }
        default: break
        }
    }
}

// MARK: - Brackets

extension CodeScanner {
    private mutating func open(_ index: Int) {
        let token = tokens[index]
        var frame = Frame(
            start: token, index: index, close: tokens.close(of: index), isClosed: tokens.isClosed(index), scope: scope,
            expectsFailure: frames.last?.expectsFailure ?? false)
        if token.is("{") {
            if isSwift, names.findsKeys, tokens.isWord(index - 1, "NSPredicate"), !isTypeOfBody(index - 1) {
                note(.block, tokens[index - 1].range, argument: token.start..<tokens[tokens.close(of: index)].end)
            }
            openBlock(index, &frame)
        } else if token.is("(") {
            noteAddition(
                of: index - 1, to: index - 3, isMember: tokens[index - 2].is("."), from: tokens[index - 3].start)
            call(at: index)
            let before = tokens[index - 1]
            frame.expectsFailure = frame.expectsFailure || before.kind == .word && bytes.saysThrows(before.range)
        } else if !isSwift {
            message(at: index)
        }
        frames.append(frame)
    }

    /// True for the type before the body of a function or a computed property: `var adults: NSPredicate { … }`
    private func isTypeOfBody(_ type: Int) -> Bool {
        tokens[type - 1].is(">")
            || tokens[type - 1].is(":") && (tokens.isWord(type - 3, "var") || tokens.isWord(type - 3, "let"))
    }

    private mutating func close(_ index: Int) {
        guard let frame = frames.last, frame.close == index, frame.isClosed else { return }
        end(frame, at: tokens[index].start)
    }

    /// Closes the brackets that have no partner.
    private mutating func giveUp(at index: Int) {
        while let frame = frames.last, frame.close < index || frame.close == index && !frame.isClosed {
            end(frame, at: tokens[index - 1].end)
        }
    }

    private mutating func end(_ frame: Frame, at offset: Int) {
        frames.removeLast()
        guard frame.start.is("{") else { return }
        declarations.scopes.close(frame.scope, at: offset)
        endDeclaration()
        guard frame.isType, let type = building.popLast() else { return }
        if frame.isProtocol {
            for (name, property) in type.properties { noteResult(name, property.type, of: type.name) }
        } else if frame.isExtension {
            extensions.append(type)
        } else {
            types.append(type)
        }
    }
}

// MARK: - Calls

extension CodeScanner {
    /// Records the call whose arguments a parenthesis opens, if they can contain a format.
    private mutating func call(at open: Int) {
        let last = open - 1
        guard tokens[last].kind == .word,
            tokens[last - 1].kind != .word || !bytes.isFunctionKeyword(tokens[last - 1].range)
        else { return }
        let isMember = tokens[last - 1].is(".")
        let isInitializer = isMember && tokens.isWord(last, "init")
        if isInitializer, tokens[last - 2].kind != .word { return implicitInitializer(last, open) }
        let name = tokens[isInitializer ? last - 2 : last].range
        guard let kind = names.kind(ofFunction: name, bytes, isMember: isMember, isSwift: isSwift) else { return }
        note(kind, name, isMember ? receiver(last - 2) : .none, arguments(open + 1..<tokens.close(of: open)), open)
    }

    /// `request.predicate = .init(format: "…")`, where a preceding word shows that it is a predicate, and `.init(key: "…",
    /// ascending: true)` of a sort descriptor.
    private mutating func implicitInitializer(_ name: Int, _ open: Int) {
        if names.findsKeys, tokens.isWord(open + 1, "key"), tokens.isWord(open + 5, "ascending") {
            return note(.keys, tokens[name].range, .other, arguments(open + 1..<tokens.close(of: open)), open)
        }
        let target = tokens[name - 3]
        guard target.kind == .word,
            bytes.firstOffset(of: "redicate", in: target.range) != nil
                || ["matching", "containing", "using"].contains(bytes.text(target.range))
        else { return }
        note(.predicate, tokens[name].range, .other, arguments(open + 1..<tokens.close(of: open)), open)
    }

    /// The receiver that ends with a token. A name belongs to the expression before it only after a `.`.
    private func receiver(_ last: Int) -> FoundCall.Receiver {
        tokens[last].kind == .word && !tokens[last - 1].is(".") ? .name(tokens[last].range) : .other
    }

    private func arguments(_ range: Range<Int>) -> [FoundCall.Argument] {
        tokens.parts(range).compactMap { part in
            let isLabeled = isSwift && isLabel(part.lowerBound)
            let value = isLabeled ? part.dropFirst(2) : part
            return value.isEmpty ? nil : argument(isLabeled ? tokens[part.lowerBound].range : nil, value)
        }
    }

    private func argument(_ label: Range<Int>?, _ value: Range<Int>) -> FoundCall.Argument {
        let start = tokens[value.lowerBound].start
        return .init(label: label, value: start..<max(start, tokens[value.upperBound - 1].end))
    }

    /// True for a word before a colon, except for `std` in `std::name`.
    private func isLabel(_ index: Int) -> Bool {
        let colon = tokens[index + 1]
        return tokens[index].kind == .word && colon.is(":") && bytes[colon.end] != UInt8(ascii: ":")
            && !(tokens[index - 1].is(":") && tokens[index - 1].end == tokens[index].start)
    }

    private mutating func note(
        _ kind: FoundCall.Kind, _ name: Range<Int>, _ receiver: FoundCall.Receiver, _ arguments: [FoundCall.Argument],
        _ open: Int, format: Int = 0
    ) {
        let (close, isClosed) = (tokens.close(of: open), tokens.isClosed(open))
        let end = isClosed ? tokens[close].end : tokens[close - 1].end
        var call = FoundCall(kind: kind, name: name, range: name.lowerBound..<max(end, name.upperBound), format: format)
        (call.arguments, call.statement, call.receiver) = (arguments, statement, receiver)
        (call.isComplete, call.expectsFailure) = (isClosed, frames.last?.expectsFailure ?? false)
        if call.chooseFormat(names, bytes, isSwift: isSwift) { calls.append(call) }
    }

    /// Records what takes one value: `NSPredicate { object, _ in … }`, `request.propertiesToFetch = ["name"]`.
    mutating func note(_ kind: FoundCall.Kind, _ name: Range<Int>, argument: Range<Int>) {
        let end = max(argument.upperBound, name.upperBound)
        var call = FoundCall(kind: kind, name: name, range: name.lowerBound..<end, format: 0)
        (call.arguments, call.statement) = ([.init(label: nil, value: argument)], statement)
        calls.append(call)
    }

    /// Records the call in a message. `predicateWithFormat:` is such a call; `argumentArray:` labels its next argument.
    private mutating func message(at open: Int) {
        let parts = selector(open)
        guard let first = parts.first else { return }
        noteAddition(of: first, to: first - 1, isMember: true, from: tokens[open].start)
        for (start, name) in parts.enumerated() {
            let before = start == 0 ? nil : tokens[first].range
            guard let kind = names.kind(ofSelector: tokens[name].range, first: before, bytes) else { continue }
            // `setValue:forKey:` has the value before the key.
            let values = arguments(Array(parts[(kind == .keys ? 0 : start)...]), to: tokens.close(of: open))
            let format = values.firstIndex { $0.label == tokens[name].range } ?? 0
            return note(kind, tokens[name].range, messageReceiver(first), values, open, format: format)
        }
    }

    /// The arguments of the parts of a selector. All parts but the first are labels.
    private func arguments(_ parts: [Int], to end: Int) -> [FoundCall.Argument] {
        zip(parts, parts.dropFirst() + [end]).flatMap { name, end in
            let values = tokens.parts(min(name + 2, end)..<end)
            return values.enumerated().map { index, value in
                argument(index == 0 && name != parts[0] ? tokens[name].range : nil, value)
            }
        }
    }

    /// The parts of the selector of a message, without the colons of conditionals.
    private func selector(_ open: Int) -> [Int] {
        var (parts, index, choices): ([Int], Int, Int) = ([], open + 1, 0)
        let end = tokens.close(of: open)
        while index < end {
            if tokens[index].is("?") {
                choices += 1
            } else if tokens[index].is(":"), choices > 0 {
                choices -= 1
            } else if tokens[index].is(":"), isLabel(index - 1) {
                parts.append(index - 1)
            }
            index = tokens.next(after: index)
        }
        return parts
    }

    /// The receiver before the first selector part: `[finder find:`, `[self.finder find:`.
    private func messageReceiver(_ name: Int) -> FoundCall.Receiver {
        guard tokens[name - 1].kind == .word else { return .other }
        if tokens[name - 2].is("[") { return .name(tokens[name - 1].range) }
        let isProperty = tokens[name - 2].is(".") && tokens.isWord(name - 3, "self")
        return isProperty ? .name(tokens[name - 3].start..<tokens[name - 1].end) : .other
    }
}

// MARK: - Tests of words

extension Bytes {
    fileprivate func isFunctionKeyword(_ word: Range<Int>) -> Bool {
        equals("func", word) || equals("class", word) || equals("struct", word) || equals("extension", word)
            || equals("macro", word)
    }

    /// True for `XCTAssertThrowsError` and `RLMAssertThrowsWithReason`.
    fileprivate func saysThrows(_ word: Range<Int>) -> Bool {
        word.count > 6 && (firstOffset(of: "Throw", in: word) != nil || equals("expectException", word))
    }
}
