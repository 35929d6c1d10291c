import PredicateData
import PredicateSyntax

/// The options of `:load`, which have the same names as on the command line.
///
/// `:load rows.csv --ragged --comment '#'`
struct LoadWords {
    private(set) var options = RecordOptions()
    private var nilTexts: [String] = []

    /// Takes the options from some words and returns the others.
    mutating func taking(_ words: [String]) throws(SessionError) -> [String] {
        var others: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                others.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if takes(flag: parts[0]) { continue }
            guard Self.named.contains(parts[0]) else { throw Self.unknown(parts[0]) }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                throw SessionError("\(parts[0]) takes a value", hints: [SessionCommand.load.example])
            }
            try take(parts[0], value)
        }
        return others
    }

    private static let flags = ["--ragged", "--extra", "--lazy-quotes", "--no-quotes", "--no-header", "--header"]
    private static let named = ["--comment", "--nil", "--pattern", "--skip", "--format"]

    private static func unknown(_ word: String) -> SessionError {
        let near = NearMiss.candidates(for: word, among: flags + named)
        let list = "the options are \((flags + named).joined(separator: ", "))"
        let hint = near.first.map { "did you mean \($0)?" } ?? list
        return SessionError(":load has no option \(word)", hints: [hint])
    }

    /// Takes an option without a value; returns false for any other word.
    private mutating func takes(flag word: String) -> Bool {
        switch word {
        case "--ragged": options.isRagged = true
        case "--extra": options.hasExtraFields = true
        case "--lazy-quotes": options.hasLazyQuotes = true
        case "--no-quotes": options.hasQuotes = false
        case "--no-header": options.hasHeader = false
        case "--header": options.hasHeader = true
        default: return false
        }
        return true
    }

    private mutating func take(_ word: String, _ value: String) throws(SessionError) {
        switch word {
        case "--comment": options.comment = value
        case "--nil":
            nilTexts.append(value)
            options.nilTexts = NilTexts(NilTexts.usual + nilTexts)
        case "--pattern":
            do throws(DataError) {
                (options.linePattern, options.format) = (try LinePattern(value), .log)
            } catch {
                throw SessionError(error.message)
            }
        case "--skip":
            guard let lines = Int(value), lines >= 0 else {
                throw SessionError("--skip takes a number of lines, found '\(value)'")
            }
            options.skippedLines = lines
        default:
            guard let format = DataFormat(rawValue: value) else {
                let names = DataFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw SessionError("--format takes one of \(names), found '\(value)'")
            }
            options.format = format
        }
    }
}
