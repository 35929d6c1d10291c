import PredicateSyntax

/// Comments that turn rules and checks off.
///
///     // predicate:disable:next predicate-syntax
///     // predicate:disable:this
///     // predicate:disable never-holds predicate-interpolation
///     // predicate:enable
///
/// Without a name, a comment applies to all rules. Words after the names are an explanation.
struct Suppressions {
    /// Lines on which a comment turns names off, as offsets.
    private struct Reach {
        /// The index of the comment.
        var comment: Int
        var range: Range<Int>
        var names: Set<LintName>
        /// Names that a later comment has turned on again.
        var exceptions: Set<LintName> = []

        func covers(_ finding: LintFinding) -> Bool {
            let isInRange =
                range.contains(finding.range.lowerBound)
                || !finding.literal.isEmpty && range.contains(finding.literal.lowerBound)
            return isInRange && names.contains { $0.covers(finding) } && !exceptions.contains { $0.covers(finding) }
        }
    }

    private var comments: [SuppressionComment] = []
    private var reaches: [Reach] = []

    init(_ bytes: Bytes) {
        guard bytes.firstOffset(of: "predicate:disable") != nil else { return }
        var offset = 0
        var open: [Reach] = []
        while let found = bytes.firstOffset(of: SuppressionComment.mark, from: offset) {
            offset = found + SuppressionComment.mark.utf8CodeUnitCount
            guard let comment = SuppressionComment(bytes, at: found) else { continue }
            comments.append(comment)
            read(comment, bytes, &open)
        }
        reaches += open
    }

    private mutating func read(_ comment: SuppressionComment, _ bytes: Bytes, _ open: inout [Reach]) {
        let line = bytes.lineStart(before: comment.mark.lowerBound)
        let lineEnd = bytes.lineEnd(from: comment.mark.lowerBound)
        switch comment.verb {
        case .next:
            let next = bytes.nextLine(after: lineEnd)
            add(next..<bytes.lineEnd(from: next) + 1, comment)
        case .this: add(line..<lineEnd + 1, comment)
        case .previous:
            let before = bytes.lineStart(before: max(bytes.previousLineEnd(before: line), 0))
            add(before..<line, comment)
        case .disable:
            open.append(reach(comment.mark.upperBound..<Int.max, comment))
        case .enable: close(comment, &open)
        case nil: break
        }
    }

    private func reach(_ range: Range<Int>, _ comment: SuppressionComment) -> Reach {
        Reach(comment: comments.count - 1, range: range, names: comment.covered)
    }

    private mutating func add(_ range: Range<Int>, _ comment: SuppressionComment) {
        reaches.append(reach(range, comment))
    }

    private mutating func close(_ comment: SuppressionComment, _ open: inout [Reach]) {
        let offset = comment.mark.upperBound
        for index in open.indices where offset > open[index].range.lowerBound {
            var closed = open[index]
            closed.range = closed.range.lowerBound..<offset
            reaches.append(closed)
            open[index].range = offset..<Int.max
            open[index].names.subtract(comment.covered)
            open[index].exceptions.formUnion(comment.covered)
        }
        open.removeAll { $0.names.isEmpty }
    }

    /// True if a comment turns the finding off on the line where the finding or its literal begins.
    mutating func cover(_ finding: LintFinding) -> Bool {
        var isCovered = false
        for reach in reaches where reach.covers(finding) {
            comments[reach.comment].isUsed = true
            isCovered = true
        }
        return isCovered
    }
}

// MARK: - Findings about the comments

extension Suppressions {
    /// Misspelled names, and comments that turned nothing off after ``cover(_:)`` was called for all findings.
    ///
    /// `formats` are the literals of the source. Without a model, a comment on one of them may be about the model.
    func findings(_ settings: LintSettings, formats: [Range<Int>], knowsKeys: Bool) -> [LintFinding] {
        let places = formats.map(\.lowerBound).sorted()
        let ranges = Dictionary(grouping: reaches, by: \.comment)
        return comments.enumerated().flatMap { index, comment -> [LintFinding] in
            guard comment.isAlone else { return [] }
            if !comment.problems.isEmpty { return comment.problems }
            let isAbout = (ranges[index] ?? []).contains { places.haveElement(in: $0.range) }
            // What a macro is about may be declared in a source that is not linted now.
            let mayBeUsed =
                mayBeOfModel(comment) && !knowsKeys && isAbout || comment.names.contains(.rule(.macro))
            guard comment.turnsOff, !comment.isUsed, !mayBeUsed, comment.names.allSatisfy(settings.isOn) else {
                return []
            }
            return [SuppressionComment.finding("this comment turns nothing off", "remove it", at: comment.mark)]
        }
    }

    private func mayBeOfModel(_ comment: SuppressionComment) -> Bool {
        comment.names.isEmpty
            || comment.names.contains { $0.isCheck || $0 == .rule(.model) }
    }
}

