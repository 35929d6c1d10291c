/// The strings that a program assigns to names, in languages other than Swift and Objective-C.
///
///     OK = "label == 'OK'"        private static final String OK = "label == 'OK'";
///     self.ok = f"label == '{name}'"        val ok: String = "label == 'OK'"        const ok = `label == "${name}"`
struct ProgramNames {
    private let bytes: Bytes
    /// The offsets after the equals signs, by name; nil until they are needed.
    private var found: [String: [Int]]?
    private var read: Set<Int> = []

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// The string assigned to a name such as `OK` or `self.ok`: the last one before an offset or else the only one; nil for any
    /// other expression, and for a string that has already been returned.
    mutating func text(of expression: Range<Int>, before offset: Int) -> FormatText? {
        guard let name = Self.lastName(of: expression, bytes), let value = value(of: name, before: offset) else {
            return nil
        }
        var reader = ProgramString(bytes)
        return reader.strings(from: bytes.blankEnd(from: value))
    }

    /// The string of a constant in an interpolation, `{OK}`, positioned at the interpolation. A constant has a name in
    /// capitals, to which the program assigns a string only once.
    mutating func constant(_ hole: FormatText.Hole) -> FormatText? {
        let expression = ProgramString.expression(hole.expression, bytes)
        guard let name = Self.lastName(of: expression, bytes), name == expression,
            bytes[name].allSatisfy({ $0.isName && !(0x61...0x7A).contains($0) }), let value = values(of: name).first,
            values(of: name).count == 1,
            let end = bytes.firstOffset(ofByte: UInt8(ascii: "\n"), from: value, reach: 512)
        else { return nil }
        var reader = ProgramString(bytes.upTo(end))
        guard let known = reader.strings(from: bytes.blankEnd(from: value)), !known.hasHoles else { return nil }
        return FormatText(known.bytes, at: hole.expression)
    }

    private mutating func values(of name: Range<Int>) -> [Int] {
        let all = found ?? index()
        found = all
        return all[bytes.text(name)] ?? []
    }

    /// The offsets after all equals signs that assign to a name before an offset.
    mutating func values(of name: Range<Int>, before offset: Int) -> ArraySlice<Int> {
        values(of: name).prefix { $0 < offset }
    }

    /// The offset after the equals sign. A constant may be used before its definition.
    mutating func value(of name: Range<Int>, before offset: Int, isConstant: Bool = true) -> Int? {
        let values = values(of: name)
        let next = values.firstIndex(from: offset) { $0 }
        guard let value = next > 0 ? values[next - 1] : isConstant && values.count == 1 ? values[0] : nil else {
            return nil
        }
        return read.insert(value).inserted ? value : nil
    }

    /// The end of a dotted name that begins at an offset, if the name is a whole argument or statement; otherwise the offset.
    static func end(of start: Int, _ bytes: Bytes) -> Int {
        var end = bytes.nameEnd(from: start)
        while bytes[end] == UInt8(ascii: "."), bytes[end + 1].isNameStart { end = bytes.nameEnd(from: end + 1) }
        let next = bytes[bytes.blankEnd(from: end)]
        return next == 0 || next.isNewline || "),;]}".utf8.contains(next) ? end : start
    }

    private static func lastName(of expression: Range<Int>, _ bytes: Bytes) -> Range<Int>? {
        guard expression.count < 128, !expression.isEmpty, bytes[expression.lowerBound].isNameStart,
            bytes[expression].allSatisfy({ $0.isName || $0 == UInt8(ascii: ".") })
        else { return nil }
        var start = expression.upperBound
        while start > expression.lowerBound, bytes[start - 1].isName { start -= 1 }
        return start < expression.upperBound ? start..<expression.upperBound : nil
    }

    /// Finds the names before `=`, with or without a type between them.
    private func index() -> [String: [Int]] {
        var result: [String: [Int]] = [:]
        var offset = 0
        while let equals = bytes.firstOffset(ofByte: UInt8(ascii: "="), from: offset) {
            offset = equals + 1
            guard bytes[offset] != UInt8(ascii: "="), let name = name(before: equals) else { continue }
            result[bytes.text(name), default: []].append(offset)
        }
        return result
    }

    private func name(before equals: Int) -> Range<Int>? {
        guard let word = word(before: equals) else { return nil }
        var before = word.lowerBound
        while before > 0, bytes[before - 1].isBlank { before -= 1 }
        return bytes[before - 1] == UInt8(ascii: ":") ? self.word(before: before - 1) : word
    }

    private func word(before offset: Int) -> Range<Int>? {
        var end = offset
        while end > 0, bytes[end - 1].isBlank { end -= 1 }
        var start = end
        while start > 0, end - start < 64, bytes[start - 1].isName { start -= 1 }
        return start < end && bytes[start].isNameStart ? start..<end : nil
    }
}
