import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

/// The highlighting definition that editors and web pages read, made from the tables of the language.
///
/// `Grammar/predicate.tmLanguage.json`
enum EditorGrammar {
    /// The purpose of a scope of the definition.
    enum Scope: String, CaseIterable {
        case logical = "keyword.operator.logical.predicate"
        case quantifier = "keyword.control.quantifier.predicate"
        case comparison = "keyword.operator.comparison.predicate"
        case set = "keyword.operator.set.predicate"
        case constant = "constant.language.predicate"
        case form = "support.function.form.predicate"
        case position = "constant.language.position.predicate"
        case receiver = "variable.language.predicate"
        case reserved = "invalid.deprecated.reserved.predicate"
    }

    /// The definition as JSON.
    static var text: String {
        let definition: PredicateValue = [
            "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
            "name": "Predicate", "scopeName": "source.predicate", "fileTypes": ["predicate"],
            "patterns": .array(patterns), "repository": ["escape": ["patterns": .array(escapes)]],
        ]
        return JSONWriter(isPretty: true).text(of: definition) + "\n"
    }

    /// In the order in which an editor tries them.
    private static var patterns: [PredicateValue] {
        [
            string("\"", "string.quoted.double.predicate"), string("'", "string.quoted.single.predicate"),
            match(
                "%(?:@|K|(?:hh|h|ll|l|q|L|z|t|j)?[dDiuUoOxXcCeEfFgGaA]|[sS])", "constant.other.placeholder.predicate"),
            match("\\$#?[A-Za-z_][A-Za-z0-9_]*", "variable.other.predicate"),
            match("#[A-Za-z_][A-Za-z0-9_]*", "variable.other.member.escaped.predicate"),
            match(collectionOperators, "support.function.collection.predicate"),
            match("@[A-Za-z_][A-Za-z0-9_]*", "variable.other.member.predicate"),
            match("(?<=[A-Za-z=<>!])\\s*\\[[cdnlwstCDNLWST]+\\]", "storage.modifier.options.predicate"),
            match("\\b0[xX][0-9A-Fa-f]+\\b|\\b0[oO][0-7]+\\b|\\b0[bB][01]+\\b", "constant.numeric.integer.predicate"),
            match(
                "(?<![A-Za-z0-9_])(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?", "constant.numeric.predicate"),
            match("(?<=\\.)[A-Za-z_][A-Za-z0-9_]*", "variable.other.member.predicate"),
        ] + keywords + [
            match(functions, "support.function.predicate"),
            match("\\b[A-Za-z_][A-Za-z0-9_]*(?=:|\\s*\\()", "entity.name.function.predicate"),
            match(symbols, "keyword.operator.predicate"),
            match("\\b[A-Za-z_][A-Za-z0-9_]*", "variable.other.key.predicate"),
        ]
    }

    private static var escapes: [PredicateValue] {
        [
            match(
                "\\\\(?:[uU][0-9A-Fa-f]{4}|[xX][0-9A-Fa-f]{2}|[0-7]{1,3}|.)", "constant.character.escape.predicate")
        ]
    }

    private static func match(_ pattern: String, _ name: String) -> PredicateValue {
        ["match": .string(pattern), "name": .string(name)]
    }

    private static func string(_ quote: String, _ name: String) -> PredicateValue {
        [
            "begin": .string(quote), "end": .string(quote), "name": .string(name),
            "patterns": [["include": "#escape"]],
        ]
    }

    /// A pattern for each kind of word, in any case.
    private static var keywords: [PredicateValue] {
        Scope.allCases.map { scope in
            let words = Keyword.allCases.filter { $0.scope == scope }.map(\.rawValue).sorted { $0.count > $1.count }
            return match("(?i)(?<![A-Za-z0-9_])(?:\(words.joined(separator: "|")))(?![A-Za-z0-9_])", scope.rawValue)
        }
    }

    private static var collectionOperators: String {
        let names = KeyPathOperator.allCases.map(\.rawValue).sorted { $0.count > $1.count }
        return "(?:\(names.joined(separator: "|")))\\b"
    }

    private static var functions: String {
        let names = FunctionExpression.Predefined.allCases.map { function in
            function.rawValue.last == ":" ? String(function.rawValue.dropLast()) + ":?" : function.rawValue
        }
        return "\\b(?:\(names.sorted { $0.count > $1.count }.joined(separator: "|")))(?=\\s*\\()"
    }

    private static var symbols: String {
        let brackets: Set<Symbol> = [
            .openParenthesis, .closeParenthesis, .openBracket, .closeBracket, .openBrace, .closeBrace, .comma, .dot,
        ]
        let signs = Symbol.allCases.filter { !brackets.contains($0) }.map(\.rawValue).sorted { $0.count > $1.count }
        return signs.map { $0.map { $0.isLetter ? String($0) : "\\\($0)" }.joined() }.joined(separator: "|")
    }
}

extension Keyword {
    /// The scope of the keyword.
    var scope: EditorGrammar.Scope {
        switch role {
        case .logical: .logical
        case .quantifier: .quantifier
        case .comparison, .text: .comparison
        case .set: .set
        case .null, .bool, .predicate: .constant
        case .call: .form
        case .symbol: .position
        case .selfObject, .anyKey: .receiver
        case .reserved: .reserved
        }
    }
}
