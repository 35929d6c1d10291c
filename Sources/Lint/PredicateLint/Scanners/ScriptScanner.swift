/// Finds the predicates of the command `log` in scripts and workflows.
///
///     log show --predicate 'process == "sshd" AND eventMessage CONTAINS "Failed"'
///     subprocess.run(["log", "stream", "--predicate", f'category == "{name}"'])
///     P='process == "sshd"'; log show --predicate "$P"
enum ScriptScanner {
    private static let option: StaticString = "--predicate"

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        var result: [StoredFormat] = []
        var names = ProgramNames(bytes)
        var offset = 0
        while let start = bytes.firstOffset(of: option, from: offset) {
            offset = start + option.utf8CodeUnitCount
            guard !isComment(start, bytes), belongsToLog(start, bytes) else { continue }
            var word = ScriptWord(bytes, option: start, after: offset)
            let own = word.read()
            offset = max(offset, min(word.end, bytes.count))
            guard var text = own ?? word.variable.flatMap({ Self.text(of: $0, before: start, &names, bytes) }) else {
                continue
            }
            text.mark { isConstant($0.expression, before: start, &names, bytes) }
            result.append(StoredFormat(text: text, kind: .logCommand, name: start..<start + option.utf8CodeUnitCount))
        }
        return result + queries(in: bytes)
    }

    /// `mdfind -onlyin /tmp 'kMDItemKind == "PDF"'`: finds the word with the first attribute on the line.
    private static func queries(in bytes: Bytes) -> [StoredFormat] {
        let command: StaticString = "mdfind "
        var (result, offset): ([StoredFormat], Int) = ([], 0)
        while let start = bytes.firstOffset(of: command, from: offset) {
            offset = bytes.lineEnd(from: start)
            guard !isComment(start, bytes), let attribute = bytes.firstOffset(of: "kMDItem", in: start..<offset) else {
                continue
            }
            var quote = attribute
            while quote > start, !"'\"".utf8.contains(bytes[quote]) { quote -= 1 }
            guard quote > start else { continue }
            var word = ScriptWord(bytes, option: quote, after: quote)
            let name = start..<start + command.utf8CodeUnitCount - 1
            if let text = word.read() { result.append(StoredFormat(text: text, kind: .metadata, name: name)) }
        }
        return result
    }

    /// The value of a variable: `P='process == "sshd"'`, `predicate = "process == 'sshd'"`.
    private static func text(
        of name: Range<Int>, before offset: Int, _ names: inout ProgramNames, _ bytes: Bytes
    ) -> FormatText? {
        guard let value = names.value(of: name, before: offset, isConstant: false) else { return nil }
        let start = bytes.blankEnd(from: value)
        if start > value {
            var reader = ProgramString(bytes)
            return reader.strings(from: start)
        }
        var word = ScriptWord(bytes, option: value, after: value)
        return word.read()
    }

    /// True for a variable whose values before its use are all strings without inner quotes: quoted strings or, in a shell,
    /// words.
    private static func isConstant(
        _ name: Range<Int>, before offset: Int, _ names: inout ProgramNames, _ bytes: Bytes
    ) -> Bool {
        let values = names.values(of: name, before: offset)
        return !values.isEmpty
            && values.allSatisfy { value in
                var word = ScriptWord(bytes, option: value, after: value)
                let isQuoted = "'\"".utf8.contains(bytes[value])
                return isQuoted
                    ? word.read()?.isHarmless ?? false || isDefault(value, bytes)
                    : isShell(bytes) && isWord(value, bytes)
            }
    }

    /// True for a shell variable whose default value is a word: `"${1:-sshd}"`
    private static func isDefault(_ start: Int, _ bytes: Bytes) -> Bool {
        guard isShell(bytes), bytes.matches("\"${", at: start) else { return false }
        let name = bytes.nameEnd(from: start + 3)
        let word = name + 2..<max(name + 2, bytes.nameEnd(from: name + 2))
        return bytes.matches(":-", at: name) && !word.isEmpty && bytes.matches("}\"", at: word.upperBound)
    }

    /// True for a word without quotes, variables and wildcards: `com.example.shop`
    private static func isWord(_ start: Int, _ bytes: Bytes) -> Bool {
        var end = start
        while bytes[end].isName && bytes[end] != UInt8(ascii: "$") || "./:@%+,-".utf8.contains(bytes[end]) { end += 1 }
        return end > start && (bytes[end].isSpace || bytes[end] == UInt8(ascii: ";") || bytes[end] == 0)
    }

    /// True for a shell script, in which a value needs no quotes.
    private static func isShell(_ bytes: Bytes) -> Bool {
        bytes.matches("#!", at: 0) && bytes.firstOffset(of: "sh", in: 0..<bytes.lineEnd(from: 0)) != nil
    }

    /// True after a `#` that begins a comment on the line.
    private static func isComment(_ offset: Int, _ bytes: Bytes) -> Bool {
        var (quote, previous) = (UInt8(0), UInt8(ascii: "\n"))
        for position in bytes.lineStart(before: offset)..<offset {
            let byte = bytes[position]
            if byte == UInt8(ascii: "#"), quote == 0, previous.isSpace { return true }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), previous != UInt8(ascii: "\\") {
                if quote == 0 { quote = byte } else if quote == byte { quote = 0 }
            }
            previous = byte
        }
        return false
    }

    /// True if `log` occurs earlier in the same command. Other programs also have an option of that name.
    private static func belongsToLog(_ offset: Int, _ bytes: Bytes) -> Bool {
        var start = offset
        while start > 0, offset - start < 512 {
            if bytes[start - 1].isNewline, !isContinued(start, bytes), !isList(offset, bytes) { break }
            start -= 1
        }
        var search = start
        while let found = bytes.firstOffset(of: "log", in: search..<offset) {
            search = found + 3
            let after = bytes[search]
            if !bytes[found - 1].isName || found == start, bytes[found - 1] != UInt8(ascii: "-"),
                bytes[found - 1] != UInt8(ascii: "."),
                after.isSpace || after == UInt8(ascii: "\"") || after == UInt8(ascii: "'")
            {
                return true
            }
        }
        return false
    }

    /// True if a backslash joins the line that begins here to the previous one.
    private static func isContinued(_ lineStart: Int, _ bytes: Bytes) -> Bool {
        var end = lineStart - 1
        while end > 0, bytes[end - 1].isNewline { end -= 1 }
        return end > 0 && bytes[end - 1] == UInt8(ascii: "\\")
    }

    /// True for an element of a list: `"--predicate", "…"`.
    private static func isList(_ offset: Int, _ bytes: Bytes) -> Bool {
        bytes[offset - 1] == UInt8(ascii: "\"") || bytes[offset - 1] == UInt8(ascii: "'")
    }
}

