/// Finds the calls that take format strings, and the declarations of names that such calls may use, in one pass.
///
/// Brackets are matched with an explicit stack instead of recursion. An unmatched bracket costs no more than the
/// distance to its neighbours.
struct CodeScanner {
    let bytes: Bytes
    let names: CallNames
    private(set) var calls: [FoundCall] = []
    var declarations = Declarations()

    var lexer: CodeLexer
    private var conditions = ConditionStack()
    var frames: [Frame] = []
    var openCalls: [OpenCall] = []
    /// The last four tokens, newest first.
    var recent = Recent()
    private let baseScope: Int
    private let depth: Int
    /// The name after `let` or `var`, before its value.
    var declared: Declarations.Declaration?
    /// The names in `let (data, response)`, before their value.
    var pattern: [Range<Int>] = []
    var parameters = ParameterReader()
    /// The start of the current statement.
    var statement = 0
    /// The name after `class` or `extension`, before its block.
    var typeName: Range<Int>?
    /// The scope of an `@implementation`.
    var implementation: Int?
    /// True between `@property` and its semicolon.
    var isProperty = false

    /// An open bracket.
    struct Frame {
        var opener: UInt8
        var start: Int
        var scope: Int
        /// The index of the call whose arguments are in the bracket.
        var call: Int?
        var expectsFailure: Bool
        /// The number of `?` whose `:` has not been read.
        var choices = 0
        /// The first selector part in square brackets.
        var selector: Range<Int>?
        /// The receiver of a message.
        var receiver = FoundCall.Receiver.none
    }

    /// A call whose arguments are being read.
    struct OpenCall {
        var call: FoundCall
        var label: Range<Int>?
        /// The start of the current argument; nil before its first token.
        var start: Int?
    }

    struct Recent {
        var one = CodeToken(kind: .end, start: 0, end: 0)
        var two = CodeToken(kind: .end, start: 0, end: 0)
        var three = CodeToken(kind: .end, start: 0, end: 0)
        var four = CodeToken(kind: .end, start: 0, end: 0)

        @inline(__always)
        mutating func push(_ token: CodeToken) {
            four = three
            three = two
            two = one
            one = token
        }

        /// False after `name:`, true after `name: [`; nil if no type of the name follows.
        func beginsType(of name: Range<Int>) -> Bool? {
            if one.is(":") { return two.range == name ? false : nil }
            return one.is("[") && two.is(":") && three.range == name ? true : nil
        }
    }

    /// The maximum nesting of brackets that are tracked.
    private static let deepest = 4096
    /// The maximum nesting of interpolations and macros that are searched for calls.
    private static let deepestPart = 4

    init(_ bytes: Bytes, _ language: CodeLanguage, _ names: CallNames) {
        self.init(bytes, language, names, scope: 0, depth: 0)
    }

    private init(_ bytes: Bytes, _ language: CodeLanguage, _ names: CallNames, scope: Int, depth: Int) {
        self.bytes = bytes
        self.names = names
        lexer = CodeLexer(bytes, language)
        baseScope = scope
        self.depth = depth
    }

    var isSwift: Bool { lexer.language == .swift }
    var scope: Int { frames.last?.scope ?? baseScope }

    /// Scans from an offset to the end.
    mutating func scan(from start: Int = 0) {
        var offset = start
        while true {
            let token = lexer.token(at: offset)
            offset = token.end
            noteStatement(token)
            switch token.kind {
            case .end:
                closeFrames(to: 0)
                return
            case .condition:
                offset = condition(token)
                continue
            case .directive:
                directive(token)
                continue
            case .string:
                beginArgument(token)
                string(token)
            case .word:
                beginArgument(token)
                word(token)
            case .number, .opaque: beginArgument(token)
            case .symbol: symbol(token)
            }
            recent.push(token)
        }
    }

    /// Notes the start of a statement: after a brace or semicolon and, in Swift, on a new line outside other
    /// brackets.
    @inline(__always)
    private mutating func noteStatement(_ token: CodeToken) {
        guard frames.last.map({ $0.opener == UInt8(ascii: "{") }) ?? true else { return }
        let before = recent.one
        if before.is("{") || before.is("}") || before.is(";") {
            statement = token.start
        } else if isSwift, bytes.beginsStatement(token, after: before) {
            statement = token.start
        }
    }

