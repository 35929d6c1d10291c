/// Strings made by functions of the printf family.
///
/// `String(format: "%@ == 1", key)`, `[NSString stringWithFormat:@"%@ == 1", key]`
extension TextReader {
    /// A call whose result is used as a string.
    func call(_ function: CodeExpression, _ arguments: [CodeArgument], depth: Int) -> [TextValue] {
        guard let name = function.lastName, arguments.count <= 256 else { return [] }
        guard let first = arguments.first else { return made(by: function, name, depth: depth) }
        let rest = arguments.dropFirst().map(\.value)
        switch bytes.text(name) {
        case "String", "NSString", "init":
            let type = function.names?.first.map(bytes.text)
            guard type == "String" || type == "NSString", first.label.map({ bytes.equals("format", $0) }) == true else {
                return []
            }
            return formatted(first.value, rest, depth: depth)
        case "stringWithFormat", "initWithFormat", "localizedStringWithFormat":
            return formatted(first.value, rest, depth: depth)
        case "stringWithString", "initWithString": return read(first.value, depth: depth + 1)
        case "stringByAppendingString", "appending":
            return appended(to: function, first.value, read(first.value, depth: depth + 1), depth)
        case "stringByAppendingFormat", "appendingFormat":
            return appended(to: function, first.value, formatted(first.value, rest, depth: depth), depth)
        case "joined", "componentsJoinedByString":
            return function.base.map { joinedElements(of: $0, first.value, depth: depth) } ?? []
        case "reduce":
            // `$0` is the string that has been joined so far, which is unknown.
            guard case .closure(let closure)? = rest.last, let result = closure.body.last else { return [] }
            return read(result, depth: depth + 1).map { $0.made(isUncertain: true) }
        case "replacingOccurrences", "stringByReplacingOccurrencesOfString":
            return function.base.map { replaced(in: $0, first.value, rest.first, depth: depth) } ?? []
        case "trimmingCharacters", "stringByTrimmingCharactersInSet":
            return function.base.map { read($0, depth: depth + 1) } ?? []
        default: return results(of: .call(function, arguments, name), depth: depth)
        }
    }

    /// A call without arguments: `String()`, `[NSMutableString string]`, `[@"a == 1" mutableCopy]`, `format()`
    private func made(by function: CodeExpression, _ name: Range<Int>, depth: Int) -> [TextValue] {
        switch bytes.text(name) {
        case "String", "string": [TextValue(text: FormatText(), isDirect: false)]
        case "joined": function.base.map { joinedElements(of: $0, nil, depth: depth) } ?? []
        case "copy", "mutableCopy":
            function.base.map { read($0, depth: depth + 1) } ?? []
        default: results(of: .call(function, [], name), depth: depth)
        }
    }

    /// `"name == 'NAME'".replacingOccurrences(of: "NAME", with: name)`
    private func replaced(
        in text: CodeExpression, _ target: CodeExpression, _ replacement: CodeExpression?, depth: Int
    ) -> [TextValue] {
        guard let target = read(target, depth: depth + 1).first?.text.bytes, !target.isEmpty, target.count <= 256,
            let replacement
        else { return [] }
        let contents = read(replacement, depth: depth + 1).first?.text ?? hole(replacement.range)
        return read(text, depth: depth + 1).compactMap { value in
            value.text.replacing(target, with: contents).map { value.made(with: $0) }
        }
    }

    /// Each string of the receiver of a message, followed by each of the given strings.
    private func appended(
        to function: CodeExpression, _ second: CodeExpression, _ values: [TextValue], _ depth: Int
    ) -> [TextValue] {
        guard let receiver = function.base else { return [] }
        return joined([(receiver, read(receiver, depth: depth + 1)), (second, values)])
    }

    /// The possible results of a printf format with these arguments.
    func formatted(_ format: CodeExpression, _ arguments: [CodeExpression], depth: Int) -> [TextValue] {
        let formats = read(format, depth: depth + 1).filter { $0.text.bytes.count <= 16_384 }
        let known = formats.isEmpty ? [] : arguments.map { ($0.range, read($0, depth: depth + 1)) }
        return formats.compactMap { value in
            var writer = FormattedText(format: value.text, arguments: known)
            return writer.write().map { value.made(with: $0) }
        }
    }
}

/// Inserts arguments into a printf format. An unknown argument becomes a hole.
private struct FormattedText {
    let format: FormatText
    /// The arguments with the strings that each may give.
    let arguments: [(range: Range<Int>, texts: [TextValue])]
    var parts: [FormatText.Part] = []
    var next = 0

    /// The string; nil for one that would be too long.
    mutating func write() -> FormatText? {
        var offset = 0
        while offset < format.bytes.count {
            offset = format.bytes[offset] == UInt8(ascii: "%") ? specifier(at: offset) : offset + 1
        }
        return format.inserting(parts)
    }

    /// Handles `%@`, `%ld`, `%.2f`, `%1$@`, `%%`; returns the offset after it.
    private mutating func specifier(at start: Int) -> Int {
        let bytes = format.bytes
        var (end, number) = (start + 1, 0)
        while end < bytes.count, "0123456789$.-+#hlqzjtL' *".utf8.contains(bytes[end]) {
            if bytes[end].isDigit { number = min(number &* 10 &+ Int(bytes[end] & 0xF), 1 << 20) }
            if bytes[end] == UInt8(ascii: "$") { next = max(number - 1, 0) }
            end += 1
        }
        let isPercent = end >= bytes.count || bytes[end] == UInt8(ascii: "%")
        end = min(end + 1, bytes.count)
        let source = format.sourceRange(of: start..<end)
        parts.append((start..<end, isPercent ? FormatText("%".utf8, at: source) : text(of: start..<end, source)))
        return end
    }

    /// The text of the next argument, or a hole for it.
    private mutating func text(of specifier: Range<Int>, _ source: Range<Int>) -> FormatText {
        let argument = next < arguments.count ? arguments[next] : nil
        next += 1
        if let argument, argument.texts.count == 1 { return argument.texts[0].text }
        let letter = format.bytes[specifier.upperBound - 1]
        let isNumber = letter != UInt8(ascii: "@") && letter | 0x20 != UInt8(ascii: "s")
        let hole = FormatText.Hole(expression: argument?.range ?? source, isHarmless: isNumber)
        return FormatText(hole, shown: format.bytes[specifier], source: source)
    }
}

extension FormatText {
    /// A part of the string, with the source ranges of its bytes.
    func part(_ range: Range<Int>) -> FormatText {
        var result = FormatText()
        let first = index(of: range.lowerBound)
        var start = first == 0 ? 0 : segments[first - 1].end
        for segment in segments[first...] {
            if start >= range.upperBound { break }
            let overlap =
                max(start, range.lowerBound)..<max(max(start, range.lowerBound), min(segment.end, range.upperBound))
            if !overlap.isEmpty {
                switch segment.kind {
                case .copied:
                    let source = segment.source.lowerBound + (overlap.lowerBound - start)
                    result.appendCopied(bytes[overlap], source: source..<source + overlap.count)
                case .escaped: result.appendEscape(bytes[overlap], source: segment.source)
                case .hole(let hole): result.appendHole(hole, shown: bytes[overlap], source: segment.source)
                }
            }
            start = segment.end
        }
        return result
    }
}
