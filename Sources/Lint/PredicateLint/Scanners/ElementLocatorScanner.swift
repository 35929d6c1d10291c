/// Finds the predicates with which Appium tests locate elements, in Python, Java, Kotlin, JavaScript, TypeScript, Ruby and C#.
///
///     driver.find_element(AppiumBy.IOS_PREDICATE, "label == 'OK'")
///     @iOSXCUITFindBy(iOSNsPredicate = "label == 'OK'")
///     find_element(:class_chain, "**/XCUIElementTypeCell[`label == 'OK'`]")
///     $('-ios predicate string:label == "OK"')
///     OK = "label == 'OK'"; find_element(AppiumBy.IOS_PREDICATE, OK)
enum ElementLocatorScanner {
    /// Names before an argument that is a predicate: names of functions and annotations, the name of the strategy, and the key
    /// in a dictionary of arguments.
    private static let marks: [StaticString] = [
        "IOS_PREDICATE", "iOSNsPredicate", "IosNSPredicate", "IosNsPredicate", "IOSNsPredicate", "by_ios_predicate",
        "-ios predicate string", ":predicate,", "element(predicate:", "elements(predicate:", "element predicate:",
        "predicateString\":", "predicateString':", "predicateString:",
    ]

    /// Names before an argument that is a class chain.
    private static let chains: [StaticString] = [
        "IOS_CLASS_CHAIN", "iOSClassChain", "IosClassChain", "IOSClassChain", "by_ios_class_chain", "-ios class chain",
        ":class_chain,",
    ]

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        guard (marks + chains).contains(where: { bytes.firstOffset(of: $0) != nil }) else { return [] }
        var names = ProgramNames(bytes)
        var read: Set<Range<Int>> = []
        return (marks.map { ($0, false) } + chains.map { ($0, true) }).flatMap { mark, isChain -> [StoredFormat] in
            var result: [StoredFormat] = []
            var offset = 0
            while let start = bytes.firstOffset(of: mark, from: offset) {
                let end = start + mark.utf8CodeUnitCount
                offset = bytes.nameEnd(from: end)
                guard !isComment(start, bytes), let found = text(after: start..<end, &names, bytes) else { continue }
                let text = found.filled { names.constant($0) } ?? found
                let isHere = (end..<end + 128).contains(text.literal.lowerBound)
                if isHere { offset = max(offset, text.literal.upperBound) }
                // A constant that several locators use is reported once.
                guard read.insert(text.literal).inserted, !isName(text), !isKey(text, bytes) else { continue }
                result += (isChain ? ClassChain.formats(in: text) : [text]).map {
                    StoredFormat(text: $0, kind: .stored, name: start..<end, entity: HostTable.appium)
                }
            }
            return result
        }
    }

    /// True on a line that begins with `//`, `#` or `*`.
    private static func isComment(_ offset: Int, _ bytes: Bytes) -> Bool {
        let first = bytes.blankEnd(from: bytes.lineStart(before: offset))
        return bytes[first] == UInt8(ascii: "#") || bytes[first] == UInt8(ascii: "*") || bytes.matches("//", at: first)
    }

    /// True for the next key of a dictionary: `{"predicate": "-ios predicate string", "chain": "-ios class chain"}`
    private static func isKey(_ text: FormatText, _ bytes: Bytes) -> Bool {
        bytes[bytes.spaceEnd(from: text.literal.upperBound)] == UInt8(ascii: ":")
    }

    /// True for the name of a strategy, which may follow in a list of strategies or in the definition of the mark, and for the
    /// name of a locator: `-ios class chain`, `accessibility id`, `IosNsPredicate`, `LOGIN_BUTTON`.
    private static func isName(_ text: FormatText) -> Bool {
        let word = text.text
        return word.hasPrefix("-ios ") || word.hasPrefix("-android ")
            || strategies.contains(word.lowercased().filter { !" -_".contains($0) })
            || word.contains("_") && word.utf8.allSatisfy { $0.isName && !(0x61...0x7A).contains($0) }
    }

    /// The names in lowercase, without the separators between their words.
    private static let strategies: Set<String> = [
        "id", "name", "xpath", "cssselector", "linktext", "partiallinktext", "tagname", "classname", "accessibilityid",
        "image", "custom", "predicate", "predicatestring", "iospredicate", "iospredicatestring", "iosnspredicate",
        "iosnspredicatestring", "nspredicate", "classchain", "iosclasschain",
    ]

    /// The string after a mark: the rest of the literal, or the next argument.
    private static func text(after name: Range<Int>, _ names: inout ProgramNames, _ bytes: Bytes) -> FormatText? {
        let mark = name.upperBound
        let rest = bytes.nameEnd(from: mark)
        var reader = ProgramString(bytes)
        let quote = bytes[name.lowerBound - 1]
        if bytes[rest] == UInt8(ascii: ":"), rest == mark, "\"'`".utf8.contains(quote) {
            let text = reader.rest(of: quote, from: rest + 1)
            return text ?? reader.onlyHole.flatMap { names.text(of: $0, before: mark) }
        }
        let start = argument(from: rest, bytes)
        guard start > mark || hasPunctuation(before: mark, bytes) else { return nil }
        if let text = reader.strings(from: start) { return text }
        if let hole = reader.onlyHole { return names.text(of: hole, before: mark) }
        return names.text(of: start..<ProgramNames.end(of: start, bytes), before: mark)
    }

    /// The start of the argument after a mark: after punctuation, `value:` and `String.format(`.
    private static func argument(from rest: Int, _ bytes: Bytes) -> Int {
        var start = rest
        if "\"'".utf8.contains(bytes[start]), !hasPunctuation(before: rest, bytes) { start += 1 }
        let limit = start + 64
        while start < limit {
            if bytes[start].isSpace || "(,=:".utf8.contains(bytes[start]) {
                start += 1
            } else if let word = prefixes.first(where: { bytes.matches($0, at: start) }) {
                start += word.utf8CodeUnitCount
            } else {
                break
            }
        }
        return start
    }

    /// True after `:predicate,` and `predicateString:`, which may be followed directly by an argument.
    private static func hasPunctuation(before offset: Int, _ bytes: Bytes) -> Bool {
        ",:".utf8.contains(bytes[offset - 1])
    }

    private static let prefixes: [StaticString] = [
        "value:", "value=", "\"value\":", "'value':", "selector:", "String.format(", "string.Format(", "String.Format(",
    ]
}