    /// Handles `#if`, `#else`, `#endif`; returns the offset at which scanning continues.
    private mutating func condition(_ token: CodeToken) -> Int {
        switch conditions.note(token.range, bytes, depth: frames.count) {
        case .goOn(let depth):
            if let depth, depth < frames.count { closeFrames(to: depth) }
            return token.end
        case .skip(let depth):
            if let depth, depth < frames.count { closeFrames(to: depth) }
            return ConditionStack.branchEnd(bytes, from: token.end)
        }
    }

    /// Handles `#define NAME @"…"`, which declares a constant. The body of a macro may contain calls.
    private mutating func directive(_ token: CodeToken) {
        if let macro = lexer.macro(token) {
            declarations.declare(
                .init(name: macro.name, scope: 0, value: macro.body.lowerBound, type: nil, isVariable: false), bytes)
        }
        if let body = lexer.macroBody(token) { scanPart(body) }
    }

    /// Scans a part of the source separately: an interpolation, or the body of a macro.
    private mutating func scanPart(_ range: Range<Int>) {
        guard depth < Self.deepestPart else { return }
        let part = bytes.upTo(range.upperBound)
        guard names.mayOccur(in: range, part) else { return }
        var inner = CodeScanner(part, lexer.language, names, scope: scope, depth: depth + 1)
        swap(&inner.declarations, &declarations)
        inner.scan(from: range.lowerBound)
        swap(&inner.declarations, &declarations)
        calls += inner.calls
    }

    private mutating func string(_ token: CodeToken) {
        if names.isLogOption(recent, bytes) {
            var call = FoundCall(
                kind: .logCommand, name: recent.two.range, range: recent.two.start..<token.end, format: 0, scope: scope)
            call.arguments = [.init(label: nil, value: token.range)]
            calls.append(call)
        }
        guard isSwift, names.mayOccur(in: token.range, bytes) else { return }
        for (_, hole, _) in SwiftLiteral.text(of: token.range, bytes).holes { scanPart(hole.expression) }
    }

    private mutating func word(_ token: CodeToken) {
        if isSwift, recent.one.is("("), recent.two.isDeclaration(bytes) {
            pattern = [token.range]
        } else if !pattern.isEmpty, recent.one.is(",") {
            pattern.append(token.range)
        } else if recent.one.kind == .word, recent.one.isDeclaration(bytes), isSwift {
            pattern = []
            let own = Declarations.Declaration(
                name: token.range, scope: scope, value: nil, type: nil,
                isVariable: bytes.equals("var", recent.one.range))
            declared = own
            declarations.declare(own, bytes)
        } else if isSwift, var own = declared, own.type == nil, let isCollection = recent.beginsType(of: own.name) {
            (own.type, own.isCollection) = (token.range, isCollection)
            declared = own
            declarations.declare(own, bytes)
        }
        noteType(token)
        parameters.word(token, recent, bytes, isSwift: isSwift)
    }

    private mutating func symbol(_ token: CodeToken) {
        switch token.symbol {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            beginArgument(token)
            open(token)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(token)
        case UInt8(ascii: ","): endArgument(at: recent.one.end)
        case UInt8(ascii: ":"): colon(token)
        case UInt8(ascii: "="):
            beginArgument(token)
            equals(token)
        case UInt8(ascii: "?"):
            beginArgument(token)
            if !frames.isEmpty { frames[frames.count - 1].choices += 1 }
        case UInt8(ascii: ";"):
            beginArgument(token)
            endProperty()
            parameters.symbol(token, isTopLevel: !isSwift && frames.isEmpty)
        default:
            beginArgument(token)
            if isSwift, token.is("<") || token.is(">") { parameters.angle(token, recent, bytes) }
            parameters.symbol(token, isTopLevel: !isSwift && frames.isEmpty)
        }
    }
}

// MARK: - Brackets

