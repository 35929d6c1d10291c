/// `predicate-dynamic`: a format that is unknown before the program runs; off by default.
enum DynamicRule {
    static func findings(_ call: FoundCall, _ reader: TextReader) -> [LintFinding] {
        guard !call.isUncertain, call.kind != .custom else { return [] }
        let range = call.arguments[call.format].value
        return [
            LintFinding(
                rule: .dynamic, level: .note, text: "the format is not known before the program runs",
                hints: ["a literal with %@ and %K can be checked"], range: range)
        ]
    }
}
