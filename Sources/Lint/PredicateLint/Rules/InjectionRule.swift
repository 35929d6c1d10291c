/// `predicate-injection` for an unknown format: a parameter, or a value from outside the program.
///
/// `NSPredicate(format: textField.text!)`, `func search(query: String) { NSPredicate(format: query) }`
///
/// A function that passes a parameter on as a format counts as a call that takes a format, if its arguments or the name of the
/// parameter show this. Its own calls are then checked, unless the receiver may be of another type, which may have a function
/// of the same name.
enum InjectionRule {
    static func findings(_ call: FoundCall, _ reader: TextReader) -> [LintFinding] {
        guard !call.isUncertain, !hasPolicy(call, reader) else { return [] }
        let format = call.arguments[call.format].value
        if let way = OutsideValue.way(to: reader.expression(in: format), reader) {
            var found = finding("comes from outside the program and is the whole format", format, reader)
            found.way = way
            return [found]
        }
        guard let parameter = parameter(of: call, reader), !isFormat(parameter, call, reader) else { return [] }
        return [finding("is a parameter and the whole format", format, reader)]
    }

    /// True for a call that restricts what the format may do: `FormatPredicate(query, policy: .untrusted)`
    private static func hasPolicy(_ call: FoundCall, _ reader: TextReader) -> Bool {
        call.arguments.contains { $0.label.map(reader.bytes.text) == "policy" }
    }

    private static func finding(_ text: String, _ range: Range<Int>, _ reader: TextReader) -> LintFinding {
        let name = reader.bytes.text(range).split(whereSeparator: \.isNewline).joined(separator: " ")
        return LintFinding(
            rule: .injection, level: .warning, text: "'\(name.count > 40 ? name.prefix(39) + "…" : name[...])' \(text)",
            hints: ["write the format in the source, and pass values for %@"], range: range)
    }

    /// The string parameter that is the format of a call.
    private static func parameter(of call: FoundCall, _ reader: TextReader) -> Declarations.Declaration? {
        let format = call.arguments[call.format].value
        let node = reader.expression(in: format)
        return reader.isTextParameter(node) ? reader.local(node) : nil
    }

    /// True for a parameter that is meant to be a format.
    private static func isFormat(
        _ parameter: Declarations.Declaration, _ call: FoundCall, _ reader: TextReader
    ) -> Bool {
        call.arguments.count > call.format + 1 || isFormatName(reader.bytes.text(parameter.name))
    }

    /// True for a name that suggests a format: `predicateFormat`, `whereClause`.
    static func isFormatName(_ name: String) -> Bool {
        let name = name.lowercased()
        return words.contains(where: name.contains)
    }

    private static let words = ["format", "predicate", "condition", "where", "clause", "filter", "expression", "rule"]

    private static let mostWrappers = 64

    /// The functions and methods of a source that pass a parameter on as a format; at most 64 names are looked for.
    static func wrappers(_ calls: [FoundCall], _ reader: TextReader) -> [CallName] {
        var names: Set<String> = []
        var wrappers: [CallName] = []
        for call in calls where names.count < mostWrappers {
            guard let (parameter, function) = passedOn(by: call, reader),
                names.insert(reader.bytes.text(function)).inserted
            else { continue }
            if let wrapper = wrapper(function, parameter, reader) { wrappers.append(wrapper) }
        }
        return wrappers
    }

    /// The parameter that a call passes on as its format, and the function with this parameter.
    private static func passedOn(
        by call: FoundCall, _ reader: TextReader
    ) -> (parameter: Declarations.Declaration, function: Range<Int>)? {
        guard call.kind != .custom, call.kind != .keys, call.arguments.indices.contains(call.format), !call.isUncertain,
            let parameter = parameter(of: call, reader), isFormat(parameter, call, reader),
            let function = parameter.function
        else { return nil }
        return (parameter, function)
    }

