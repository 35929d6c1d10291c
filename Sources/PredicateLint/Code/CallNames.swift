/// The names of the calls that take a format string.
struct CallNames {
    private let custom: [CallName]
    /// True if the source says that it uses Realm; otherwise `filter("…")` may be anything.
    let usesRealm: Bool

    init(custom: [CallName], usesRealm: Bool) {
        self.custom = custom
        self.usesRealm = usesRealm
    }

    /// Words one of which stands in every source that has such a call.
    static let marks: [StaticString] = [
        "NSPredicate", "NSExpression", "WithFormat:", "FormatPredicate", "FormatExpression", "objectsWhere", "(where:",
        ".filter(", "index(matching:", " where:", "indexOfObjectWhere", "(format:", "--predicate",
    ]

    /// True if a source may have a call with a format.
    func mayOccur(in bytes: Bytes) -> Bool {
        Self.marks.contains { bytes.firstOffset(of: $0) != nil }
            || custom.contains { bytes.firstOffset(of: $0.name) != nil }
    }

    /// The kind of the function or type that is called by a name before `(`; nil for all others.
    func kind(ofFunction name: Range<Int>, _ bytes: Bytes, isMember: Bool, isSwift: Bool) -> FoundCall.Kind? {
        if hasCustom, custom(name, bytes) != nil { return .custom }
        guard isSwift else { return nil }
        switch bytes[name.lowerBound] {
        case UInt8(ascii: "N"):
            if bytes.equals("NSPredicate", name) { return .predicate }
            return bytes.equals("NSExpression", name) ? .expression : nil
        case UInt8(ascii: "F"):
            if bytes.equals("FormatPredicate", name) { return .formatPredicate }
            return bytes.equals("FormatExpression", name) ? .formatExpression : nil
        case UInt8(ascii: "f"): return isMember && bytes.equals("filter", name) ? .realm : nil
        case UInt8(ascii: "o"): return isMember && bytes.equals("objects", name) ? .realm : nil
        case UInt8(ascii: "i"): return isMember && bytes.equals("index", name) ? .realm : nil
        default: return nil
        }
    }

    /// The kind of the message that a part of a selector belongs to; nil for all others.
    func kind(ofSelector name: Range<Int>, first: Range<Int>?, _ bytes: Bytes) -> FoundCall.Kind? {
        if hasCustom, custom(name, bytes) != nil { return .custom }
        switch bytes[name.lowerBound] {
        case UInt8(ascii: "p"): return bytes.equals("predicateWithFormat", name) ? .predicate : nil
        case UInt8(ascii: "e"): return bytes.equals("expressionWithFormat", name) ? .expression : nil
        case UInt8(ascii: "o"): return bytes.equals("objectsWhere", name) ? .realm : nil
        case UInt8(ascii: "i"): return bytes.equals("indexOfObjectWhere", name) ? .realm : nil
        case UInt8(ascii: "w"):
            guard bytes.equals("where", name), let first else { return nil }
            return bytes.equals("objectsInRealm", first) ? .realm : nil
        default: return nil
        }
    }

    /// The name of `--call` that a name of the source is.
    func custom(_ name: Range<Int>, _ bytes: Bytes) -> CallName? {
        custom.first { $0.name.utf8.count == name.count && bytes[name].elementsEqual($0.name.utf8) }
    }

    var hasCustom: Bool { !custom.isEmpty }
}

extension CallNames {
    /// True if a part of a source may have a call with a format.
    func mayOccur(in range: Range<Int>, _ bytes: Bytes) -> Bool {
        guard range.count > 12 else { return false }
        return Self.marks.contains { bytes.firstOffset(of: $0, in: range) != nil }
            || custom.contains { bytes.firstOffset(of: $0.name, from: range.lowerBound) ?? .max < range.upperBound }
    }

    /// True if `"--predicate"` and a comma stand before: `["stream", "--predicate", "process == 'x'"]`.
    func isLogOption(_ recent: CodeScanner.Recent, _ bytes: Bytes) -> Bool {
        guard recent.one.is(","), recent.two.kind == .string else { return false }
        let option = recent.two.range
        guard option.count < 20 else { return false }
        return bytes.equals("\"--predicate\"", option) || bytes.equals("@\"--predicate\"", option)
    }
}

extension FoundCall {
    /// Finds the format among the arguments; false if there is none, and the call is another one.
    mutating func chooseFormat(_ names: CallNames, _ bytes: Bytes, isSwift: Bool) -> Bool {
        switch kind {
        case .predicate, .expression:
            guard isSwift else { return !arguments.isEmpty }
            return choose { bytes.equals("format", $0) || bytes.equals("validating", $0) }
        case .formatPredicate, .formatExpression:
            if arguments.first.map({ $0.label == nil }) == true { return true }
            return choose { bytes.equals("format", $0) }
        case .realm: return chooseRealmFormat(names, bytes, isSwift: isSwift)
        case .custom: return chooseCustomFormat(names.custom(name, bytes)?.label, bytes)
        case .logCommand, .stored, .storedExpression: return true
        }
    }

    private mutating func choose(_ isLabel: (Range<Int>) -> Bool) -> Bool {
        guard let index = arguments.firstIndex(where: { $0.label.map(isLabel) == true }) else { return false }
        format = index
        return true
    }

    /// `filter("…", a)`, `objects(where: "…", a)`, `index(matching: "…", a)`; other methods of these names take no literal there.
    private mutating func chooseRealmFormat(_ names: CallNames, _ bytes: Bytes, isSwift: Bool) -> Bool {
        isUncertain = !names.usesRealm
        guard isSwift else { return !arguments.isEmpty }
        if bytes.equals("filter", name) {
            guard let first = arguments.first, first.label == nil else { return false }
        } else {
            guard choose({ bytes.equals("where", $0) || bytes.equals("matching", $0) }) else { return false }
        }
        guard isText(arguments[format].value, bytes) else { return false }
        return arguments[(format + 1)...].allSatisfy {
            $0.label == nil && bytes[$0.value.lowerBound] != UInt8(ascii: ".")
        }
    }

    /// The argument with the label of `--call`, or else the first one that is a text.
    private mutating func chooseCustomFormat(_ label: String?, _ bytes: Bytes) -> Bool {
        if let label { return choose { bytes[$0].elementsEqual(label.utf8) } }
        guard let index = arguments.firstIndex(where: { isText($0.value, bytes) }) else { return false }
        format = index
        return true
    }

    /// True if an argument begins with a literal.
    private func isText(_ value: Range<Int>, _ bytes: Bytes) -> Bool {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "\""): true
        case UInt8(ascii: "@"), UInt8(ascii: "#"): bytes[value.lowerBound + 1] == UInt8(ascii: "\"")
        default: false
        }
    }
}
