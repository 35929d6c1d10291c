/// A call that takes a format string: `NSPredicate(format: "age > %d", 21)`.
package struct FoundCall: Sendable {
    /// The kind of a call: the API that receives the format and its arguments.
    package enum Kind: Hashable, Sendable {
        /// `NSPredicate(format:)`, `predicateWithFormat:`: the arguments are C varargs
        case predicate
        /// `NSExpression(format:)`, `expressionWithFormat:`
        case expression
        /// `FormatPredicate(…)`: the arguments are values of any type
        case formatPredicate
        /// `FormatExpression(…)`
        case formatExpression
        /// `filter("…")`, `objects(where:)`, `objectsWhere:` of Realm: the arguments are objects of any type
        case realm
        /// A call named by `--call`
        case custom
        /// `log show --predicate '…'`
        case logCommand
        /// A string in a data model or property list, which takes no arguments
        case stored
        /// An expression in a data model: `derivationExpression="now()"`
        case storedExpression
        /// A query of Spotlight: `NSPredicate(fromMetadataQueryString:)`, `mdfind`
        case metadata
        /// `NSPredicate { … }`, `predicateWithBlock:`, which have no format
        case block
        /// A call or property that takes keys: `NSSortDescriptor(key:)`, `propertiesToFetch`
        case keys

        /// True if the format is an expression.
        package var isExpression: Bool { self == .expression || self == .formatExpression || self == .storedExpression }

        /// True for a format outside code, which has no arguments.
        package var isStored: Bool { self == .stored || self == .storedExpression || self == .logCommand }
    }

    /// An argument of a call.
    struct Argument {
        var label: Range<Int>?
        var value: Range<Int>
    }

    var kind: Kind
    /// The name in the source, and the range of the whole call.
    var name: Range<Int>
    var range: Range<Int>
    var arguments: [Argument] = []
    /// The index of the format among the arguments.
    var format: Int
    /// The start of the statement that contains the call.
    var statement = 0
    /// False if the end of the call is missing, or a macro provides the arguments.
    var isComplete = true
    /// True inside an assertion that the call fails.
    var expectsFailure = false
    /// True if the call takes a format only if the string parses as one.
    var isUncertain = false
    var receiver = Receiver.none

    /// The expression before the name of a call.
    enum Receiver {
        case none
        /// `finder`, `self`, `Finder`, `self.finder`
        case name(Range<Int>)
        case other

        var name: Range<Int>? { if case .name(let range) = self { range } else { nil } }
    }
}

/// A name as `--call` takes it: `find`, `find(where:)`, `fetch(_:matching:)`, `findWhere:`.
package struct CallName: Hashable, Sendable {
    /// The name before the parenthesis, or the last part of a selector.
    let name: String
    /// The label of the format; nil for the first string argument.
    let label: String?
    /// The index of the format among the arguments, for a function of the source that passes this parameter on as a format.
    var position: Int?
    /// True if the function also has parameters for the arguments of the format: `_ arguments: CVarArg...`
    var takesArguments = false
    /// The type that declares this function; nil for a function outside all types.
    var owner: String?
    /// True for a function that another source declares.
    var isElsewhere = false
    /// True if no other function of the project has its name.
    var isOnly = false

    init(name: String, label: String?, position: Int, owner: String?) {
        self.name = name
        self.label = label
        self.position = position
        self.owner = owner
    }

    /// Nil if the string is not a name.
    package init?(_ text: String) {
        let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, !first.isEmpty else { return nil }
        let pieces = first.split(separator: ":").map(String.init)
        guard let name = pieces.last, name.utf8.first?.isNameStart == true, name.utf8.allSatisfy(\.isName) else {
            return nil
        }
        self.name = name
        guard parts.count > 1 else {
            label = nil
            return
        }
        guard parts[1].hasSuffix(")") else { return nil }
        label = parts[1].dropLast().split(separator: ":").last.map(String.init).flatMap { $0 == "_" ? nil : $0 }
    }
}

/// The names of the calls that take a format string.
struct CallNames {
    private let custom: [String: CallName]
    /// True if the source uses Realm. Without Realm, `filter("…")` may be any function.
    let usesRealm: Bool
    /// True to find strings that name keys, too.
    var findsKeys = false
    /// False to read declarations only.
    private(set) var findsCalls = true
    private let scanner: WordScanner

    init(custom: [CallName], usesRealm: Bool, _ language: CodeLanguage) {
        self.custom = Dictionary(custom.map { ($0.name, $0) }) { first, _ in first }
        self.usesRealm = usesRealm
        scanner = language == .swift ? Self.swift : Self.objectiveC
    }

    /// No calls: only declarations are read.
    static let none: CallNames = {
        var names = CallNames(custom: [], usesRealm: false, .swift)
        names.findsCalls = false
        return names
    }()

    private static let swift = WordScanner(SourceWords.callWords(.swift))
    private static let objectiveC = WordScanner(SourceWords.callWords(.objectiveC))

