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
    private let lines: LineTable
    private var comments: [SuppressionComment] = []
    /// The names that comments turn off on single lines. The value is true once this has suppressed a finding.
    private var onLines: [LineName: Bool] = [:]
    private var switches: [LintName: Switches] = [:]

    private struct LineName: Hashable {
        var line: Int
        var name: LintName
    }

    /// The offsets after which comments turn a name off and on, in the order of the source.
    private struct Switches {
        var disabled: [(offset: Int, comment: Int)] = []
        var enabled: [Int] = []
        /// For each element of `disabled`, how many more findings it suppresses than the element before it.
        var uses = [0]

        /// The last place before an offset at which the name is turned on again.
        func lastEnabled(before offset: Int) -> Int? {
            enabled[..<enabled.firstIndex(from: offset + 1) { $0 }].last
        }

        func firstEnabled(after offset: Int) -> Int? {
            enabled[enabled.firstIndex(from: offset + 1) { $0 }...].first
        }
    }

    /// No comments.
    init() { lines = LineTable([]) }

    init(_ bytes: Bytes) {
        guard bytes.firstOffset(of: "predicate:disable") != nil else {
            lines = LineTable([])
            return
        }
        lines = LineTable(bytes)
        var offset = 0
        while let found = bytes.firstOffset(of: SuppressionComment.mark, from: offset) {
            offset = found + SuppressionComment.mark.utf8CodeUnitCount
            guard let comment = SuppressionComment(bytes, lines, at: found) else { continue }
            add(comment)
        }
    }

    private mutating func add(_ comment: SuppressionComment) {
        let offset = comment.mark.upperBound
        for name in comment.covered {
            if let line = comment.target {
                onLines[LineName(line: line, name: name)] = false
            } else if comment.verb == .enable {
                switches[name, default: Switches()].enabled.append(offset)
            } else {
                switches[name, default: Switches()].disabled.append((offset, comments.count))
                switches[name, default: Switches()].uses.append(0)
            }
        }
        comments.append(comment)
    }

    /// True if a comment turns the finding off on the line where the finding or its literal begins.
    mutating func cover(_ finding: LintFinding) -> Bool {
        guard !comments.isEmpty else { return false }
        var isCovered = cover(finding, at: finding.range.lowerBound)
        if !finding.literal.isEmpty, cover(finding, at: finding.literal.lowerBound) { isCovered = true }
        return isCovered
    }

    private mutating func cover(_ finding: LintFinding, at offset: Int) -> Bool {
        let names = [.rule(finding.rule)] + (finding.code.map { [LintName.check($0)] } ?? [])
        let line = lines.place(of: offset).line
        let enabled = names.compactMap { switches[$0]?.lastEnabled(before: offset) }.max() ?? -1
        var isCovered = false
        for name in names {
            let key = LineName(line: line, name: name)
            if onLines[key] != nil {
                onLines[key] = true
                isCovered = true
            }
            if cover(name, from: enabled + 1, to: offset + 1) { isCovered = true }
        }
        return isCovered
    }

    /// True if comments between two offsets turn the name off.
    private mutating func cover(_ name: LintName, from start: Int, to end: Int) -> Bool {
        guard
            let (first, last) = switches[name].map({
                ($0.disabled.firstIndex(from: start, \.offset), $0.disabled.firstIndex(from: end, \.offset))
            }), first < last
        else { return false }
        switches[name, default: Switches()].uses[first] += 1
        switches[name, default: Switches()].uses[last] -= 1
        return true
    }
}

// MARK: - Findings about the comments

extension Suppressions {
    /// Misspelled names, and comments that turned nothing off after ``cover(_:)`` was called for all findings.
    ///
    /// `formats` are the literals of the source. Without a model, it is unknown whether a comment on one of them is needed.
    func findings(_ settings: LintSettings, formats: [Range<Int>], knowsKeys: Bool) -> [LintFinding] {
        let places = formats.map(\.lowerBound).sorted()
        let used = used()
        return comments.enumerated().flatMap { index, comment -> [LintFinding] in
            guard comment.isAlone else { return [] }
            if !comment.problems.isEmpty { return comment.problems }
            let isAbout = places.haveElement(in: reach(of: comment))
            // The types in a macro may be declared in a source that is not being linted.
            let mayBeUsed =
                mayBeOfModel(comment) && !knowsKeys && isAbout || comment.names.contains(.rule(.macro))
            guard comment.turnsOff, !used.contains(index), !mayBeUsed, comment.names.allSatisfy(settings.isOn) else {
                return []
            }
            return [SuppressionComment.finding("this comment turns nothing off", "remove it", at: comment.mark)]
        }
    }

