import PredicateChecks
import PredicateSyntax

/// `predicate-argument-count`: specifiers without an argument, or arguments without a specifier.
enum ArgumentCountRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments, !subject.value.isUncertain else {
            return []
        }
        let expected = subject.specifiers.count
        if arguments.count < expected { return [missing(arguments.count, subject)] }
        guard arguments.count > expected, !subject.text.hasHoles, subject.quoted.isEmpty else { return [] }
        let message = "expected \(Self.count(expected)), found \(arguments.count)"
        let hint = "each argument needs a specifier of its own: %@, %K, %d"
        return [subject.finding(.argumentCount, message, hints: [hint], at: subject.text.literal)]
    }

    private static func missing(_ count: Int, _ subject: LintSubject) -> LintFinding {
        let specifiers = subject.specifiers
        let message = "expected \(Self.count(specifiers.count)), found \(count == 0 ? "none" : "\(count)")"
        let hint = "specifier number \(count + 1) has no argument; each %@, %K, %d takes one"
        return subject.finding(
            .argumentCount, message, hints: [hint], at: subject.source(specifiers[count].range), level: .error)
    }

    private static func count(_ number: Int) -> String {
        number == 0 ? "no arguments" : "\(number) argument\(number == 1 ? "" : "s")"
    }
}

/// The arguments that a call passes for the specifiers of its format.
struct CallArguments {
    let bytes: Bytes
    /// Nil if the number of arguments is unknown.
    let values: [Range<Int>]?
    let literals: [ArgumentLiteral]

    /// No arguments.
    init(none bytes: Bytes) {
        self.bytes = bytes
        values = []
        literals = []
    }

    init(_ call: FoundCall, _ reader: TextReader) {
        bytes = reader.bytes
        let found = call.isComplete ? Self.values(call, reader) : nil
        values = found
        literals = (found ?? []).map { value in
            reader.keyPath(value) ?? ArgumentLiteral(value, reader.bytes, reader.language)
        }
    }

    private static func values(_ call: FoundCall, _ reader: TextReader) -> [Range<Int>]? {
        var result: [Range<Int>] = []
        for argument in call.arguments[(call.format + 1)...] {
            guard let label = argument.label else {
                if reader.bytes.mayBeSeveral(argument.value) { return nil }
                result.append(argument.value)
                continue
            }
            let bytes = reader.bytes
            if bytes.equals("argumentArray", label) || bytes.equals("arguments", label) || bytes.equals("args", label) {
                return elements(of: argument.value, reader)
            }
            break
        }
        return result
    }

    /// The elements of a list: `[a, b]`, `@[a, b]`, `nil`, `getVaList([a, b])`.
    private static func elements(of range: Range<Int>, _ reader: TextReader) -> [Range<Int>]? {
        let bytes = reader.bytes
        if bytes.equals("nil", range) { return [] }
        var start = range.lowerBound
        var end = range.upperBound
        if bytes.matches("getVaList(", at: start), bytes[end - 1] == UInt8(ascii: ")") {
            start += 10
            end -= 1
        }
        if reader.language == .objectiveC {
            guard bytes[start] == UInt8(ascii: "@") else { return nil }
            start += 1
        }
        guard bytes[start] == UInt8(ascii: "["), bytes[end - 1] == UInt8(ascii: "]"), end - start >= 2 else {
            return nil
        }
        var walk = TokenWalk(bytes, reader.language, start..<end, reach: 4096)
        guard walk.next() != nil, walk.closing == end else { return nil }
        return reader.list(start + 1..<end - 1)?.map(\.value)
    }
}

extension Bytes {
    /// True for an argument that may expand to several: `__VA_ARGS__`, `args...`.
    fileprivate func mayBeSeveral(_ range: Range<Int>) -> Bool {
        firstOffset(of: "__VA_ARGS__", in: range) != nil || firstOffset(of: "...", in: range) != nil
    }
}
