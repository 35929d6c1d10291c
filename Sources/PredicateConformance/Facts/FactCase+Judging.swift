import PredicateSyntax

extension FactCase {
    func judge() -> Verdict {
        switch kind {
        case .predicate: judgeFormat(.predicate)
        case .expression: judgeFormat(.expression)
        case .api(let notation): judgeCompound(notation)
        }
    }

    private func judgeFormat(_ kind: ParsedFormat.Kind) -> Verdict {
        do throws(PredicateFormatError) {
            let parsed = try ParsedFormat(kind, format, arguments)
            guard expectation != .parseError else {
                return .failed(["expected a parse error, found \(parsed.printed)"])
            }
            return Verdict(complaints: complaints(about: parsed))
        } catch {
            guard expectation == .parseError else {
                return .failed(["expected it to parse, found \(error.inOneLine) in \(format)"])
            }
            return Verdict(complaints: [ErrorPlace.complaint(about: error, in: format)].compactMap(\.self))
        }
    }

    private func judgeCompound(_ notation: String) -> Verdict {
        do throws(DataProblem) {
            let node = try CompoundNotation.predicate(notation)
            return Verdict(complaints: evaluationComplaints(.predicate(FormatPredicate(node))))
        } catch {
            return .failed([error.message])
        }
    }

    private func complaints(about parsed: ParsedFormat) -> [String] {
        printComplaints(parsed) + evaluationComplaints(parsed)
    }

    // MARK: - Text and tree

    private func printComplaints(_ parsed: ParsedFormat) -> [String] {
        var complaints: [String] = []
        if let expected = predicateFormat ?? (isRoundTrip ? format : nil) {
            complaints += Self.difference("print", expected, parsed.printed)
        }
        if let expected = substitutedFormat {
            complaints += substitutionComplaints(parsed, expected)
        }
        if let expected = expressionNodes {
            complaints += Self.difference("expression count", "\(expected)", "\(parsed.tree.expressionCount)")
        }
        return complaints + [ReadingBack.complaint(about: parsed)].compactMap(\.self)
    }

    private func substitutionComplaints(_ parsed: ParsedFormat, _ expected: String) -> [String] {
        do throws(PredicateFormatError) {
            let substituted = try parsed.substituting(substitutions)
            return Self.difference("print after substitution", expected, substituted.printed)
        } catch {
            return ["expected the print after substitution \(expected), found \(error.missingValue)"]
        }
    }

    private static func difference(_ what: String, _ expected: String, _ found: String) -> [String] {
        expected.hasSameCodePoints(as: found) ? [] : ["expected the \(what) \(expected), found \(found)"]
    }

    // MARK: - Evaluation

    private func evaluationComplaints(_ parsed: ParsedFormat) -> [String] {
        switch expectation {
        case .truth(let truth): valueComplaints(parsed, .bool(truth))
        case .value(let value): valueComplaints(parsed, value)
        case .parses, .parseError: []
        case .evaluationError: errorComplaints(parsed)
        case .filter(let keep): filterComplaints(parsed, keep)
        }
    }

    private func valueComplaints(_ parsed: ParsedFormat, _ expected: PredicateValue) -> [String] {
        let outcome = parsed.outcome(for: object, variables)
        return outcome.isValue(expected) ? [] : ["expected \(expected.shown), found \(outcome.shown)"]
    }

    private func errorComplaints(_ parsed: ParsedFormat) -> [String] {
        switch parsed.outcome(for: object, variables) {
        case .failure: []
        case .value(let value): ["expected an evaluation error, found \(Outcome.value(value).shown)"]
        }
    }

    private func filterComplaints(_ parsed: ParsedFormat, _ keep: [Int]) -> [String] {
        guard let objects = object.list else { return ["a filter needs a list of objects"] }
        let outcomes = parsed.outcomes(for: objects, variables)
        let missing = keep.filter { !objects.indices.contains($0) }.map { "there is no object \($0) to keep" }
        return missing
            + outcomes.enumerated().compactMap { index, outcome in
                let expected = PredicateValue.bool(keep.contains(index))
                if outcome.isValue(expected) { return nil }
                return "object \(index): expected \(expected.shown), found \(outcome.shown)"
            }
    }
}
