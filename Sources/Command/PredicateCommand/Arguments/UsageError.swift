import PredicateSession
import PredicateSyntax

/// An error in the command line, with hints: `predicate filter --cuont`
struct UsageError: CustomStringConvertible {
    private let message: String
    private let hints: [String]

    init(_ message: String, hints: [String] = [], in command: Subcommand? = nil) {
        let help = command.map { "predicate help \($0.name)" } ?? "predicate --help"
        self.message = message
        self.hints = hints + ["see '\(help)'"]
    }

    init(unknownCommand name: String) {
        let names = Subcommand.all.map(\.name) + LanguageTopic.all.map(\.name)
        // The subcommand of predicate store that a word names, perhaps mistyped.
        let verbs = Subcommand.storeVerbs.map(\.word)
        let word = ([name] + NearMiss.candidates(for: name, among: verbs)).first(where: verbs.contains)
        let verb = word.flatMap { Subcommand.named("\(Subcommand.store.name) \($0)") }
        let option = ForeignOption.name(of: "--" + name, among: Subcommand.filter.options.map(\.name))
        let first = Subcommand.named(String(name.prefix { $0 != " " }))
        let counterpart = Self.counterparts.counterparts(of: name).first
        self.init(
            "unknown command '\(name)'",
            hints: first.map { ["predicate help \($0.name) is the page of the first word"] }
                ?? counterpart.map { ["write predicate \($0)"] }
                ?? verb.map { ["write predicate \($0.name)"] }
                ?? option.map { ["predicate filter --\($0) does this: predicate help filter"] }
                ?? (name.contains { "./".contains($0) }
                    ? ["there is no file of this name either"] : Self.suggestions(for: name, among: names)))
    }

    /// The commands that stand for those of other tools.
    private static let counterparts: KeyValuePairs = [
        "parse FORMAT": "format print pretty normalize ast tree",
        "check FORMAT FILE": "validate verify audit",
        "filter FORMAT FILE": "eval evaluate test search grep find run query",
        "filter TRUEPREDICATE FILE -o FORMAT": "cat convert view",
        "sql FORMAT": "translate compile",
        "describe FILE": "info stats summary summarize profile",
        "repl FILE": "interactive shell console",
        "model infer STORE": "infer",
        "store create STORE": "import init",
    ]

    init(unknownOption option: String, in command: Subcommand? = nil) {
        let names = command.map { $0.options.map { "--" + $0.name } + ["--help"] } ?? ["--help", "--version"]
        let owners = command == nil ? [] : Self.owners(of: option)
        let foreign = command?.name == Subcommand.help.name ? nil : ForeignOption.hint(option, among: names)
        let near = owners.isEmpty ? Self.suggestions(for: option, among: names) : owners
        let suggestions = foreign.map { [$0] } ?? near
        let mayBeOperand = suggestions.isEmpty && option.firstMatch(of: /^--\w/) == nil
        let hints = mayBeOperand ? ["put -- before an argument that begins with a hyphen"] : suggestions
        self.init("unknown option '\(option)'", hints: hints, in: command)
    }

    /// Returns the hint for `help --sort` and `describe --sort`: the first subcommand that has this option.
    private static func owners(of option: String) -> [String] {
        let owner = Subcommand.all.first { $0.options.contains { "--" + $0.name == option } }
        return owner.map { ["predicate help \($0.name) explains \(option)"] } ?? []
    }

