import Foundation
import PredicateSession
import PredicateSyntax

/// The strings that a predicate looks for, by the last key of their path. The output of `filter` shows them in colour.
///
/// `name CONTAINS[c] "jo"`, `city IN {"Rome"}`, `"vip" IN tags`. Strings under NOT, patterns of MATCHES and values of variables
/// are not included.
struct SoughtTexts {
    /// A string, and where it may be in a value.
    private struct Text {
        let string: String
        let options: String.CompareOptions
        /// True if the string is the whole value.
        var isWhole = false
    }

    /// The key for `SELF`, which stands for a line of text.
    static let line = ""

    private var texts: [String: [Text]] = [:]

    init() {}

    init(_ predicate: FormatPredicate) { see(predicate.node) }

    var isEmpty: Bool { texts.isEmpty }

    func contains(_ key: String) -> Bool { texts[key] != nil }

    /// Returns the sought parts of a value, in order and without overlaps.
    func ranges(in value: String, of key: String) -> [Range<String.Index>] {
        let found = (texts[key] ?? []).flatMap { Self.ranges(of: $0, in: value) }
        var ranges: [Range<String.Index>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    private static func ranges(of text: Text, in value: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var start = value.startIndex
        while start < value.endIndex,
            let range = value.range(of: text.string, options: text.options, range: start..<value.endIndex),
            !range.isEmpty
        {
            ranges.append(range)
            if text.options.contains(.anchored) { break }
            start = range.upperBound
        }
        return text.isWhole ? ranges.filter { $0 == value.startIndex..<value.endIndex } : ranges
    }
}

// MARK: - The predicate

extension SoughtTexts {
    private mutating func see(_ node: PredicateNode) {
        switch node {
        case .constant, .block: break
        case .comparison(let comparison): see(comparison)
        case .string(let comparison): see(comparison)
        case .compound(let compound):
            switch compound.type {
            case .and, .or: for part in compound.subpredicates { see(part) }
            case .not: break
            }
        }
    }

    private mutating func see(_ comparison: ComparisonPredicate) {
        let options = Self.options(comparison.options)
        switch comparison.operator {
        case .equalTo, .in:
            add(comparison.rightExpression, beside: comparison.leftExpression) {
                [Text(string: $0, options: options, isWhole: true)]
            }
            add(comparison.leftExpression, beside: comparison.rightExpression) {
                [Text(string: $0, options: options, isWhole: true)]
            }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .notEqualTo, .between,
            .customSelector:
            break
        }
    }

    private mutating func see(_ comparison: StringPredicate) {
        let options = Self.options(comparison.options)
        add(comparison.rightExpression, beside: comparison.leftExpression) { string in
            switch comparison.operator {
            case .beginsWith: [Text(string: string, options: options.union(.anchored))]
            case .endsWith: [Text(string: string, options: options.union([.anchored, .backwards]))]
            case .contains: [Text(string: string, options: options)]
            case .like: Self.pieces(of: string, options)
            case .matches, .utiConformsTo, .utiEquals: []
            }
        }
    }

    /// The texts between the wildcards of a pattern: `J` and `n` of `J*n`.
    private static func pieces(of pattern: String, _ options: String.CompareOptions) -> [Text] {
        let pieces = pattern.split(omittingEmptySubsequences: false) { $0 == "*" || $0 == "?" }
        return pieces.enumerated().filter { !$0.element.isEmpty }.map { index, piece in
            let place: String.CompareOptions =
                index == 0 ? .anchored : index == pieces.count - 1 ? [.anchored, .backwards] : []
            return Text(string: String(piece), options: options.union(place))
        }
    }

    private static func options(_ options: ComparisonOptions) -> String.CompareOptions {
        var result: String.CompareOptions = []
        if options.contains(.caseInsensitive) { result.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
        return result.isEmpty ? .literal : result
    }

    private mutating func add(_ value: ExpressionNode, beside path: ExpressionNode, _ make: (String) -> [Text]) {
        guard let key = Self.key(of: path) else { return }
        let found = DateTextError.texts(in: value).filter { !$0.isEmpty }.flatMap(make)
        if !found.isEmpty { texts[key, default: []] += found }
    }

    /// Returns the last key of a path; nil for other expressions.
    private static func key(of node: ExpressionNode) -> String? {
        if node == .evaluatedObject { return line }
        guard case .keyPath(let path) = node, case .key(let name)? = path.components.last else { return nil }
        return name
    }
}