/// Reads the word after `--predicate` as a shell does, or the next element of a list.
private struct ScriptWord {
    private let bytes: Bytes
    /// The quote around the whole command, inside which escapes are resolved first:
    /// `bash -c "log show --predicate 'a == \"b\"'"`.
    private var outer: UInt8 = 0
    /// True in an f-string of Python.
    private var hasBraces = false
    private(set) var end: Int
    /// The variable, if it is the whole word.
    private(set) var variable: Range<Int>?
    private var text = FormatText()

    private static let (single, double, backslash) = (UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"))

    init(_ bytes: Bytes, option: Int, after: Int) {
        self.bytes = bytes
        end = after
        findOuterQuote(before: option)
    }

    /// Finds the quote that is open at an offset on its line.
    private mutating func findOuterQuote(before offset: Int) {
        var position = bytes.lineStart(before: offset)
        while position < offset {
            let byte = bytes[position]
            if byte == Self.backslash {
                position += 2
                continue
            }
            if byte == Self.single || byte == Self.double {
                if outer == 0 {
                    outer = byte
                    hasBraces = bytes[position - 1] | 0x20 == UInt8(ascii: "f")
                } else if outer == byte {
                    outer = 0
                    hasBraces = false
                }
            }
            position += 1
        }
    }

    /// Reads the string; nil if there is none, or if the whole string is unknown.
    mutating func read() -> FormatText? {
        if outer != 0, bytes[end] == outer { return readElement() }
        if bytes[end] == UInt8(ascii: "=") { end += 1 }
        skipSpace()
        let start = end
        readParts()
        guard text.bytes.count > 1, text.segments.contains(where: { !$0.isHole }) else {
            variable = text.holes.count == 1 ? text.holes.first.map(\.hole.expression) : nil
            return nil
        }
        if text.literal.isEmpty {
            guard !isProse else { return nil }
            text.literal = start..<max(end, start + 1)
        }
        return text
    }

    /// True for a plain word without quotes, which is text about the option: `--predicate examples:`
    private var isProse: Bool {
        text.bytes.allSatisfy {
            $0.isName || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
        }
    }

    private mutating func skipSpace() {
        while true {
            end = bytes.blankEnd(from: end)
            guard bytes[end] == Self.backslash, bytes[end + 1].isNewline else { return }
            end += bytes.matches("\r\n", at: end + 1) ? 3 : 2
        }
    }

    /// `"--predicate", "…"`
    private mutating func readElement() -> FormatText? {
        let comma = bytes.spaceEnd(from: end + 1)
        guard bytes[comma] == UInt8(ascii: ",") else { return nil }
        end = bytes.spaceEnd(from: comma + 1)
        var reader = ProgramString(bytes, areHarmless: false)
        // Letters before the quote are not part of the literal.
        let quote = bytes.nameEnd(from: end)
        guard var text = reader.strings(from: end) else {
            if quote > end { variable = end..<quote }
            return nil
        }
        end = text.literal.upperBound
        text.literal = quote..<end
        return text
    }

    /// `'a'"b"\'c\'$d`: parts without spaces between them.
    private mutating func readParts() {
        var first: Int?
        while end < bytes.count {
            let byte = bytes[end]
            let isEscaped = byte == Self.backslash && (bytes[end + 1] == Self.single || bytes[end + 1] == Self.double)
            if isEscaped, bytes[end + 1] == outer {
                first = first ?? end + 1
                readEscapedQuotes()
            } else if byte == Self.single && outer != Self.single || byte == Self.double && outer != Self.double {
                first = first ?? end
                readQuoted(by: byte, isRaw: byte == Self.single && outer != Self.double)
            } else if byte == UInt8(ascii: "$") {
                readVariable()
            } else if isEscaped {
                text.appendEscape(CollectionOfOne(bytes[end + 1]), source: end..<end + 2)
                end += 2
            } else if byte.isSpace || ";|&)(<>`\"'".utf8.contains(byte) {
                break
            } else {
                text.appendCopy(bytes[end..<end + 1], from: end)
                end += 1
            }
        }
        if let first { text.literal = first..<end }
    }

    /// `\"…\"` inside quotes of the same kind.
    private mutating func readEscapedQuotes() {
        let quote = bytes[end + 1]
        end += 2
        while end < bytes.count, !bytes[end].isNewline {
            if bytes[end] == Self.backslash {
                if bytes[end + 1] == quote {
                    end += 2
                    return
                }
                // Two levels of escapes: `\\\"`.
                let letter = bytes.matches("\\\\\\", at: end) ? end + 3 : end + 1
                text.appendEscape(bytes[letter..<letter + 1], source: end..<min(letter + 1, bytes.count))
                end = min(letter + 1, bytes.count)
            } else if !readHole(hasVariables: outer == Self.double) {
                copyByte()
            }
        }
    }

    private mutating func readQuoted(by quote: UInt8, isRaw: Bool) {
        end += 1
        while end < bytes.count, bytes[end] != quote {
            if outer != 0, bytes[end] == outer { return }
            if bytes[end] == Self.backslash, !isRaw {
                readEscape()
            } else if !readHole(hasVariables: !isRaw) {
                copyByte()
            }
        }
        end = min(end + 1, bytes.count)
    }

    /// `\"`, `\\`, `\$`; before other characters, a shell keeps the backslash.
    private mutating func readEscape() {
        let next = bytes[end + 1]
        if next.isNewline {
            end += bytes.matches("\r\n", at: end + 1) ? 3 : 2
        } else if next == Self.double || next == Self.single || next == Self.backslash || next == UInt8(ascii: "$")
            || next == UInt8(ascii: "`")
        {
            text.appendEscape(CollectionOfOne(next), source: end..<end + 2)
            end += 2
        } else {
            copyByte()
        }
        end = min(end, bytes.count)
    }

    private mutating func copyByte() {
        text.appendCopy(bytes[end..<end + 1], from: end)
        end += 1
    }

    /// Handles `$name`, `${name}`, `$(command)`, `` `command` ``, and `{name}` in an f-string; returns false for
    /// anything else.
    private mutating func readHole(hasVariables: Bool) -> Bool {
        let byte = bytes[end]
        if hasBraces, byte == UInt8(ascii: "{") {
            return appendHole(
                to: bytes.firstOffset(ofByte: UInt8(ascii: "}"), from: end, reach: 4096).map { $0 + 1 }, inset: 1)
        }
        if hasVariables, byte == UInt8(ascii: "`") {
            return appendHole(to: bytes.firstOffset(ofByte: byte, from: end + 1, reach: 4096).map { $0 + 1 }, inset: 1)
        }
        guard hasVariables, byte == UInt8(ascii: "$"), startsVariable else { return false }
        readVariable()
        return true
    }

    private var startsVariable: Bool {
        let next = bytes[end + 1]
        return next.isName && next != UInt8(ascii: "$") || "{(@*#?!".utf8.contains(next)
    }

    private mutating func readVariable() {
        let next = bytes[end + 1]
        if next == UInt8(ascii: "{") {
            _ = appendHole(
                to: bytes.firstOffset(ofByte: UInt8(ascii: "}"), from: end, reach: 4096).map { $0 + 1 }, inset: 2)
        } else if next == UInt8(ascii: "(") {
            _ = appendHole(to: parenthesisEnd, inset: 2)
        } else if startsVariable {
            let name = next.isNameStart ? bytes.nameEnd(from: end + 1) : end + 2
            _ = appendHole(to: name, inset: 1)
        } else {
            copyByte()
        }
    }

    /// The end of `$(…)`, with nested parentheses.
    private var parenthesisEnd: Int? {
        var depth = 0
        for offset in end + 1..<min(bytes.count, max(end + 1, end + 4096)) {
            if bytes[offset] == UInt8(ascii: "(") { depth += 1 }
            if bytes[offset] == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return offset + 1 }
            }
        }
        return nil
    }

    private mutating func appendHole(to close: Int?, inset: Int) -> Bool {
        guard let close, close > end + inset, close - end < 4096 else {
            copyByte()
            return true
        }
        let hole = FormatText.Hole(
            expression: end + inset..<max(end + inset, inset == 1 && bytes[close - 1].isName ? close : close - 1))
        text.appendHole(hole, shown: bytes[end..<close], source: end..<close)
        end = close
        return true
    }
}