extension [Int] {
    /// True if a number of a sorted list is in a range, by binary search.
    fileprivate func haveElement(in range: Range<Int>) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < count && range.contains(self[low])
    }
}

/// One comment that turns rules off or on.
struct SuppressionComment {
    static let mark: StaticString = "predicate:"

    enum Verb: String, CaseIterable {
        case next = "disable:next"
        case this = "disable:this"
        case previous = "disable:previous"
        case disable
        case enable
    }

    /// Nil for a misspelled verb.
    let verb: Verb?
    /// `predicate:disable:next`
    let mark: Range<Int>
    /// The rules and checks that it names.
    private(set) var names: [LintName] = []
    /// Misspelled words.
    private(set) var problems: [LintFinding] = []
    /// True if the comment contains nothing before this, so it is no text about such comments.
    let isAlone: Bool
    var isUsed = false

    /// Nil for text outside a comment, and for other words after the mark.
    init?(_ bytes: Bytes, at start: Int) {
        let line = bytes.lineStart(before: start)..<start
        guard Self.markers.contains(where: { bytes.firstOffset(of: $0, in: line) != nil }) else { return nil }
        let lineEnd = bytes.lineEnd(from: start)
        var words = Self.words(in: start..<lineEnd, bytes)
        guard let first = words.first else { return nil }
        words.removeFirst()
        let text = String(bytes.text(first).dropFirst(Self.mark.utf8CodeUnitCount))
        verb = Verb(rawValue: text)
        guard verb != nil || text.hasPrefix("disable:") else { return nil }
        mark = first
        isAlone = Self.isAlone(line, bytes)
        if verb == nil {
            let close = NearMiss.candidates(for: text, among: Verb.allCases.map(\.rawValue), limit: 1).first
            let known = "disable:next, disable:this, disable:previous, disable or enable"
            problems = [
                Self.finding("expected \(known), found \(text)", close.map { "did you mean \($0)?" }, at: first)
            ]
        } else {
            read(words, bytes)
        }
    }

    /// All names for a comment without any.
    var covered: Set<LintName> {
        names.isEmpty && problems.isEmpty ? Set(LintRule.allCases.map(LintName.rule)) : Set(names)
    }

    var turnsOff: Bool { verb != nil && verb != .enable }

    private mutating func read(_ words: [Range<Int>], _ bytes: Bytes) {
        for range in words {
            let word = bytes.text(range)
            if let name = LintName(word) {
                names.append(name)
            } else if let close = LintName.suggestion(for: word), word.contains("-") || words.count == 1 {
                problems.append(Self.finding("'\(word)' is no rule", "did you mean \(close)?", at: range))
            } else if word.hasPrefix("predicate-") {
                let hint = "predicate help lint lists the rules"
                problems.append(Self.finding("'\(word)' is no rule", hint, at: range))
            } else {
                return
            }
        }
    }

    static func finding(_ text: String, _ hint: String?, at range: Range<Int>) -> LintFinding {
        LintFinding(
            rule: .suppression, level: .warning, text: text, hints: hint.map { [$0] } ?? [], range: range)
    }

    private static let markers: [StaticString] = ["//", "/*", "#", "<!--"]

    /// True if only blanks stand between the beginning of the comment and its end. A comment in quotes is text about
    /// comments.
    private static func isAlone(_ line: Range<Int>, _ bytes: Bytes) -> Bool {
        var end = line.upperBound
        while end > line.lowerBound, bytes[end - 1].isBlank { end -= 1 }
        for marker in markers {
            let start = end - marker.utf8CodeUnitCount
            guard start >= line.lowerBound, bytes.matches(marker, at: start) else { continue }
            let before = line.lowerBound..<start
            return !"/`\"'".utf8.contains(bytes[start - 1])
                && !["//", "/*"].contains { bytes.firstOffset(of: $0 as StaticString, in: before) != nil }
        }
        return false
    }

    /// The words of a line up to the end of the comment or a dash.
    private static func words(in range: Range<Int>, _ bytes: Bytes) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            var end = offset
            while end < range.upperBound, !isSeparator(bytes[end]) { end += 1 }
            if end > offset { words.append(offset..<end) }
            offset = end + 1
        }
        return Array(words.prefix { !bytes.matches("-", at: $0.lowerBound) && !bytes.matches("/", at: $0.lowerBound) })
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "*")
    }
}

extension Bytes {
    /// The offset at which the next line begins.
    fileprivate func nextLine(after lineEnd: Int) -> Int {
        matches("\r\n", at: lineEnd) ? lineEnd + 2 : min(lineEnd + 1, count)
    }

    /// The offset at which the previous line ends.
    fileprivate func previousLineEnd(before lineStart: Int) -> Int {
        lineStart >= 2 && matches("\r\n", at: lineStart - 2) ? lineStart - 2 : lineStart - 1
    }
}