    /// True if one of the names of `--call` occurs.
    func namesOccur(in bytes: Bytes) -> Bool {
        custom.keys.contains { bytes.firstOffset(of: $0, in: 0..<bytes.count) != nil }
    }

    /// A name of an API that takes a format or a key.
    private struct Row {
        let name: StaticString
        let kind: FoundCall.Kind
        /// True for a method, which needs a receiver.
        var isMethod = false
        /// The first part of the selector, if the name is a later one.
        var first: StaticString?
    }

    private static let functions = [
        Row(name: "NSPredicate", kind: .predicate), Row(name: "NSExpression", kind: .expression),
        Row(name: "FormatPredicate", kind: .formatPredicate), Row(name: "FormatExpression", kind: .formatExpression),
        Row(name: "filter", kind: .realm, isMethod: true), Row(name: "objects", kind: .realm, isMethod: true),
        Row(name: "index", kind: .realm, isMethod: true), Row(name: "NSSortDescriptor", kind: .keys),
        Row(name: "value", kind: .keys, isMethod: true), Row(name: "setValue", kind: .keys, isMethod: true),
        Row(name: "primitiveValue", kind: .keys, isMethod: true),
        Row(name: "setPrimitiveValue", kind: .keys, isMethod: true),
        Row(name: "mutableSetValue", kind: .keys, isMethod: true),
        Row(name: "NSFetchedResultsController", kind: .keys), Row(name: "CSSearchQuery", kind: .metadata),
        Row(name: "fetchRequestFromTemplate", kind: .keys, isMethod: true),
    ]

    private static let selectors = [
        Row(name: "predicateWithFormat", kind: .predicate), Row(name: "expressionWithFormat", kind: .expression),
        Row(name: "predicateWithBlock", kind: .block),
        Row(name: "objectsWhere", kind: .realm), Row(name: "indexOfObjectWhere", kind: .realm),
        Row(name: "where", kind: .realm, first: "objectsInRealm"), Row(name: "sortDescriptorWithKey", kind: .keys),
        Row(name: "expressionForKeyPath", kind: .keys), Row(name: "valueForKey", kind: .keys),
        Row(name: "forKey", kind: .keys, first: "setValue"), Row(name: "valueForKeyPath", kind: .keys),
        Row(name: "primitiveValueForKey", kind: .keys), Row(name: "mutableSetValueForKey", kind: .keys),
        Row(name: "sectionNameKeyPath", kind: .keys, first: "initWithFetchRequest"),
        Row(name: "initWithKey", kind: .keys), Row(name: "initWithQueryString", kind: .metadata),
    ]

    /// The properties of a request that take keys.
    static let keyProperties: [StaticString] = [
        "propertiesToFetch", "propertiesToGroupBy", "propertiesToUpdate", "relationshipKeyPathsForPrefetching",
    ]

    /// The kind of call for a function or type name before `(`; nil for all others.
    func kind(ofFunction name: Range<Int>, _ bytes: Bytes, isMember: Bool, isSwift: Bool) -> FoundCall.Kind? {
        if hasCustom, custom(name, bytes) != nil { return .custom }
        let row = isSwift ? Self.functions.first { bytes.equals($0.name, name) } : nil
        return row.flatMap { isMember || !$0.isMethod ? asked($0.kind) : nil }
    }

    /// The kind of call for a message with this selector part; nil for all others.
    func kind(ofSelector name: Range<Int>, first: Range<Int>?, _ bytes: Bytes) -> FoundCall.Kind? {
        if hasCustom, custom(name, bytes) != nil { return .custom }
        if let row = Self.selectors.first(where: { bytes.equals($0.name, name) }) {
            let isWhole = row.first.map { start in first.map { bytes.equals(start, $0) } ?? false } ?? true
            return isWhole ? asked(row.kind) : nil
        }
        return Self.keyProperties.contains { bytes.isSetter(name, of: $0) } ? asked(.keys) : nil
    }

    private func asked(_ kind: FoundCall.Kind) -> FoundCall.Kind? {
        kind != .keys && kind != .block || findsKeys ? kind : nil
    }

    /// True for a property of a request that takes keys.
    func isKeyProperty(_ name: Range<Int>, _ bytes: Bytes) -> Bool {
        findsKeys && Self.keyProperties.contains { bytes.equals($0, name) }
    }

    /// The name of `--call` that a name in the source matches.
    func custom(_ name: Range<Int>, _ bytes: Bytes) -> CallName? {
        custom[bytes.text(name)]
    }

    var hasCustom: Bool { !custom.isEmpty }
}

extension Bytes {
    /// True for the setter of a property in Objective-C: `setPredicate`
    func isSetter(_ name: Range<Int>, of property: StaticString) -> Bool {
        let start = name.lowerBound + 3
        guard name.count == property.utf8CodeUnitCount + 3, matches("set", at: name.lowerBound) else { return false }
        return (1..<property.utf8CodeUnitCount).allSatisfy { self[start + $0] == property.utf8Start[$0] }
            && self[start] | 0x20 == property.utf8Start[0]
    }

