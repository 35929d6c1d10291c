/// Traces values from outside the program: from a text field, a file, a server, user defaults, or another program.
///
///     let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
///     if let filter = json?["filter"] as? String { NSPredicate(format: filter) }
struct OutsideValue {
    private let reader: TextReader
    /// The number of expressions that may still be examined.
    private var left = 64
    /// True once a member or an element has been traced, which may be text although the whole value is not.
    private var isPart = false

    /// The places through which such a value reaches an expression, beginning with its origin; nil for any other value.
    static func way(to node: CodeExpression, _ reader: TextReader) -> [Range<Int>]? {
        var value = OutsideValue(reader: reader)
        return value.way(to: node)
    }

    private init(reader: TextReader) {
        self.reader = reader
    }

    private mutating func way(to node: CodeExpression) -> [Range<Int>]? {
        guard left > 0 else { return nil }
        left -= 1
        if isOrigin(node) { return [node.range] }
        let wasPart = isPart
        defer { isPart = wasPart }
        if case .member = node { isPart = true } else if case .element = node { isPart = true }
        for part in parts(of: node) {
            if let way = way(to: part) { return way }
        }
        return passedOn(by: node)
    }

    /// The parts of an expression whose values become part of its own: `a + b`, `a ?? b`, `a as? String`, `a["key"]`.
    private func parts(of node: CodeExpression) -> [CodeExpression] {
        switch node {
        case .forced(let inner), .cast(let inner, _), .element(let inner, _, _): return [inner]
        case .group(let range, let parts):
            return reader.bytes[range.lowerBound] == UInt8(ascii: "!") ? [] : parts.map(\.value)
        case .infix(let left, let sign, let right):
            return sign.isEmpty || ["+", "??"].contains(reader.bytes.text(sign)) ? [left, right] : []
        case .choice(let parts, _): return Array(parts.dropFirst())
        case .member(let base?, let name, _): return isText(name) ? [base] : []
        case .call(let function, let arguments, _):
            guard let name = function.lastName, isText(name) else { return [] }
            return (function.base.map { [$0] } ?? []) + (passesOn(name) ? arguments.map(\.value) : [])
        case .literal(let token): return token.kind == .string ? reader.holes(of: token) : []
        case .name, .member, .closure, .branch, .refused, .unknown: return []
        }
    }

    /// False for a member or function whose result holds no text: `count`, `isEmpty`, `contains`
    private func isText(_ name: Range<Int>) -> Bool {
        let word = reader.bytes.text(name)
        return !Self.tests.contains(word) && !["is", "has", "index"].contains { word.hasPrefix($0) }
    }

    private static let tests: Set<String> = [
        "count", "length", "contains", "containsObject", "hashValue", "rawValue", "uuidString", "intValue",
        "integerValue", "doubleValue", "floatValue", "boolValue",
    ]

    /// True for a function whose result contains the text of its arguments. A value of another type, such as `Int(text)`,
    /// contains no text, and the result of a function with such a name is safe: `escaped(text)`
    private func passesOn(_ name: Range<Int>) -> Bool {
        let word = reader.bytes.text(name)
        if word.first?.isUppercase == true { return Self.texts.contains(word) }
        let lower = word.lowercased()
        return !["escap", "sanit", "clean", "valid", "quot", "allow", "check", "decode"].contains(where: lower.contains)
    }

    private static let texts: Set<String> = ["String", "NSString", "Substring", "Data", "URL", "URLComponents"]

    /// The places in the declaration of a name, the changes of a variable, and the results of a function.
    private mutating func passedOn(by node: CodeExpression) -> [Range<Int>]? {
        if isParameterOfRequest(node) { return [node.range] }
        if let declaration = reader.local(node) {
            if let brace = declaration.closure { return elements(ofClosureAt: brace, node) }
            let changes = reader.declarations.assignments(to: declaration, reader.bytes).prefix(8)
            let values = (declaration.value.map { [($0, declaration.name)] } ?? []) + changes.map { ($0.value, nil) }
            for (start, name) in values {
                let value = reader.expression(from: start)
                if let way = way(to: value) { return way + [name ?? value.range] }
            }
            return nil
        }
        if case .name(let name) = node, reader.bytes.equals("$0", name) {
            return elements(ofClosureAt: reader.declarations.scopes.innermost(at: name.lowerBound).start, node)
        }
        for result in reader.results(of: node) {
            if let way = way(to: result) { return way + [node.range] }
        }
        return nil
    }

