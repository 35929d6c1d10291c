/// Regular expressions that a matcher is through with soon, told by their text.
///
/// `j.*n[a-z]+`, `(jo|al)-\d{2,4}`: at most three repetitions without end, none of them around a group that has
/// choices or repetitions, no references back and no looks around.
enum PlainPattern {
    /// Why a pattern is none, nil where it is one.
    static func objection(to pattern: String) -> String? {
        var scanner = PatternScanner(Array(pattern.utf8))
        return scanner.objection()
    }
}

private struct PatternScanner {
    /// An open group: whether something in it may match in several ways.
    private struct Group {
        var varies = false
    }

    private let bytes: [UInt8]
    private var position = 0
    private var groups = [Group()]
    private var unbounded = 0
    /// Whether what a quantifier would repeat varies itself.
    private var lastVaries = false

    private static let mostUnbounded = 3
    private static let mostRepetitions = 100

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: Unicode.Scalar? { position < bytes.count ? Unicode.Scalar(bytes[position]) : nil }

    mutating func objection() -> String? {
        while let character = next {
            position += 1
            if let reason = objection(at: character) { return reason }
        }
        return nil
    }

    private mutating func objection(at character: Unicode.Scalar) -> String? {
        switch character {
        case "(": return openGroup()
        case ")":
            // A bracket too many is no pattern at all, which the matcher says.
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

    private mutating func openGroup() -> String? {
        groups.append(Group())
        guard next == "?" else { return nil }
        position += 1
        guard next == ":" else { return "only (…) and (?:…) are plain groups" }
        position += 1
        return nil
    }

    private mutating func quantify(_ character: Unicode.Scalar) -> String? {
        var isUnbounded = character == "*" || character == "+"
        var repeats = isUnbounded
        if character == "{" {
            guard let most = bound() else { return "a brace that is no count" }
            isUnbounded = most == .max
            repeats = most > 1
            if most != .max, most > Self.mostRepetitions { return "more than \(Self.mostRepetitions) repetitions" }
        }
        if repeats, lastVaries { return "a repetition of something that varies" }
        if isUnbounded { unbounded += 1 }
        if unbounded > Self.mostUnbounded { return "more than \(Self.mostUnbounded) repetitions without end" }
        // Lazy and possessive marks.
        if let mark = next, mark == "?" || mark == "+" { position += 1 }
        if let mark = next, "*+?{".unicodeScalars.contains(mark) { return "a repetition of a repetition" }
        vary()
        lastVaries = true
        return nil
    }

    /// The greatest count of `{2,4}`, all of them for `{2,}`; the brace has been read.
    private mutating func bound() -> Int? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")), end - position < 10 else { return nil }
        let parts = String(decoding: bytes[position..<end], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
        position = end + 1
        guard let last = parts.last, parts.count <= 2, Int(parts[0]) != nil else { return nil }
        return last.isEmpty ? .max : Int(last)
    }

    private mutating func escape() -> String? {
        guard let character = next else { return nil }
        position += 1
        lastVaries = false
        switch character {
        case "0"..."9", "k": return "a reference back"
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