/// The predicates in a class chain, and a comparison of the type for each of its steps.
///
///     **/XCUIElementTypeCell[`label == "OK"`][2]/XCUIElementTypeButton[$name == "delete"$]
private enum ClassChain {
    static func formats(in chain: FormatText) -> [FormatText] {
        // Holes are unknown parts of names, and do not contain ends of predicates. `[$label` looks like a variable of Kotlin.
        let unknown = UInt8.max
        var bytes = chain.bytes
        for range in chain.holes.map(\.range) where !isBeginning(range, of: bytes) {
            for index in range { bytes[index] = unknown }
        }
        var (formats, offset): ([FormatText], Int) = ([], 0)
        while offset < bytes.count {
            var end = offset + 1
            if bytes[offset] == UInt8(ascii: "`") || bytes[offset] == UInt8(ascii: "$") {
                while end < bytes.count, bytes[end] != bytes[offset] { end += 1 }
                formats.append(part(offset + 1..<max(offset + 1, end), chain, isType: false))
                end += 1
            } else if bytes[offset].isNameStart {
                while end < bytes.count, bytes[end].isName { end += 1 }
                if !bytes[offset..<end].contains(unknown) { formats.append(part(offset..<end, chain, isType: true)) }
            }
            offset = end
        }
        return formats.filter { !$0.bytes.isEmpty }
    }

    /// True for `$label` after a bracket, where the dollar sign begins a predicate.
    private static func isBeginning(_ hole: Range<Int>, of bytes: [UInt8]) -> Bool {
        hole.lowerBound > 0 && bytes[hole.lowerBound - 1] == UInt8(ascii: "[") && bytes[hole].first == UInt8(ascii: "$")
            && bytes[hole].dropFirst().first?.isLetter == true
    }

    private static func part(_ range: Range<Int>, _ chain: FormatText, isType: Bool) -> FormatText {
        let source = chain.sourceRange(of: range)
        var text = FormatText((isType ? "type == '" : "").utf8, at: source.lowerBound..<source.lowerBound)
        text.append(chain.part(range))
        if isType { text.appendEscape("'".utf8, source: source.upperBound..<source.upperBound) }
        text.literal = source
        return text
    }
}
