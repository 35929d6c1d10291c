@_spi(Dialect) import PredicateSQL

/// A dialect that says standard SQL and refuses the rest: for an engine that has none of its own.
struct PlainDialect: SQLDialect {
    let name: String
    let limits = SQLLimits(parameters: 60_000, parserStack: 1_000)
    var quote: Character = "\""
    var types: @Sendable (SQLBinding.ParameterType) -> String = { _ in "" }

    func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        types(type).isEmpty ? "?" : "CAST(? AS \(types(type)))"
    }

    func quoted(_ identifier: String) -> String? {
        "\(quote)\(identifier.split(separator: quote, omittingEmptySubsequences: false).joined(separator: "\(quote)\(quote)"))\(quote)"
    }

    func text(of piece: SQLPiece) -> SQLText? {
        switch piece {
        case .comparable(let text, _, ordered: false): text
        case .isSame(let left, let right, let negated) where quote == "`":
            negated ? "NOT (\(left) <=> \(right))" : "(\(left) <=> \(right))"
        default: piece.standard
        }
    }
}
