import PredicateLint

/// The words after `predicate-lint`.
struct ToolArguments {
    private(set) var paths: [String] = []
    /// The directory that excludes, the baseline and `.predicate-lint` are relative to.
    private(set) var root = "."
    private(set) var configuration: String?
    private(set) var format = LintFormat.text
    private(set) var failLevel = LintLevel.note
    private(set) var fixes = false

    static let help = """
        predicate-lint [OPTION]... PATH...

        Checks the predicate format strings of source files. The exit status is 1 for findings, 2 if a file cannot be read.

          --root DIR        Directory of the configuration, and of the paths in it (.)
          --config FILE     Configuration to read instead of .predicate-lint
          --format FORMAT   Write text, json, sarif, github or checkstyle
          --fail-on LEVEL   End with 1 for findings of this level or worse: note, warning or error (note)
          --fix             Fix what is certain, and report the rest
        """

    init(_ words: [String]) throws(ToolError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--root": root = try Self.value(of: word, &rest)
            case "--config": configuration = try Self.value(of: word, &rest)
            case "--format": format = try Self.choice(word, try Self.value(of: word, &rest))
            case "--fail-on": failLevel = try Self.choice(word, try Self.value(of: word, &rest))
            case "--fix": fixes = true
            case "--":
                paths += rest
                rest = []
            case _ where word.hasPrefix("--"): throw ToolError("unknown option '\(word)'\nhint: predicate-lint --help")
            default: paths.append(word)
            }
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(ToolError) -> String {
        guard let value = rest.popFirst() else { throw ToolError("\(option) takes a value") }
        return value
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String, _ name: String
    ) throws(ToolError) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: name) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ToolError("\(option) takes one of \(names), found '\(name)'")
    }
}
