import PredicateSyntax

/// The check of every format that parses: its print parses to an equal tree. [NSP-149]
enum ReadingBack {
    static func complaint(about format: ParsedFormat) -> String? {
        guard format.tree.hasLiterals else { return nil }
        let printed = format.printed
        do throws(PredicateFormatError) {
            let again = try ParsedFormat(format.kind, printed, [])
            if again == format { return nil }
            return "\(printed) reads back as another tree, which prints \(again.printed)"
        } catch {
            return "\(printed) does not read back: \(error.inOneLine)"
        }
    }
}

extension TreeNode {
    /// True if every value in the tree has a literal. Arguments may have none: sets print as arrays, objects as their
    /// descriptions, and a key `$name` of `%K` as a variable.
    fileprivate var hasLiterals: Bool {
        switch self {
        case .expression(.constantValue(let value)): value.hasLiteral
        case .expression(.keyPath(let path)):
            path.components.allSatisfy(\.hasLiteral) && children.allSatisfy(\.hasLiterals)
        case .expression, .predicate: children.allSatisfy(\.hasLiterals)
        }
    }
}

extension KeyPathExpression.Component {
    fileprivate var hasLiteral: Bool {
        switch self {
        case .key(let key): !key.hasPrefix("$")
        case .variable: true
        }
    }
}

extension PredicateValue {
    fileprivate var hasLiteral: Bool {
        switch self {
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type: true
        case .array(let values), .orderedSet(let values): values.allSatisfy(\.hasLiteral)
        case .dictionary(let values): values.values.allSatisfy(\.hasLiteral)
        case .set, .object, .expression, .predicate: false
        }
    }
}

/// The check of every format error: it has a source range and shows it.
enum ErrorPlace {
    static func complaint(about error: PredicateFormatError, in given: String) -> String? {
        let format = error.text
        // The error of a format that is too long does not have its text.
        guard format.isEmpty || format.hasSameCodePoints(as: given) else {
            return "\(error.inOneLine) holds another format: \(format)"
        }
        let (lower, upper, count) = (error.range.lowerBound, error.range.upperBound, format.utf8.count)
        guard lower >= 0, upper <= count, !error.range.isEmpty || lower == count else {
            return "the place of \(error.inOneLine) is not inside the format of \(count) bytes"
        }
        let bytes = Array(format.utf8)
        let bounds = [lower, upper].filter { $0 < count }
        guard bounds.allSatisfy({ bytes[$0] & 0xC0 != 0x80 }) else {
            return "the place of \(error.inOneLine) divides a code point"
        }
        guard format.isEmpty || error.description.contains("^") else {
            return "\(error.inOneLine) is rendered without a caret"
        }
        return nil
    }
}

extension PredicateFormatError {
    /// `no value for $limit`
    var missingValue: String {
        if case .unboundVariable(let name) = code { "no value for $\(name)" } else { inOneLine }
    }

    /// `expectedOperator @ 3..<3`
    var inOneLine: String {
        "\(FormatErrorName(code).rawValue) @ \(range.lowerBound)..<\(range.upperBound)"
    }
}
