/// Strings made by functions of the printf family.
///
/// `String(format: "%@ == 1", key)`, `[NSString stringWithFormat:@"%@ == 1", key]`
extension TextReader {
    /// A Swift call whose result is used as a string.
    func call(of name: CodeToken, _ first: CodeToken, _ range: Range<Int>, open: CodeToken, depth: Int) -> [TextValue] {
        let isInitializer = bytes.equals("init", name.range) && first.start < name.start
        let type = isInitializer ? first.range : name.range
        guard isInitializer || name.start == first.start,
            bytes.equals("String", type) || bytes.equals("NSString", type),
            let arguments = arguments(open: open, in: range)
        else { return [] }
        guard let format = arguments.first, format.label.map({ bytes.equals("format", $0) }) == true else { return [] }
        return formatted(format.value, arguments.dropFirst().map(\.value), depth: depth)
    }

    /// The arguments between two parentheses, the second of which ends the range.
    private func arguments(open: CodeToken, in range: Range<Int>) -> [FoundCall.Argument]? {
        guard bytes[range.upperBound - 1] == UInt8(ascii: ")"), range.upperBound - open.end < 4096 else { return nil }
        return list(open.end..<range.upperBound - 1)
    }

    /// Expressions separated by commas, with their labels.
    func list(_ range: Range<Int>) -> [FoundCall.Argument]? {
        var walk = TokenWalk(bytes, language, range, reach: 4096)
        var result: [FoundCall.Argument] = []
        var (start, label, previous) = (Int?.none, Range<Int>?.none, CodeToken?.none)
        while let token = walk.next() {
            if token.is(","), let first = start {
                result.append(.init(label: label, value: first..<walk.before))
                (start, label) = (nil, nil)
            } else if token.is(":"), let word = previous, word.kind == .word, start == word.start {
                (start, label) = (nil, word.range)
            } else {
                start = start ?? token.start
            }
            previous = token
        }
        if walk.isTooLong { return nil }
        if let start { result.append(.init(label: label, value: start..<range.upperBound)) }
        return result
    }

    /// An Objective-C message whose result is used as a string.
    func message(_ range: Range<Int>, depth: Int) -> [TextValue] {
        guard bytes[range.upperBound - 1] == UInt8(ascii: "]"), range.count < 4096,
            let (receiver, selector, arguments) = parts(ofMessage: range.lowerBound + 1..<range.upperBound - 1),
            let first = arguments.first
        else { return [] }
        let rest = Array(arguments.dropFirst())
        if ["stringWithFormat", "initWithFormat", "localizedStringWithFormat"].contains(where: {
            bytes.equals($0, selector)
        }) {
            return formatted(first, rest, depth: depth)
        }
        if bytes.equals("stringWithString", selector) || bytes.equals("initWithString", selector) {
            return nested(first, depth: depth)
        }
        let appends = bytes.equals("stringByAppendingString", selector)
        guard appends || bytes.equals("stringByAppendingFormat", selector) else { return [] }
        let second = appends ? nested(first, depth: depth) : formatted(first, rest, depth: depth)
        return appended((receiver, nested(receiver, depth: depth)), (first, second))
    }

    /// The receiver, the only selector part, and the arguments: `NSString stringWithFormat:@"…", a`.
    private func parts(ofMessage range: Range<Int>) -> (receiver: Range<Int>, selector: Range<Int>, [Range<Int>])? {
        var walk = TokenWalk(bytes, language, range, reach: 4096)
        var previous = CodeToken(kind: .end, start: range.lowerBound, end: range.lowerBound)
        while let token = walk.next() {
            if token.is(":"), previous.kind == .word {
                guard let arguments = list(token.end..<range.upperBound) else { return nil }
                return (range.lowerBound..<previous.start, previous.range, arguments.map(\.value))
            }
            previous = token
        }
        return nil
    }

    /// The strings that a format with these arguments may give.
    private func formatted(_ format: Range<Int>, _ arguments: [Range<Int>], depth: Int) -> [TextValue] {
        nested(format, depth: depth).filter { $0.text.bytes.count <= 16_384 }.map { value in
            var writer = FormattedText(value.text, arguments: arguments) { argument in
                let texts = nested(argument, depth: depth)
                return texts.count == 1 ? texts[0].text : nil
            }
            return TextValue(
                text: writer.write(), isUncertain: value.isUncertain, isDirect: false, isPartial: value.isPartial)
        }
    }
}

/// Inserts arguments into a printf format. An unknown argument becomes a hole.
private struct FormattedText {
    private let format: FormatText
    private let arguments: [Range<Int>]
    private let known: (Range<Int>) -> FormatText?
    private var result = FormatText()
    private var next = 0

    init(_ format: FormatText, arguments: [Range<Int>], known: @escaping (Range<Int>) -> FormatText?) {
        self.format = format
        self.arguments = arguments
        self.known = known
        result.literal = format.literal
    }

    mutating func write() -> FormatText {
        var (start, offset) = (0, 0)
        let bytes = format.bytes
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "%") else {
                offset += 1
                continue
            }
            copy(start..<offset)
            offset = specifier(at: offset)
            start = offset
        }
        copy(start..<bytes.count)
        return result
    }

    private mutating func copy(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        result.append(format.part(range))
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
        guard end < bytes.count, bytes[end] != UInt8(ascii: "%") else {
            result.appendEscape(
                CollectionOfOne(UInt8(ascii: "%")), source: format.sourceRange(of: start..<min(end + 1, bytes.count)))
            return min(end + 1, bytes.count)
        }
        end += 1
        put(
            specifier: start..<end,
            isNumber: bytes[end - 1] != UInt8(ascii: "@") && bytes[end - 1] | 0x20 != UInt8(ascii: "s"))
        return end
    }

    private mutating func put(specifier: Range<Int>, isNumber: Bool) {
        let source = format.sourceRange(of: specifier)
        let argument = next < arguments.count ? arguments[next] : nil
        next += 1
        if let argument, let text = known(argument) {
            result.append(text)
        } else {
            result.appendHole(
                .init(expression: argument ?? source, isNumber: isNumber), shown: format.bytes[specifier],
                source: source)
        }
    }
}

extension FormatText {
    /// A part of the string, with the source ranges of its bytes.
    func part(_ range: Range<Int>) -> FormatText {
        var result = FormatText()
        let first = index(of: range.lowerBound)
        var start = first == 0 ? 0 : segments[first - 1].end
        for segment in segments[first...] where start < range.upperBound {
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