    /// True if a source uses Realm.
    var namesRealm: Bool { firstOffset(of: "Realm") != nil || firstOffset(of: "RLM") != nil }

    /// True if a source migrates a store. Its predicates may be about objects of another version of the model.
    var namesMigration: Bool {
        firstOffset(of: "NSEntityMigrationPolicy") != nil || firstOffset(of: "NSMigrationManager") != nil
    }
}

extension CallNames {
    /// True if a part of the source may contain a call with a format.
    func mayOccur(in range: Range<Int>, _ bytes: Bytes) -> Bool {
        guard range.count > 12 else { return false }
        return scanner.occurs(in: range, bytes)
            || custom.keys.contains { bytes.firstOffset(of: $0, in: range) != nil }
    }

    /// True after `"--predicate"` and a comma: `["stream", "--predicate", "process == 'x'"]`.
    func isLogOption(_ tokens: CodeTokens, before index: Int) -> Bool {
        let option = tokens[index - 2].range
        guard tokens[index - 1].is(","), option.count < 20 else { return false }
        return tokens.bytes.equals("\"--predicate\"", option) || tokens.bytes.equals("@\"--predicate\"", option)
    }
}

extension FoundCall {
    /// Finds the format among the arguments. Returns false if there is none, which means that the call is of another function.
    mutating func chooseFormat(_ names: CallNames, _ bytes: Bytes, isSwift: Bool) -> Bool {
        switch kind {
        case .keys:
            if bytes.equals("initWithKey", name) { return hasLabel(["ascending"], bytes) }
            guard isSwift, arguments.contains(where: { $0.label != nil }) else { return !arguments.isEmpty }
            return choose { label in Self.keyLabels.contains { bytes.equals($0, label) } }
        case .predicate, .expression:
            guard isSwift else { return !arguments.isEmpty }
            if kind == .expression, names.findsKeys, choose({ bytes.equals("forKeyPath", $0) }) {
                kind = .keys
                return true
            }
            if kind == .predicate, names.findsKeys, choose({ bytes.equals("block", $0) }) {
                kind = .block
                return true
            }
            if choose({ bytes.equals("fromMetadataQueryString", $0) }) { kind = .metadata }
            return kind == .metadata || choose { bytes.equals("format", $0) || bytes.equals("validating", $0) }
        case .formatPredicate, .formatExpression:
            if arguments.first.map({ $0.label == nil }) == true { return true }
            return choose { bytes.equals("format", $0) }
        case .realm: return chooseRealmFormat(names, bytes, isSwift: isSwift)
        case .custom:
            let custom = names.custom(name, bytes)
            // Which arguments another function passes on is not known.
            if let custom, custom.position != nil, !custom.takesArguments { isComplete = false }
            return chooseCustomFormat(custom, bytes)
        case .metadata:
            return isSwift
                ? choose { bytes.equals("queryString", $0) } : hasLabel(["queryContext", "attributes"], bytes)
        case .logCommand, .stored, .storedExpression, .block: return true
        }
    }

    private static let keyLabels: [StaticString] = [
        "key", "forKey", "forKeyPath", "sectionNameKeyPath", "withName",
    ]

    /// True if an argument has one of these labels. Other classes have `initWithKey:` and `initWithQueryString:`, too.
    private func hasLabel(_ labels: [StaticString], _ bytes: Bytes) -> Bool {
        arguments.contains { $0.label.map { label in labels.contains { bytes.equals($0, label) } } ?? false }
    }

    private mutating func choose(_ isLabel: (Range<Int>) -> Bool) -> Bool {
        guard let index = arguments.firstIndex(where: { $0.label.map(isLabel) == true }) else { return false }
        format = index
        return true
    }

    /// `filter("…", a)`, `objects(where: "…", a)`, `index(matching: "…", a)`. Other methods with these names take no string
    /// literal at this position.
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

    /// Chooses the argument with the label of `--call`. Without a label, it is the argument at the position of the parameter,
    /// if the source contains the function, or else the first string.
    private mutating func chooseCustomFormat(_ name: CallName?, _ bytes: Bytes) -> Bool {
        if let label = name?.label { return choose { bytes[$0].elementsEqual(label.utf8) } }
        if let position = name?.position {
            guard position < arguments.count, isText(arguments[position].value, bytes) else { return false }
            format = position
            return true
        }
        guard let index = arguments.firstIndex(where: { isText($0.value, bytes) }) else { return false }
        format = index
        return true
    }

    /// True if an argument begins with a string literal.
    private func isText(_ value: Range<Int>, _ bytes: Bytes) -> Bool {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "\""): true
        case UInt8(ascii: "@"), UInt8(ascii: "#"): bytes[value.lowerBound + 1] == UInt8(ascii: "\"")
        default: false
        }
    }
}
