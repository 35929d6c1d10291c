import PredicateData
import PredicateSyntax

/// One line of a record: a name and a text.
struct CaseField {
    let line: Int
    let name: Substring
    let value: Substring

    init(number: Int, line text: Substring) {
        line = number
        let content = text.drop(while: \.isWhitespace)
        name = content.prefix { !$0.isWhitespace }
        let rest = content[name.endIndex...].drop(while: \.isWhitespace)
        let end = rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.startIndex
        value = rest[..<end]
    }

    /// The names of fields.
    enum Name: String, CaseIterable {
        case `case`, format, expression, api, options, args, vars, prints, tree, substituted, row, error, gap
        case sqlite, postgresql, mariadb, duckdb, spark

        /// The name of a field; a text may stand there as a JSON string, as in `formatjson`.
        init?(_ word: Substring) {
            let plain = word.hasSuffix("json") ? word.dropLast(4) : word
            guard let name = Self(rawValue: String(plain)), plain == word || name.isText else { return nil }
            self = name
        }

        private var isText: Bool {
            switch self {
            case .format, .expression, .prints, .substituted, .sqlite, .postgresql, .mariadb, .duckdb, .spark: true
            case .case, .api, .options, .args, .vars, .tree, .row, .error, .gap: false
            }
        }

        /// True if a record may have the field more than once.
        var repeats: Bool {
            switch self {
            case .row, .gap: true
            case .case, .format, .expression, .api, .options, .args, .vars, .prints, .tree, .substituted, .error,
                .sqlite, .postgresql, .mariadb, .duckdb, .spark:
                false
            }
        }

        /// The stage that the field is golden for.
        var golden: CaseStage? {
            switch self {
            case .prints: .prints
            case .tree: .tree
            case .sqlite: .sqlite
            case .postgresql: .postgresql
            case .mariadb: .mariadb
            case .duckdb: .duckdb
            case .spark: .spark
            case .case, .format, .expression, .api, .options, .args, .vars, .substituted, .row, .error, .gap: nil
            }
        }
    }

    /// True if the value is a JSON string that encodes the text.
    var isJSON: Bool { name.hasSuffix("json") }

    /// The stage that the field is golden for.
    var golden: CaseStage? { Name(name)?.golden }

    /// The value, and the statements in brackets behind it.
    var cited: (value: Substring, statements: [String]) {
        var rest = value
        var statements: [String] = []
        while let statement = rest.lastStatement {
            statements.insert(String(statement), at: 0)
            rest = rest[..<statement.startIndex].dropLast()
            while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        }
        return (rest, statements)
    }

    /// The line of the file with another text, the blanks around it as they are.
    func line(in text: Substring, holding golden: String, stage: CaseStage) -> String {
        let needsJSON = !golden.trimmed.hasSameCodePoints(as: golden) || !golden.onOneLine.hasSameCodePoints(as: golden)
        let newName = stage.rawValue + (needsJSON ? "json" : "")
        let newValue = needsJSON ? JSONWriter().text(of: .string(golden)) : golden
        let indent = text.prefix(while: \.isWhitespace)
        let gap = text[name.endIndex...].prefix(while: \.isWhitespace)
        let width = max(name.count + gap.count, newName.count + 1)
        let end = text.last == "\r" ? "\r" : ""
        return indent + newName + String(repeating: " ", count: width - newName.count) + newValue + end
    }
}

extension Substring {
    /// `NSP-041` of a text that ends in `[NSP-041]`.
    fileprivate var lastStatement: Substring? {
        guard last == "]", let bracket = lastIndex(of: "[") else { return nil }
        let statement = self[index(after: bracket)...].dropLast()
        return statement.hasPrefix("NSP-") ? statement : nil
    }
}
