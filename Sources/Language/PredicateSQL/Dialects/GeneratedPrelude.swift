import PredicateText

/// The functions of a database's prelude, generated from the evaluator's tables for folding strings and mapping case.
///
/// This protocol separates the public part of the dialects from the part that is not public. A dialect itself uses
/// public declarations only; its ``SQLDialect/prelude(for:)`` returns the statements of such a prelude. The tables
/// (`Folding`, `CaseMapping`) are generated from Unicode data and have their own version, which is part of the
/// functions' names. They are not public, so that their layout can change with the version.
package protocol GeneratedPrelude {
    /// Returns the statements that create what the functions call, in the order in which they must run.
    func helpers(for functions: Set<SQLFunction>) -> [String]
    /// The functions of the prelude, each with a closure that returns its CREATE statement. A dialect has these functions and
    /// those that it writes in SQL of its own.
    var definitions: [SQLFunction: (SQLFunction) -> String] { get }
    /// A Boolean value that indicates whether LIKE calls the folds, for the literal parts of its pattern.
    var likeCallsFolds: Bool { get }
}

extension GeneratedPrelude {
    package var likeCallsFolds: Bool { true }

    /// Returns one statement per function, after the helpers that the functions call. Existing functions are
    /// replaced.
    package func statements(for functions: Set<SQLFunction>) -> [String] {
        let folds: [SQLFunction] = [.foldCase, .foldDiacritics, .foldCaseAndDiacritics]
        let all = likeCallsFolds && functions.contains(.like) ? functions.union(folds) : functions
        let definitions = definitions
        return helpers(for: functions) + all.sorted { $0.name < $1.name }.compactMap { definitions[$0]?($0) }
    }

    /// Returns a call of a function: the dialect's own SQL, or a call of the prelude's function; nil if there is neither.
    func call(
        _ function: SQLFunction, _ arguments: [SQLText], own: [SQLFunction: ([SQLText]) -> SQLText?]
    ) -> SQLText? {
        guard arguments.count == function.argumentCount else { return nil }
        if let text = own[function] { return text(arguments) }
        return definitions[function].map { _ in "\(function)(\(SQLText.joined(arguments, by: ", ")))" }
    }

    /// Returns the name of a helper: `predicates2_characters`. The number is the version of the fold.
    static func helperName(_ name: String) -> String { "predicates\(Folding.version)_\(name)" }

    /// A conversion of a parameter of a function, as the dialect writes it elsewhere.
    static func cast(_ parameter: SQLText, _ cast: SQLPiece.Cast, _ dialect: any SQLDialect) -> String {
        dialect.text(of: .cast(parameter, cast))?.text(quotedBy: { $0 }) ?? "NULL"
    }

    /// `predicates2_pattern('[Oo][Hh]|[<marks>]')`: a regular expression with the class of marks in place of its name.
    static var patternName: String { helperName("pattern") }
}

/// A list in blocks of one size; equal blocks are stored once. It saves space for tables of code points, most of whose blocks
/// are empty.
struct SharedBlocks<Element: Hashable> {
    /// The number of each block.
    private(set) var numbers: [Int] = []
    /// The elements of the distinct blocks.
    private(set) var elements: [Element] = []

    init(_ list: [Element], size: Int) {
        var places: [ArraySlice<Element>: Int] = [:]
        for start in stride(from: 0, to: list.count, by: size) {
            let block = list[start..<min(start + size, list.count)]
            let place = places[block] ?? places.count
            if place == places.count { elements += block }
            places[block] = place
            numbers.append(place)
        }
    }
}

/// Case mapping as an expression over a string `s`, for databases with `replace`, `translate` and regular
/// expressions: `translate(replace(s, 'ß', 'SS'), 'äö…', 'ÄÖ…')`.
///
/// It is made from the evaluator's table. The result of a mapping is never mapped again.
struct CaseExpression {
    private let mapping: CaseMapping
    private let expressions: SQLRegularExpressions

    init(_ mapping: CaseMapping, _ expressions: SQLRegularExpressions) {
        self.mapping = mapping
        self.expressions = expressions
    }

    /// Returns the mapped string. `ascii` is true for an ASCII string, whose mapping is `short`; `sigmas` is true for
    /// a string with a capital sigma.
    func text(ascii: String, short: String, sigmas: String) -> String {
        "CASE WHEN \(ascii) THEN \(short) ELSE \(letters(source(sigmas: sigmas))) END"
    }

    /// Returns the string before its letters are mapped: final sigmas are replaced if `sigmas` is true.
    func source(sigmas: String) -> String {
        switch mapping {
        case .upper: "s"
        case .lower: "CASE WHEN \(sigmas) THEN \(withFinalSigmas) ELSE s END"
        }
    }

    /// Maps letters. One `translate` maps letters that become one letter; before it, `replace` maps letters that become
    /// several.
    private func letters(_ source: String) -> String {
        let changes = mapping.changes
        let several = changes.filter { $0.to.count > 1 }.reduce(source) { text, change in
            "replace(\(text), '\(change.from)', '\(Self.text(change.to))')"
        }
        let single = changes.filter { $0.to.count == 1 }
        return "translate(\(several), '\(Self.text(single.map(\.from)))', '\(Self.text(single.flatMap(\.to)))')"
    }

    private var withFinalSigmas: String {
        switch expressions {
        case .postgreSQL, .re2, .pcre2, .icu:
            "regexp_replace(s, '\(expressions.sigmaAtEnd)', '\\1\(CaseMapping.finalSigma)\\2', 'g')"
        case .java: "regexp_replace(s, r'\(expressions.sigmaAtEnd)', '$1\(CaseMapping.finalSigma)$2')"
        }
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension SQLRegularExpressions {
    /// A capital sigma at the end of a word, between two capture groups. The first group is a cased letter and
    /// ignorable code points; the second is ignorable code points and an uncased code point, or the end of the
    /// string.
    ///
    /// No match consumes the beginning of the next one, which is a cased letter.
    var sigmaAtEnd: String {
        let passed = MatchPattern.repeated(.characters(CaseMapping.ignorable), atLeast: 0, atMost: nil)
        let others = CaseMapping.cased.union(CaseMapping.ignorable).inverted
        let before = body(.sequence([.characters(CaseMapping.cased), passed]))
        return "(\(before))\(CaseMapping.sigma)(\(body(passed))(?:\(body(.characters(others)))|$))"
    }
}
