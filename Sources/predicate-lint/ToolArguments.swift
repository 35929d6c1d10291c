import PredicateLint

/// The words after `predicate-lint`.
struct ToolArguments {
    private(set) var paths: [String] = []
    /// The directory that `.predicate-lint` and the paths in it are relative to.
    private(set) var root = "."
    private(set) var configuration: String?
    private(set) var baseline: String?
    private(set) var models: [String] = []
    private(set) var calls: [CallName] = []
    private(set) var excludes: [PathPattern] = []
    /// Names of rules with names of levels.
    private(set) var levels: [(rule: String, level: String)] = []
    private(set) var format = LintFormat.text
    private(set) var failLevel = LintLevel.note
    private(set) var fixing = LintRun.Fixing.none
    private(set) var lists = false

    static let help = """
        predicate-lint [OPTION]... PATH...

        Checks the predicate format strings of source files as 'predicate lint' does. The exit status is 1 for findings,
        2 if a file cannot be read.

          --root DIR          Directory of the configuration, and of the paths in it (.)
          --config FILE       Configuration to read instead of .predicate-lint
          --model FILE        Check predicates against this data model
          --call NAME         Also check the format of this call: find(where:)
          --level RULE=LEVEL  Set a rule to error, warning, note or off
          --exclude PATTERN   Skip files and directories that match
          --baseline FILE     Do not report the findings of this file
          --format FORMAT     Write text, json, sarif, github or checkstyle
          --fail-on LEVEL     End with 1 for findings of this level or worse: note, warning or error (note)
          --list              List every format string, valid or not, with its position
          --fix               Fix what is certain, and report the rest
          --diff              Show what --fix would change, without changing anything
        """

    init(_ words: [String]) throws(ToolError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--fix": if fixing == .none { fixing = .applied }
            case "--diff": fixing = .shown
            case "--list": lists = true
            case "--":
                paths += rest
                rest = []
            case _ where word.hasPrefix("--"): try set(word, &rest)
            default: paths.append(word)
            }
        }
    }

    /// Reads an option that takes a value.
    private mutating func set(_ option: String, _ rest: inout ArraySlice<String>) throws(ToolError) {
        switch option {
        case "--root": root = try Self.value(of: option, &rest)
        case "--config": configuration = try Self.value(of: option, &rest)
        case "--baseline": baseline = try Self.value(of: option, &rest)
        case "--model": models.append(try Self.value(of: option, &rest))
        case "--exclude": excludes.append(PathPattern(try Self.value(of: option, &rest)))
        case "--format": format = try Self.choice(option, try Self.value(of: option, &rest))
        case "--fail-on": failLevel = try Self.choice(option, try Self.value(of: option, &rest))
        case "--call":
            let name = try Self.value(of: option, &rest)
            guard let call = CallName(name) else {
                throw ToolError("--call takes a name such as find(where:), found '\(name)'")
            }
            calls.append(call)
        case "--level":
            let word = try Self.value(of: option, &rest)
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ToolError("--level takes RULE=LEVEL, found '\(word)'") }
            levels.append((parts[0], parts[1]))
        default: throw ToolError("unknown option '\(option)'\nhint: predicate-lint --help")
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