    private static func wrapper(
        _ function: Range<Int>, _ parameter: Declarations.Declaration, _ reader: TextReader
    ) -> CallName? {
        let name = reader.bytes.text(function)
        let owner = reader.typeName(at: function.lowerBound)
        guard reader.language == .swift else {
            let isOnly = count(of: name + ":(", in: reader.bytes) == 1
            return isOnly ? CallName(name: name, label: nil, position: 0, owner: owner) : nil
        }
        guard count(of: "func " + name, in: reader.bytes) == 1 else { return nil }
        let label = parameter.label.map(reader.bytes.text) ?? "_"
        var wrapper = CallName(
            name: name, label: label == "_" ? nil : label, position: parameter.position, owner: owner)
        wrapper.takesArguments = takesArguments(after: parameter, reader.bytes)
        return wrapper
    }

    /// True if the last parameter takes the arguments of the format and follows it: `_ format: String, _ arguments: CVarArg...`
    private static func takesArguments(after format: Declarations.Declaration, _ bytes: Bytes) -> Bool {
        let start = format.name.upperBound
        guard let end = bytes.firstOffset(of: "{", from: start, to: min(bytes.count, start + 256)) else { return false }
        let others = bytes.text(start..<end).split(separator: ",").dropFirst()
        return others.count == 1
            && ["CVarArg...", "Any...", "[Any]", "[CVarArg]"].contains(where: others.joined().contains)
    }

    /// False for a call that has the name of a wrapper, if its receiver is not known to be of the wrapper's type.
    static func isOwn(_ call: FoundCall, _ names: CallNames, _ reader: TextReader) -> Bool {
        guard call.kind == .custom, let wrapper = names.custom(call.name, reader.bytes), wrapper.position != nil else {
            return true
        }
        let isInOwner = reader.typeName(at: call.name.lowerBound) == wrapper.owner
        switch call.receiver {
        case .none:
            return reader.language == .swift && (!wrapper.isElsewhere || isInOwner || isFree(wrapper, call, reader))
        case .other: return false
        case .name(let receiver):
            let name = reader.bytes.text(receiver)
            if name == "self" || name == "Self" { return isInOwner && !(wrapper.isElsewhere && wrapper.owner == nil) }
            let isEntity = reader.schema?.entity(named: name) != nil && !wrapper.isElsewhere
            return wrapper.owner.map { name == $0 || isEntity || reader.type(in: receiver)?.name == $0 } ?? false
        }
    }

    /// True for a wrapper outside all types, if no other known declaration hides its name.
    private static func isFree(_ wrapper: CallName, _ call: FoundCall, _ reader: TextReader) -> Bool {
        wrapper.owner == nil && wrapper.isOnly
            && reader.declarations.visible(call.name, at: call.name.lowerBound, reader.bytes) == nil
    }

    /// The wrappers of other sources whose names occur in a source that does not declare these names.
    static func elsewhere(_ wrappers: [CallName], in bytes: Bytes, _ language: CodeLanguage) -> [CallName] {
        wrappers.filter { wrapper in
            guard wrapper.occurs(in: bytes, language) else { return false }
            return count(of: language == .swift ? "func " + wrapper.name : wrapper.name + ":(", in: bytes) == 0
        }.map { wrapper in
            var wrapper = wrapper
            wrapper.isElsewhere = true
            return wrapper
        }
    }

    /// The number of declarations that begin with a text: 1 if the source declares no other function of that name.
    private static func count(of declaration: String, in bytes: Bytes) -> Int {
        var (offset, count) = (0, 0)
        while let found = bytes.firstOffset(of: declaration, from: offset) {
            offset = found + declaration.utf8.count
            if declaration.hasSuffix("(") || !bytes[offset].isName { count += 1 }
        }
        return count
    }
}

extension CallName {
    /// True if a source has a call or a declaration with this name.
    fileprivate func occurs(in bytes: Bytes, _ language: CodeLanguage) -> Bool {
        bytes.firstOffset(of: name + (language == .swift ? "(" : ":")) != nil
    }

    func occurs(in source: [UInt8], _ kind: SourceKind) -> Bool {
        source.withUnsafeBufferPointer { occurs(in: Bytes($0), kind == .swift ? .swift : .objectiveC) }
    }
}
