/// A call that takes a format string: `NSPredicate(format: "age > %d", 21)`.
package struct FoundCall: Sendable {
    /// The kind of a call, by what it makes of the format and of its arguments.
    package enum Kind: Hashable, Sendable {
        /// `NSPredicate(format:)`, `predicateWithFormat:`: arguments are those of a C function
        case predicate
        /// `NSExpression(format:)`, `expressionWithFormat:`
        case expression
        /// `FormatPredicate(…)`: arguments are values of any type
        case formatPredicate
        /// `FormatExpression(…)`
        case formatExpression
        /// `filter("…")`, `objects(where:)`, `objectsWhere:` of Realm: arguments are objects of any type
        case realm
        /// A call that `--call` names
        case custom
        /// `log show --predicate '…'`
        case logCommand
        /// A string of a data model or of a property list, which takes no arguments
        case stored
        /// A string of a data model that is an expression: `derivationExpression="now()"`
        case storedExpression

        /// True if the format is one of an expression.
        package var isExpression: Bool { self == .expression || self == .formatExpression || self == .storedExpression }

        /// True for a format that stands in no code, and draws no arguments.
        package var isStored: Bool { self == .stored || self == .storedExpression || self == .logCommand }
    }

    /// An argument of a call.
    struct Argument {
        var label: Range<Int>?
        var value: Range<Int>
    }

    var kind: Kind
    /// The name of the call, and the whole call.
    var name: Range<Int>
    var range: Range<Int>
    var arguments: [Argument] = []
    /// The index of the format among the arguments.
    var format: Int
    /// The innermost block around the call.
    var scope: Int
    /// The beginning of the statement that holds the call.
    var statement = 0
    /// False for a call without an end, and for arguments that macros spell.
    var isComplete = true
    /// True inside of an assertion that the call fails.
    var expectsFailure = false
    /// True if only a format that parses shows that this is such a call.
    var isUncertain = false
}

/// The spellings that `--call` takes: `find`, `find(where:)`, `fetch(_:matching:)`, `findWhere:`.
package struct CallName: Hashable, Sendable {
    /// The name before the parenthesis, or the last part of a selector.
    let name: String
    /// The label of the format; nil for the first argument that is a text.
    let label: String?

    /// Nil for a text that is no name.
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