extension CodeScanner {
    private mutating func open(_ token: CodeToken) {
        guard frames.count < Self.deepest else { return }
        var frame = Frame(
            opener: token.symbol, start: token.start, scope: scope, call: nil,
            expectsFailure: frames.last?.expectsFailure ?? false)
        switch token.symbol {
        case UInt8(ascii: "{"):
            frame.scope = declarations.open(at: token.start)
            let property = declared.flatMap { $0.value == nil && $0.type != nil ? $0.name : nil }
            if let name = property ?? parameters.function(before: recent.one) {
                declarations.declareBody(of: name, scope: frame.scope, bytes)
            }
            declared = nil
            if let own = typeName { declarations.declareType(own, scope: frame.scope) }
            typeName = nil
            declarations.declareGenerics(parameters.takeGenerics(), scope: frame.scope, bytes)
            for parameter in parameters.take(scope: frame.scope) { declarations.declare(parameter, bytes) }
        case UInt8(ascii: "("):
            noteAddition(of: recent.one, to: recent.three, isMember: recent.two.is("."))
            frame.call = openCall(before: token)
            frame.expectsFailure =
                frame.expectsFailure || recent.one.kind == .word && bytes.saysThrows(recent.one.range)
            parameters.open(recent, bytes, depth: frames.count)
        default: break
        }
        frames.append(frame)
    }

    private mutating func close(_ token: CodeToken) {
        let opener = Self.opener(of: token.symbol)
        guard let index = partner(of: opener) else { return }
        if index < frames.count - 1 { closeFrames(to: index + 1) }
        if let call = frames[index].call, call == openCalls.count - 1 {
            endArgument(at: recent.one.end)
            finish(end: token.end, isComplete: true)
        }
        if opener == UInt8(ascii: "{") {
            declarations.close(frames[index].scope, at: token.start)
            parameters.reset()
            declared = nil
        }
        frames.removeLast(frames.count - index)
        parameters.close(depth: frames.count)
    }

    /// The index of the innermost open bracket of a kind. The search stops at a brace, and after many unmatched
    /// brackets.
    private func partner(of opener: UInt8) -> Int? {
        for index in frames.indices.reversed().prefix(64) {
            if frames[index].opener == opener { return index }
            if frames[index].opener == UInt8(ascii: "{") { return nil }
        }
        return nil
    }

    private static func opener(of closer: UInt8) -> UInt8 {
        switch closer {
        case UInt8(ascii: ")"): UInt8(ascii: "(")
        case UInt8(ascii: "]"): UInt8(ascii: "[")
        default: UInt8(ascii: "{")
        }
    }

    /// Closes unmatched brackets.
    private mutating func closeFrames(to count: Int) {
        while frames.count > count {
            let frame = frames.removeLast()
            if let call = frame.call, call == openCalls.count - 1 {
                endArgument(openCalls.count - 1, at: recent.one.end)
                finish(end: recent.one.end, isComplete: false)
            }
            if frame.opener == UInt8(ascii: "{") { declarations.close(frame.scope, at: recent.one.end) }
        }
    }
}

// MARK: - Calls

extension CodeScanner {
    /// The index of the call that a parenthesis opens; nil if no format can follow.
    private mutating func openCall(before token: CodeToken) -> Int? {
        guard recent.one.kind == .word, recent.two.kind != .word || !bytes.isFunctionKeyword(recent.two.range) else {
            return nil
        }
        let isInitializer = bytes.equals("init", recent.one.range) && recent.two.is(".")
        if isInitializer, recent.three.kind != .word { return implicitInitializer(token) }
        let name = isInitializer ? recent.three.range : recent.one.range
        let isMember = recent.two.is(".")
        guard let kind = names.kind(ofFunction: name, bytes, isMember: isMember, isSwift: isSwift) else { return nil }
        return push(kind, name: name, isMember ? receiver(recent.three, recent.four) : .none)
    }

    /// `request.propertiesToFetch = ["name"]`
    mutating func noteKeys(_ name: Range<Int>, from start: Int) {
        let value = ExpressionParser.expression(CodeTokens(bytes, lexer.language, from: start)).range
        var call = FoundCall(
            kind: .keys, name: name, range: name.lowerBound..<value.upperBound, format: 0, scope: scope)
        (call.arguments, call.statement) = ([.init(label: nil, value: value)], statement)
        calls.append(call)
    }

    /// The receiver that ends with a token. Only after a `.` does a name belong to what precedes it.
    private func receiver(_ last: CodeToken, _ before: CodeToken) -> FoundCall.Receiver {
        last.kind == .word && !before.is(".") ? .name(last.range) : .other
    }