    /// The places through the list whose elements a closure takes: `lines.map { … }`
    private mutating func elements(ofClosureAt brace: Int, _ node: CodeExpression) -> [Range<Int>]? {
        guard let (_, list) = reader.list(ofClosureAt: brace) else { return nil }
        return way(to: list).map { $0 + [node.range] }
    }

    // MARK: Origins

    private func isOrigin(_ node: CodeExpression) -> Bool {
        switch node {
        case .name:
            return reader.local(node).map { own in
                reader.isEdited(own) || own.label.map { Self.received.contains(reader.bytes.text($0)) } ?? false
            } ?? false
        case .member(_, let name, _):
            return isText(name) && (isMarked(node.range) || isTextOfControl(node) || isScriptMessage(name))
        case .element(let base, _, _): return isMarked(base.range.lowerBound..<base.range.upperBound + 1)
        case .call(let function, let arguments, let range):
            // Only the part before the arguments shows where the result comes from.
            let end = arguments.first?.value.range.lowerBound ?? range.upperBound
            let decoded = arguments.first.map { reader.bytes.text($0.value.range) } ?? ""
            if decoded.hasSuffix(".self"), !isPart, decoded != "String.self" { return false }
            if let name = function.lastName, reader.bytes.equals("receive", name), arguments.isEmpty, namesSocket {
                return true
            }
            return isMarked(range.lowerBound..<max(range.lowerBound, end)) || isSetting(function)
        case .literal, .infix, .group, .closure, .cast, .choice, .forced, .branch, .refused, .unknown: return false
        }
    }

    /// The labels of parameters whose values another device or program sends.
    private static let received: Set<String> = [
        "didReceiveMessage", "didReceiveMessageData", "didReceiveApplicationContext", "didReceiveUserInfo",
        "didReceiveRemoteNotification",
    ]

    /// `message.body` of a message that a web page sends.
    private func isScriptMessage(_ name: Range<Int>) -> Bool {
        reader.bytes.equals("body", name) && reader.bytes.firstOffset(of: "WKScriptMessage") != nil
    }

    private func isMarked(_ range: Range<Int>) -> Bool {
        guard range.count < 4096 else { return false }
        let text = reader.bytes.text(range).filter { !$0.isWhitespace && $0 != "?" && $0 != "!" }
        return Self.marks.contains(where: text.contains) || Self.fieldMarks.contains(where: text.lowercased().contains)
    }

    /// `defaults.string(forKey: "filter")`, `[defaults objectForKey:@"filter"]`, where the variable holds user defaults.
    private func isSetting(_ function: CodeExpression) -> Bool {
        guard let name = function.lastName, let base = function.base,
            Self.getters.contains(reader.bytes.text(name))
        else { return false }
        let value = reader.local(base)?.value.map { reader.bytes.text(reader.expression(from: $0).range) }
        return reader.type(of: base)?.name.hasSuffix("UserDefaults") ?? value?.contains("UserDefaults") ?? false
    }

    private static let getters: Set<String> = [
        "string", "object", "value", "stringForKey", "objectForKey", "valueForKey",
    ]

