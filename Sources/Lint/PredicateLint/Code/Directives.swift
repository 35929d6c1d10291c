/// Lines that begin with `#`: conditions and, in Objective-C, other preprocessor lines.
extension CodeLexer {
    /// `#if DEBUG`, `#endif`, `#define NAME …`; nil for `#selector`, `#available` and the like.
    func directive(at start: Int) -> CodeToken? {
        let name = bytes.spaceFreeName(after: start)
        if Self.conditions.contains(where: { bytes.equals($0, name) }) {
            return CodeToken(kind: .condition, start: start, end: directiveEnd(from: name.upperBound))
        }
        guard language == .objectiveC else { return nil }
        return CodeToken(kind: .directive, start: start, end: directiveEnd(from: name.upperBound))
    }

    private static let conditions: [StaticString] = [
        "if", "ifdef", "ifndef", "else", "elseif", "elif", "elifdef", "elifndef", "endif",
    ]

    /// The end of the line, including continuation lines.
    private func directiveEnd(from start: Int) -> Int {
        var end = bytes.lineEnd(from: start)
        while language == .objectiveC, end < bytes.count, bytes[end - 1] == UInt8(ascii: "\\") {
            let next = bytes.matches("\r\n", at: end) ? end + 2 : end + 1
            end = bytes.lineEnd(from: next)
        }
        return end
    }

    /// The name and the body of any `#define`. The body of a macro with parameters begins with them.
    func macro(_ token: CodeToken) -> (name: Range<Int>, body: Range<Int>)? {
        let word = bytes.spaceFreeName(after: token.start)
        guard bytes.equals("define", word) else { return nil }
        let start = bytes.blankEnd(from: word.upperBound)
        let name = start..<bytes.nameEnd(from: start)
        return name.upperBound <= token.end ? (name, name.upperBound..<token.end) : nil
    }
}

extension Bytes {
    /// The name after `#`, which blanks may precede.
    func spaceFreeName(after hash: Int) -> Range<Int> {
        let start = blankEnd(from: hash + 1)
        return start..<nameEnd(from: start)
    }
}

/// The enclosing `#if` conditions, and which of their branches are skipped.
///
/// `#if 0` and `#if false` skip their first branch, `#if 1` skips the others. Any other condition is assumed to hold
/// in every branch.
struct ConditionStack {
    /// The value of the condition of an `#if`.
    private enum Value {
        case off
        case on
        case unknown
    }

    private var values: [(value: Value, depth: Int)] = []
    private static let deepest = 256

    /// What to do after a condition.
    enum Step {
        /// Continue, and close the brackets that the previous branch opened, down to this depth.
        case goOn(depth: Int?)
        /// Skip the lines up to the next branch.
        case skip(depth: Int?)
    }

    /// Handles a condition; `depth` is the number of open brackets.
    mutating func note(_ line: Range<Int>, _ bytes: Bytes, depth: Int) -> Step {
        let name = bytes.spaceFreeName(after: line.lowerBound)
        if bytes.equals("if", name) || bytes.matches("ifdef", at: name.lowerBound)
            || bytes.matches("ifndef", at: name.lowerBound)
        {
            guard values.count < Self.deepest else { return .goOn(depth: nil) }
            let value = bytes.equals("if", name) ? Self.value(bytes, name.upperBound..<line.upperBound) : .unknown
            values.append((value, depth))
            return value == .off ? .skip(depth: nil) : .goOn(depth: nil)
        }
        guard let last = values.last else { return .goOn(depth: nil) }
        if bytes.equals("endif", name) {
            values.removeLast()
            return .goOn(depth: nil)
        }
        switch last.value {
        case .on: return .skip(depth: last.depth)
        case .off, .unknown:
            values[values.count - 1].value = .unknown
            return .goOn(depth: last.depth)
        }
    }

    private static func value(_ bytes: Bytes, _ range: Range<Int>) -> Value {
        var text = bytes.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 32))
        if let comment = text.firstRange(of: "/") { text = String(text[..<comment.lowerBound]) }
        let word = text.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
        return ["0", "false", "NO"].contains(word) ? .off : ["1", "true", "YES"].contains(word) ? .on : .unknown
    }

    /// The offset of the line that ends a skipped branch: its `#else`, `#elif` or `#endif`.
    static func branchEnd(_ bytes: Bytes, from offset: Int) -> Int {
        var (start, depth) = (offset, 0)
        while start < bytes.count {
            let mark = bytes.blankEnd(from: start)
            if bytes[mark] == UInt8(ascii: "#") {
                let name = bytes.spaceFreeName(after: mark)
                if bytes.matches("if", at: name.lowerBound) {
                    depth += 1
                } else if bytes.equals("endif", name) {
                    if depth == 0 { return mark }
                    depth -= 1
                } else if depth == 0, bytes.matches("el", at: name.lowerBound) {
                    return mark
                }
            }
            start = bytes.lineEnd(from: mark)
            while start < bytes.count, bytes[start].isNewline { start += 1 }
        }
        return bytes.count
    }
}
