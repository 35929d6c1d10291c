import PredicateSyntax

/// A format of a real program, with the number of its arguments.
///
/// `{"format": "ANY %K IN %@", "arguments": 2}`; `suspect` is the evidence that the format is invalid.
struct CorpusRow: ConformanceCase {
    let id: String
    var format: String
    var argumentCount: Int
    var kind: ParsedFormat.Kind
    var suspicion: Suspicion?

    /// The evidence that a format is invalid.
    enum Suspicion: Hashable, Sendable {
        /// An error message of Apple's, a comment in a test, or the grammar: the format must be an error
        case certain
        /// Programs ship with the format, or there is no evidence: both outcomes pass
        case doubtful(evidence: String)
    }

    init(id: String, _ members: [String: PredicateValue]) throws(CaseDataError) {
        let fields = JSONFields(members)
        self.id = id
        format = try fields.required("format", "a string", \.text)
        argumentCount = try fields.required("arguments", "a whole number", \.wholeNumber)
        kind = try fields.optional("expression", "true or false", \.truth) == true ? .expression : .predicate
        switch try fields.text("suspect") {
        case nil: suspicion = nil
        case "apple-error-quoted", "test-comment", "grammar": suspicion = .certain
        case "ships-anyway", "unsure": suspicion = .doubtful(evidence: try fields.text("suspect") ?? "")
        case let evidence?: throw CaseDataError("unknown evidence '\(evidence)'")
        }
    }

    func judge() -> Verdict {
        switch suspicion {
        case nil: judgeValid()
        case .certain: judgeInvalid()
        case .doubtful(let evidence): judgeDoubtful(evidence)
        }
    }

    private func judgeValid() -> Verdict {
        let specifiers = FormatPredicate.specifiers(in: format)
        do throws(PredicateFormatError) {
            let parsed = try ParsedFormat(kind, format, specifiers.map(\.kind.placeholder))
            guard specifiers.count == argumentCount else {
                return .failed(["expected \(argumentCount) specifiers, found \(specifiers.count) in \(format)"])
            }
            return Verdict(complaints: [RoundTripCheck.complaint(about: parsed)].compactMap(\.self))
        } catch {
            // The function belongs to that program.
            if kind == .expression, case .unknownFunction = error.code { return .passed }
            return .failed(["expected it to parse, found \(error.inOneLine) in \(format)"])
        }
    }

    private func judgeInvalid() -> Verdict {
        do throws(PredicateFormatError) {
            let parsed = try parse()
            return .failed(["expected a parse error, found \(parsed.printed)"])
        } catch {
            return Verdict(complaints: [ErrorRangeCheck.complaint(about: error, in: format)].compactMap(\.self))
        }
    }

    private func judgeDoubtful(_ evidence: String) -> Verdict {
        do throws(PredicateFormatError) {
            let parsed = try parse()
            if let complaint = RoundTripCheck.complaint(about: parsed) { return .failed([complaint]) }
            return .skipped("\(evidence), and it parses: \(format)")
        } catch {
            if let complaint = ErrorRangeCheck.complaint(about: error, in: format) { return .failed([complaint]) }
            return .skipped("\(evidence), and it is an error: \(format)")
        }
    }

    private func parse() throws(PredicateFormatError) -> ParsedFormat {
        let specifiers = FormatPredicate.specifiers(in: format)
        return try ParsedFormat(kind, format, specifiers.map(\.kind.placeholder))
    }
}

extension FormatSpecifier.Kind {
    /// An argument that the specifier accepts.
    fileprivate var placeholder: PredicateValue {
        switch self {
        case .value, .text: "placeholder"
        case .keyPath: "key"
        case .integer: 1
        case .floatingPoint: 1.5
        }
    }
}