    var description: String {
        (["error: \(message)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    /// Returns a hint for a mistyped or abbreviated word: `did you mean --count?`
    static func suggestions(for word: String, among names: [String]) -> [String] {
        var candidates = NearMiss.candidates(for: word, among: names)
        if word.utf8.count > 2 { candidates += names.filter { $0.hasPrefix(word) && !candidates.contains($0) } }
        return NearMiss.hints(Array(candidates.prefix(3)))
    }
}

/// Options of other tools, and their names here: `--limit 3`, `--select name,age`, `--head`
enum ForeignOption {
    /// Returns a hint for an option that other tools have; nil for other options, or if the subcommand has no equivalent.
    static func hint(_ option: String, among names: [String]) -> String? {
        if let digit = option.dropFirst().first, digit.isNumber, names.contains("--first") {
            return "use --first \(option.dropFirst()) to limit the matches"
        }
        let word = option.dropFirst(2).lowercased().filter { $0 != "-" && $0 != "_" }
        if ["where", "filter", "condition", "predicate", "query", "expr", "expression"].contains(word) {
            return "the predicate is an argument of its own, before the files: 'age >= 21' people.csv"
        }
        if ["outputfile", "outfile"].contains(word), names.contains("--keys") {
            return "the shell writes a file: > FILE"
        }
        if names.contains("--having"), let cure = cures.counterparts(of: word).first { return cure }
        guard let name = name(of: option, among: names.map { String($0.dropFirst(2)) }) else { return nil }
        let isFormat = name == "output" && OutputFormat(rawValue: word) != nil
        return "write --\(name)" + (isFormat ? " \(word)" : "")
    }

    /// Returns the name that an option of other tools has here, even if it is the same; nil if it has none.
    static func name(of option: String, among names: [String]) -> String? {
        let word = option.dropFirst(2).lowercased().filter { $0 != "-" && $0 != "_" }
        return names.first { $0 == word } ?? counterparts.counterparts(of: word).first(where: names.contains)
    }

    /// Replacements for options of other tools.
    private static let cures: KeyValuePairs = [
        call("percentile(AGE, 95)"): "percentile percentiles p quantile quantiles p50 p90 p95 p99",
        call("stddev(AGE)"): "stddev std stdev sd",
        call("joined(NAME, \", \")"): "join joined concat",
        "predicate describe FILE lists the keys with their types, ranges and examples":
            "describe stats summary summarize info profile",
        "--distinct -k KEY --count counts the different values": "countdistinct nunique cardinality",
        "--sort -KEY sorts in descending order, --last N prints the last matches":
            "reverse reversed desc descending",
        "--sort KEY sorts in ascending order": "asc ascending",
        "the session shows a sample: predicate repl FILE, then :sample 10": "sample random shuffle",
        "--output table aligns the columns, --output jsonl prints a record on each line": "pretty prettyprint indent",
    ]

    private static func call(_ call: String) -> String {
        "--keys '\(call)' prints it, with --group-by CITY for each group"
    }

    private static let counterparts: KeyValuePairs = [
        "first": "limit head max maxcount top take rows n count1 nmatches num",
        "keys": "select columns fields only cols column field key cut project output-keys show",
        "order": "sort orderby sortby sorted",
        "sort": "order orderby sortby sorted",
        "offset": "skip start",
        "last": "tail bottom",
        "distinct": "unique uniq dedup deduplicate",
        "distinct-on": "uniqueby uniqby firstof oneper unique-on headby",
        "median": "med",
        "digits": "precision decimals round",
        "ignore-case": "nocase icase caseinsensitive ignorecase",
        "zone": "tz timezone",
        "update": "set assign",
        "group-by": "group groupby by",
        "count-by": "countby histogram frequency valuecounts",
        "avg": "average mean",
        "sum": "total",
        "invert": "not invertmatch exclude reject",
        "quiet": "silent",
        "count": "total-count length",
        "output": "to outputformat out json jsonl csv tsv table",
        "format": "from inputformat input type",
        "types": "type schema-types dtype dtypes coltypes columntypes",
        "delimiter": "delim separator sep fs ifs",
        "encoding": "charset",
        "skip": "skiplines skiprows",
        "header": "no-header noheader headerless implicit-header nonames",
        "ragged": "extra allow-ragged-csv-input null-padding flexible pad",
        "quotes": "lazy-quotes no-quotes quote-original",
        "dates": "day-first month-first dayfirst parse-dates dateformat timestampformat epoch",
        "arg": "argument args param parameter bind value",
        "set": "variable var define",
        "path": "jsonpath root pointer records",
        "with-filename": "filename",
        "line-number": "linenumber linenumbers",
        "table": "from-table tablename",
        "color": "colour",
    ]
}

extension KeyValuePairs<String, String> {
    /// Returns what is written here for a word of other tools, given without hyphens. The words of each pair are separated by
    /// spaces: `["sort": "order orderby"]`
    fileprivate func counterparts(of word: String) -> [String] {
        filter { pair in pair.value.split(separator: " ").contains { $0.filter { $0 != "-" } == word } }.map(\.key)
    }
}
