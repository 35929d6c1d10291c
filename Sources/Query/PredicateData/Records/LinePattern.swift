import Foundation
import PredicateJSON
import PredicateSyntax

/// A regular expression whose named groups are the keys of lines.
///
/// `(?<time>\S+) \[(?<level>\w+)\] (?<text>.*)`
///
/// The pattern is searched anywhere in a line. A group that takes no part in the match is nil. Names may be written as
/// in Python, `(?P<level>\w+)`, and may contain underscores.
package struct LinePattern: Hashable, Sendable {
    /// What happens to a line that the pattern does not match.
    package enum Unmatched: String, CaseIterable, Sendable {
        /// The line is an error.
        case error
        /// The line is left out.
        case skip
        /// The line belongs to the record before it: to its text, and to its last group if that group ends the first line, as the
        /// lines of a stack trace belong to the message above them.
        case join
    }

    package let pattern: String
    package var unmatched = Unmatched.error
    /// The names of the groups, in order.
    package let columns: [String]
    private let groups: [Int]
    private let matcher: LineMatcher
    /// Lists of strings. A line that does not contain a string of each list cannot match, so the pattern is not run on it.
    private let required: [[[UInt8]]]

    package static func == (left: LinePattern, right: LinePattern) -> Bool {
        left.pattern == right.pattern && left.unmatched == right.unmatched
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }

    /// Throws ``DataError/Code/invalidPattern(_:)`` if the pattern is invalid or has no named groups.
    package init(_ pattern: String) throws(DataError) {
        let spelling = pattern.replacingOccurrences(of: "(?P<", with: "(?<")
        let tree = PatternTree(spelling)
        let named = NamedGroups(tree)
        guard let expression = try? NSRegularExpression(pattern: named.withoutNames(spelling)) else {
            throw DataError(.invalidPattern("'\(pattern)' is no valid regular expression"))
        }
        guard !named.found.isEmpty else {
            throw DataError(.invalidPattern("there are no named groups, as in (?<level>\\w+), in '\(pattern)'"))
        }
        if let name = named.duplicate {
            throw DataError(.invalidPattern("two groups are named '\(name)' in '\(pattern)'"))
        }
        self.pattern = pattern
        columns = named.found.map(\.name)
        groups = named.found.map(\.number)
        matcher = LineMatcher(expression)
        required = tree.requiredTexts.map { list in list.map { Array($0.utf8) } }
    }

    /// Returns true if the pattern does not match a line, so that the line belongs to the record before it.
    func continues(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var fields: [Field] = []
        return (try? split(line: line, into: &fields)) == nil
    }

    /// Appends the groups of a row. Throws for a row whose first line the pattern does not match.
    func split(_ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(RecordFault) {
        guard unmatched == .join, let lineFeed = row.firstIndex(of: Byte.lineFeed, from: 0) else {
            return try split(line: row, into: &fields)
        }
        let line = row.slice(0..<lineFeed + 1).withoutLineEnd
        try split(line: line, into: &fields)
        // A group that takes no part in the match has the range 0..<0.
        let last = line.isEmpty ? nil : fields.indices.last { fields[$0].range.upperBound == line.count }
        if let last { fields[last].range = fields[last].range.lowerBound..<row.count }
    }

    private func split(line: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(RecordFault) {
        guard required.allSatisfy({ list in list.contains { line.contains($0) } }) else {
            throw RecordFault(.patternMismatch, at: 0)
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let match = matcher.match(text) else { throw RecordFault(.patternMismatch, at: 0) }
        let isASCII = text.utf8.count == text.utf16.count
        for group in groups {
            let range = match.range(at: group)
            guard range.location != NSNotFound else {
                fields.append(Field(range: 0..<0))
                continue
            }
            let units = range.location..<range.location + range.length
            fields.append(Field(range: isASCII ? units : Self.bytes(units, of: text)))
        }
    }

    /// Returns the UTF-8 offsets of a range of UTF-16 code units.
    private static func bytes(_ units: Range<Int>, of text: String) -> Range<Int> {
        let start = text.utf16.index(text.startIndex, offsetBy: units.lowerBound)
        let end = text.utf16.index(start, offsetBy: units.count)
        let first = text.utf8.distance(from: text.startIndex, to: start)
        return first..<first + text.utf8.distance(from: start, to: end)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns true if the bytes of a string, which is not empty, occur here.
    fileprivate func contains(_ string: [UInt8]) -> Bool {
        var start = 0
        while let place = firstIndex(of: string[0], from: start), place + string.count <= count {
            if equals(string, at: place..<place + string.count) { return true }
            start = place + 1
        }
        return false
    }
}

/// The named groups of a pattern.
private struct NamedGroups {
    private(set) var found: [(name: String, number: Int)] = []
    private var openings: [Range<Int>] = []
    private var count = 0
    private let tree: PatternTree

    init(_ tree: PatternTree) {
        self.tree = tree
        visit(tree.choice)
    }

    var duplicate: String? {
        var seen: Set<String> = []
        return found.map(\.name).first { !seen.insert($0).inserted }
    }

    private mutating func visit(_ choice: PatternChoice) {
        for part in choice.branches.flatMap(\.parts) {
            guard case .group(let group) = part.repeated.part else { continue }
            if group.kind == .capturing || group.kind == .named { count += 1 }
            if group.kind == .named {
                found.append((String(tree.text(group.opening).dropFirst(3).dropLast()), count))
                openings.append(group.opening)
            }
            visit(group.content)
        }
    }

    /// Returns the pattern with unnamed groups, because the matcher allows only letters and digits in names.
    func withoutNames(_ pattern: String) -> String {
        if pattern.contains("\\k<") { return pattern }
        var bytes = Array(pattern.utf8)
        for opening in openings.reversed() {
            bytes.replaceSubrange(opening, with: [UInt8(ascii: "(")])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Runs a regular expression, stopped after a number of steps.
///
/// `@unchecked`: expressions are immutable.
private final class LineMatcher: @unchecked Sendable {
    /// The number of progress reports, in addition to one per position in the line, after which the line counts as no match.
    private static let patience = 1000

    private let expression: NSRegularExpression

    init(_ expression: NSRegularExpression) {
        self.expression = expression
    }

    func match(_ text: String) -> NSTextCheckingResult? {
        var found: NSTextCheckingResult?
        var reports = 0
        let whole = NSRange(location: 0, length: text.utf16.count)
        expression.enumerateMatches(in: text, options: [.reportProgress], range: whole) { match, flags, stop in
            found = match
            if match == nil, flags.contains(.progress) { reports += 1 }
            if match != nil || reports > Self.patience + whole.length { stop.pointee = true }
        }
        return found
    }
}
