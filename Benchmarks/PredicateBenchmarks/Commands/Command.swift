import BenchmarkHarness

/// A command of the program.
enum Command {
    case run(RunOptions)
    case list(RunOptions)
    /// `compare base.jsonl now.jsonl`
    case compare(base: String, current: String)
    /// `goals GOALS now.jsonl peers.jsonl`: which goals are met.
    case goals(path: String, files: [String])
    /// `export FOLDER COUNT`: the people and the predicates as files for other programs.
    case export(folder: String, count: Int)
    /// `peers FILE...`: the results of other programs as a table, checked.
    case peers(files: [String])
    case help

    init(_ arguments: [String]) throws {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "compare" where rest.count == 2: self = .compare(base: rest[0], current: rest[1])
        case "goals" where rest.count >= 2: self = .goals(path: rest[0], files: Array(rest.dropFirst()))
        case "export" where rest.count == 2: self = .export(folder: rest[0], count: try Self.scale(rest[1]))
        case "peers" where !rest.isEmpty: self = .peers(files: rest)
        case "--help", "-h": self = .help
        default:
            let options = try RunOptions(arguments)
            self = options.lists ? .list(options) : .run(options)
        }
    }

    /// Does it; false when it has found something wrong.
    func run() throws -> Bool {
        switch self {
        case .run(let options): try RunCommand(options: options).run()
        case .list(let options): try RunCommand(options: options).list()
        case .compare(let base, let current): try ResultCommands.compare(base, current)
        case .goals(let path, let files): try ResultCommands.goals(path, files)
        case .export(let folder, let count): try ExportCommand(folder: folder, count: count).run()
        case .peers(let files): try ResultCommands.peers(files)
        case .help: Self.help()
        }
    }

    static func scale(_ text: String) throws -> Int {
        guard let count = Figure.count(ofScale: text), count > 0 else {
            throw BenchmarkError.usage("no number of objects: \(text)")
        }
        return count
    }

    private static func help() -> Bool {
        print(
            """
            PredicateBenchmarks [--filter WORDS] [--scales 1k,100k,1M] [--quick] [--json FILE] [--list]
            PredicateBenchmarks compare BASE.jsonl NOW.jsonl
            PredicateBenchmarks goals GOALS FILE.jsonl...
            PredicateBenchmarks export FOLDER COUNT
            PredicateBenchmarks peers FILE.jsonl...

            --filter WORDS   only benchmarks whose path (filter-structs/P02/100k) holds every word
            --scales LIST    how many objects; 1k, 100k and 1M otherwise, without 1M when quick
            --quick          few short passes: to see that everything runs, no figures to quote
            --json FILE      the results as JSON lines too
            --list           the paths, and nothing is measured
            """)
        return true
    }
}

/// The options of a run.
struct RunOptions {
    var words: [String] = []
    var scales: [Int]?
    var isQuick = false
    var json: String?
    var lists = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--filter": words += try Self.value(of: option, &rest).split(separator: " ").map(String.init)
            case "--scales":
                scales = try Self.value(of: option, &rest).split(separator: ",").map { try Command.scale(String($0)) }
            case "--json": json = try Self.value(of: option, &rest)
            case "--quick": isQuick = true
            case "--list": lists = true
            default: throw BenchmarkError.usage("unknown: \(option) (see --help)")
            }
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError.usage("\(option) wants a value") }
        return value
    }
}