    /// The indices of the comments that turned a finding off.
    private func used() -> Set<Int> {
        var used: Set<Int> = []
        for own in switches.values {
            var uses = 0
            for (disabled, change) in zip(own.disabled, own.uses) {
                uses += change
                if uses > 0 { used.insert(disabled.comment) }
            }
        }
        for (index, comment) in comments.enumerated() {
            guard let line = comment.target else { continue }
            if comment.covered.contains(where: { onLines[LineName(line: line, name: $0)] == true }) {
                used.insert(index)
            }
        }
        return used
    }

    /// The part of the source in which a comment turns something off.
    private func reach(of comment: SuppressionComment) -> Range<Int> {
        if let line = comment.target { return lines.range(ofLine: line) }
        let start = comment.mark.upperBound
        let ends = comment.covered.map { switches[$0]?.firstEnabled(after: start) ?? .max }
        return start..<max(start, ends.max() ?? start)
    }

    private func mayBeOfModel(_ comment: SuppressionComment) -> Bool {
        comment.names.isEmpty
            || comment.names.contains { name in
                switch name {
                case .rule(let rule): rule == .model
                case .check(let code): CheckRule.dependsOnSchema(code)
                }
            }
    }
}

extension [Int] {
    /// True if a sorted list has an element in a range.
    fileprivate func haveElement(in range: Range<Int>) -> Bool {
        self[firstIndex(from: range.lowerBound) { $0 }...].first.map(range.contains) ?? false
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
    /// True if the mark is the first text of the comment; otherwise the comment is text about such comments.
    let isAlone: Bool
    private let line: Int

    /// The number of bytes of the line that are read before and after the mark.
    private static let (before, after) = (4096, 1024)

    /// Nil for text outside a comment, and for an unknown word after the mark.
    init?(_ bytes: Bytes, _ lines: LineTable, at start: Int) {
        self.line = lines.place(of: start).line
        let whole = lines.range(ofLine: self.line)
        let line = max(whole.lowerBound, start - Self.before)..<start
        guard Self.markers.contains(where: { bytes.firstOffset(of: $0, in: line) != nil }) else { return nil }
        var words = Self.words(in: start..<min(whole.upperBound, start + Self.after), bytes)
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

    /// The names that the comment turns off or on: all names if it lists none.
    var covered: Set<LintName> {
        names.isEmpty && problems.isEmpty ? Set(LintRule.allCases.map(LintName.rule)) : Set(names)
    }

    /// The line on which the comment turns names off; nil if it turns them off until the next comment.
    var target: Int? {
        switch verb {
        case .next: line + 1
        case .this: line
        case .previous: line - 1
        case .disable, .enable, nil: nil
        }
    }

    var turnsOff: Bool { verb != nil && verb != .enable }

    private mutating func read(_ words: [Range<Int>], _ bytes: Bytes) {
        for range in words {
            let word = bytes.text(range)
            if let name = LintName(word) {
                names.append(name)
            } else if let close = LintName.suggestion(for: word), word.contains("-") || words.count == 1 {
                problems.append(Self.finding("'\(word)' is not a rule or check", "did you mean \(close)?", at: range))
            } else if word.hasPrefix("predicate-") {
                let hint = "predicate help lint lists the rules"
                problems.append(Self.finding("'\(word)' is not a rule or check", hint, at: range))
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

    /// True if only blanks precede the mark within the comment. A comment in quotes is text about such comments.
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
            if bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "/") { break }
            if end > offset { words.append(offset..<end) }
            offset = end + 1
        }
        return words
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "*")
    }
}
