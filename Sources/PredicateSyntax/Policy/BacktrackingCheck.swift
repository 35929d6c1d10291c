/// A check of the text of a regular expression for constructs that can make a matcher backtrack badly.
///
/// `j.*n[a-z]+`, `(jo|al)-\d{2,4}` are safe: at most three unbounded repetitions, none of them around a group that has
/// choices or repetitions, no back-references and no look-around.
enum BacktrackingCheck {
    typealias Construct = PredicatePolicyError.CostlyConstruct

    /// The first construct of a pattern that may backtrack badly; nil if the pattern is safe.
    static func costlyConstruct(in pattern: String) -> Construct? {
        var scanner = PatternScanner(Array(pattern.utf8))
        return scanner.costlyConstruct()
    }
}

private struct PatternScanner {
    /// An open group.
    private struct Group {
        /// True if something in it may match in several ways.
        var varies = false
    }

    private let bytes: [UInt8]
    private var position = 0
    private var groups = [Group()]
    private var unbounded = 0
    /// True if the item that a quantifier would repeat may match in several ways itself.
    private var lastVaries = false

    private static let mostUnbounded = 3
    private static let mostRepetitions = 100

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: Unicode.Scalar? { position < bytes.count ? Unicode.Scalar(bytes[position]) : nil }

    mutating func costlyConstruct() -> BacktrackingCheck.Construct? {
        while let character = next {
            position += 1
            if let construct = costlyConstruct(at: character) { return construct }
        }
        return nil
    }

    private mutating func costlyConstruct(at character: Unicode.Scalar) -> BacktrackingCheck.Construct? {
        switch character {
        case "(": return openGroup()
        case ")":
            // An unbalanced bracket is an invalid pattern, which the matcher reports.
            guard groups.count > 1, let group = groups.popLast() else { return nil }
            lastVaries = group.varies
            if group.varies { vary() }
        case "|": vary()
        case "*", "+", "?", "{": return quantify(character)
        case "[":
            skipClass()
            lastVaries = false
        case "\\": return escape()
        default: lastVaries = false
        }
        return nil
    }

    private mutating func vary() {
        groups[groups.count - 1].varies = true
    }

    private mutating func openGroup() -> BacktrackingCheck.Construct? {
        groups.append(Group())
        guard next == "?" else { return nil }
        position += 1
        guard next == ":" else { return .specialGroup }
        position += 1
        return nil
    }

    private mutating func quantify(_ character: Unicode.Scalar) -> BacktrackingCheck.Construct? {
        var isUnbounded = character == "*" || character == "+"
        var repeats = isUnbounded
        if character == "{" {
            guard let most = bound() else { return .malformedCount }
            isUnbounded = most == .max
            repeats = most > 1
            if most != .max, most > Self.mostRepetitions { return .repetitions(most: Self.mostRepetitions) }
        }
        if repeats, lastVaries { return .repeatedChoice }
        if isUnbounded { unbounded += 1 }
        if unbounded > Self.mostUnbounded { return .unboundedRepetitions(most: Self.mostUnbounded) }
        // Lazy and possessive marks.
        if let mark = next, mark == "?" || mark == "+" { position += 1 }
        if let mark = next, "*+?{".unicodeScalars.contains(mark) { return .repeatedRepetition }
        vary()
        lastVaries = true
        return nil
    }

    /// The greatest count of `{2,4}`, `Int.max` for `{2,}`; the opening brace has been read.
    private mutating func bound() -> Int? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")), end - position < 10 else { return nil }
        let parts = String(decoding: bytes[position..<end], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
        position = end + 1
        guard let last = parts.last, parts.count <= 2, Int(parts[0]) != nil else { return nil }
        return last.isEmpty ? .max : Int(last)
    }

    private mutating func escape() -> BacktrackingCheck.Construct? {
        guard let character = next else { return nil }
        position += 1
        lastVaries = false
        switch character {
        case "0"..."9", "k": return .backreference
        case "Q":
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "E")
                {
                    position += 2
                    return nil
                }
                position += 1
            }
        default: break
        }
        return nil
    }

    /// Steps over `[a-z&&[^x]]`; the opening bracket has been read.
    private mutating func skipClass() {
        var depth = 1
        while depth > 0, let character = next {
            position += 1
            if character == "\\" { position += 1 }
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
        }
    }
}
