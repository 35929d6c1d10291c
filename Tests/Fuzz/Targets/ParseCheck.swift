import PredicateGenerators
import PredicateSyntax

/// Any bytes: a predicate, an expression or an error, with places that lie in the text.
struct ParseCheck {
    private let format: String
    private let arguments: [PredicateValue]

    /// The format ends at a byte 0xFE, which no text holds; what follows chooses the arguments.
    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0xFE, maxSplits: 1, omittingEmptySubsequences: false)
        format = String(decoding: parts.first ?? [], as: UTF8.self)
        var values = RandomValue(random: RandomSource(bytes: parts.count > 1 ? parts[1] : []))
        var arguments: [PredicateValue] = []
        for _ in FormatPredicate.specifiers(in: format).prefix(40) where !values.random.oneIn(16) {
            arguments.append(values.random.oneIn(3) ? .string(values.key()) : values.constant())
        }
        self.arguments = arguments
    }

    func run() throws(FuzzFinding) {
        do {
            let predicate = try FormatPredicate(format: format, arguments: arguments)
            try check(predicate.source)
            try checkPrint(of: predicate)
        } catch let error as PredicateFormatError {
            try check(error)
        } catch {
            throw error as? FuzzFinding ?? FuzzFinding("an error of another kind: \(error)")
        }
        do {
            let expression = try FormatExpression(format: format, arguments: arguments)
            try check(expression.source)
            _ = expression.expressionFormat
        } catch let error as PredicateFormatError {
            try check(error)
        } catch {
            throw error as? FuzzFinding ?? FuzzFinding("an error of another kind: \(error)")
        }
    }

    private func check(_ map: PredicateSourceMap?) throws(FuzzFinding) {
        guard let map else { throw FuzzFinding("a parsed format has no source map: \(format.debugDescription)") }
        for range in map.ranges { try check(range, in: map.text) }
    }

    private func check(_ range: Range<Int>, in text: String) throws(FuzzFinding) {
        let utf8 = text.utf8
        try FuzzFinding.unless(
            range.lowerBound >= 0 && range.upperBound <= utf8.count, "\(range) lies outside \(text.debugDescription)")
        for offset in [range.lowerBound, range.upperBound] where offset < utf8.count {
            let byte = utf8[utf8.index(utf8.startIndex, offsetBy: offset)]
            try FuzzFinding.unless(byte & 0xC0 != 0x80, "\(range) cuts a character of \(text.debugDescription)")
        }
    }

    private func check(_ error: PredicateFormatError) throws(FuzzFinding) {
        try check(error.range, in: error.text)
        let text = error.description
        try FuzzFinding.unless(text.hasPrefix("error: ") && text.utf8.count > 10, "an empty message: \(text)")
        try FuzzFinding.unless(error.text.isEmpty || text.contains("^"), "no caret: \(text)")
        try FuzzFinding.unless(error.hints.allSatisfy { !$0.isEmpty }, "an empty hint: \(text)")
    }

    /// Checks that a parsed tree reads back equal from its print, unless it is one of the exceptions.
    private func checkPrint(of predicate: FormatPredicate) throws(FuzzFinding) {
        let print = predicate.predicateFormat
        guard predicate.node.readsBack, print.utf8.count <= PredicateLimits.standard.formatLength else { return }
        let second: FormatPredicate
        do {
            second = try FormatPredicate(format: print, arguments: [])
        } catch {
            throw FuzzFinding("\(print.debugDescription), the print of \(format.debugDescription): \(error)")
        }
        try FuzzFinding.unless(second == predicate, "\(format.debugDescription) prints \(print.debugDescription)")
    }
}