    private static let marks = [
        ".queryItems", "request.query", "req.query", "req.parameters", "readLine(", "CommandLine.arguments", "argv[",
        "UIPasteboard", "NSPasteboard", "rocessInfo.environment", "rocessInfo.arguments", "processInfo]arguments",
        "userActivity.", "url.query", "URL.query", "String(contentsOf", "Data(contentsOf", "stringWithContentsOf",
        "initWithContentsOf", "dataWithContentsOf", "Dictionary(contentsOf", "Array(contentsOf",
        "FileManager.default.contents(", "defaultManager]contentsAtPath:", "JSONSerialization",
        "PropertyListSerialization", "ecoder().decode(", "ecoder.decode(", ".userInfo", "userInfo]", "userInfo[",
        "URLSession.shared.data(", "session.data(", "dataTaskPublisher(", "launchOptions[", "url.lines", ".bytes.lines",
        "forHTTPHeaderField:", "allHeaderFields[", "evaluateJavaScript(", "evaluateJavaScript:",
        "FileHandle.standardInput", "fileHandleWithStandardInput", "UbiquitousKeyValueStore",
        "UserDefaults.standard.string(", "UserDefaults.standard.object(", "UserDefaults.standard.value(",
        "UserDefaults.standard[", "standardUserDefaults]stringForKey:", "standardUserDefaults]objectForKey:",
        "standardUserDefaults]valueForKey:",
    ]

    /// Common spellings that end with the contents of a field, in lowercase: `nameTextField.text`, `[self.searchBar text]`.
    private static let fieldMarks = [
        "field.text", "searchbar.text", "textview.text", "field.stringvalue", "textview.string", "fieldtext]",
        "searchbartext]", "textviewtext]", "fieldstringvalue]", "textfields.first.text", "textfields[0].text",
    ]

    /// `city.text`, where the variable `city` has the type of a text field.
    private func isTextOfControl(_ node: CodeExpression) -> Bool {
        guard case .member(let base?, let member, _) = node, case .name = base,
            ["text", "stringValue"].contains(reader.bytes.text(member))
        else { return false }
        let type = reader.type(of: base)?.name ?? ""
        return ["UITextField", "UISearchBar", "UITextView", "NSTextField", "NSSearchField"].contains(type)
    }

    /// `data` in `session.dataTask(with: url) { data, response, error in … }`, `result` in `socket.receive { result in … }`
    private func isParameterOfRequest(_ node: CodeExpression) -> Bool {
        guard let own = reader.local(node), let brace = own.closure, own.position == 0,
            let method = reader.list(ofClosureAt: brace)?.method
        else { return false }
        return method.hasSuffix("dataTask") || method == "receive" && namesSocket
    }

    /// True for a source with a web socket, of which `receive` gives what another program sends.
    private var namesSocket: Bool { reader.bytes.firstOffset(of: "WebSocketTask") != nil }
}

extension TextReader {
    /// The declaration to which an expression refers: `query`, `self.query`
    func local(_ node: CodeExpression) -> Declarations.Declaration? {
        guard let names = node.names, let name = names.last else { return nil }
        if names.count == 1 { return declarations.visible(name, at: name.lowerBound, bytes) }
        guard names.count == 2, bytes.equals("self", names[0]), let type = typeName(at: name.lowerBound) else {
            return nil
        }
        return declarations.member(name, of: type, bytes)
    }

    /// The expressions in the interpolations of a literal.
    func holes(of token: CodeToken) -> [CodeExpression] {
        literal(token).holes.prefix(8).map { expression(in: $0.hole.expression) }
    }

    /// True for a property that a control of SwiftUI edits.
    func isEdited(_ declaration: Declarations.Declaration) -> Bool {
        !edited.isEmpty && declaration.isVariable && edited.contains(bytes.text(declaration.name))
    }

    /// The names of the properties that controls of SwiftUI edit: `TextField("Search", text: $query)`.
    static func edited(in bytes: Bytes) -> Set<String> {
        let binding: StaticString = "text: $"
        var (names, offset): (Set<String>, Int) = ([], 0)
        while let found = bytes.firstOffset(of: binding, from: offset) {
            offset = bytes.nameEnd(from: found + binding.utf8CodeUnitCount)
            names.insert(bytes.text(found + binding.utf8CodeUnitCount..<offset))
        }
        return names
    }
}