    /// `request.predicate = .init(format: "…")`, where a preceding word shows that it is a predicate.
    private mutating func implicitInitializer(_ token: CodeToken) -> Int? {
        guard recent.four.kind == .word, bytes.firstOffset(of: "redicate", in: recent.four.range) != nil else {
            return nil
        }
        return push(.predicate, name: recent.one.range, .other)
    }

    private mutating func push(_ kind: FoundCall.Kind, name: Range<Int>, _ receiver: FoundCall.Receiver) -> Int {
        var call = FoundCall(kind: kind, name: name, range: name, format: 0, scope: scope)
        call.expectsFailure = frames.last?.expectsFailure ?? false
        call.statement = statement
        call.receiver = receiver
        openCalls.append(OpenCall(call: call))
        return openCalls.count - 1
    }

    /// The call whose arguments are in the innermost bracket.
    @inline(__always)
    private var current: Int? { frames.last?.call }

    @inline(__always)
    private mutating func beginArgument(_ token: CodeToken) {
        guard let current, openCalls[current].start == nil else { return }
        openCalls[current].start = token.start
    }

    private mutating func endArgument(at end: Int) {
        guard let current else { return }
        endArgument(current, at: end)
        if !frames.isEmpty { frames[frames.count - 1].choices = 0 }
    }

    private mutating func endArgument(_ index: Int, at end: Int) {
        guard let start = openCalls[index].start else { return }
        openCalls[index].call.arguments.append(
            FoundCall.Argument(label: openCalls[index].label, value: start..<max(start, end)))
        openCalls[index].start = nil
        openCalls[index].label = nil
    }

    /// Handles `label: value`, a selector part, or the second half of a conditional.
    private mutating func colon(_ token: CodeToken) {
        parameters.colon(recent, bytes, isSwift: isSwift, depth: frames.count)
        guard !frames.isEmpty else { return }
        let top = frames.count - 1
        if frames[top].choices > 0 {
            frames[top].choices -= 1
            return beginArgument(token)
        }
        guard recent.one.kind == .word, bytes[token.end] != UInt8(ascii: ":"),
            !recent.two.isAdjacentColon(to: recent.one)
        else { return beginArgument(token) }
        if frames[top].opener == UInt8(ascii: "["), !isSwift { return selector(recent.one.range) }
        guard let call = frames[top].call, openCalls[call].start == recent.one.start, isSwift else {
            return beginArgument(token)
        }
        openCalls[call].label = recent.one.range
        openCalls[call].start = nil
    }

    /// Handles a selector part: `predicateWithFormat:` begins a call, `argumentArray:` labels its next argument.
    private mutating func selector(_ name: Range<Int>) {
        let top = frames.count - 1
        if frames[top].selector == nil {
            frames[top].receiver = messageReceiver()
            noteAddition(of: recent.one, to: recent.two, isMember: true)
        }
        if let call = frames[top].call {
            endArgument(call, at: recent.two.end)
            openCalls[call].label = name
        } else if let kind = names.kind(ofSelector: name, first: frames[top].selector, bytes) {
            frames[top].call = push(kind, name: name, frames[top].receiver)
        }
        if frames[top].selector == nil { frames[top].selector = name }
    }

    /// The receiver before the first selector part: `[finder find:`, `[self.finder find:`.
    private func messageReceiver() -> FoundCall.Receiver {
        guard recent.two.kind == .word else { return .other }
        if recent.three.is("[") { return .name(recent.two.range) }
        let isProperty = recent.three.is(".") && bytes.equals("self", recent.four.range)
        return isProperty ? .name(recent.four.start..<recent.two.end) : .other
    }

    private mutating func finish(end: Int, isComplete: Bool) {
        guard var call = openCalls.popLast()?.call else { return }
        call.range = call.name.lowerBound..<max(end, call.name.upperBound)
        call.isComplete = isComplete
        guard call.chooseFormat(names, bytes, isSwift: isSwift) else { return }
        calls.append(call)
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

extension CodeToken {
    /// True for `let` and `var`.
    fileprivate func isDeclaration(_ bytes: Bytes) -> Bool {
        end - start == 3 && (bytes.equals("let", range) || bytes.equals("var", range))
    }

    /// True for the second colon of `std::name`.
    fileprivate func isAdjacentColon(to word: CodeToken) -> Bool { self.is(":") && end == word.start }
}
