/// Format strings drawn at random: comparisons of one's own kind, under AND, OR and NOT.
package protocol FormatSource {
    var numbers: RandomSource { get set }
    mutating func comparison() -> String
}

extension FormatSource {
    /// The next format string, of two levels of AND, OR and NOT at most.
    package mutating func next() -> String {
        predicate(depth: numbers.below(3))
    }

    private mutating func predicate(depth: Int) -> String {
        guard depth > 0 else { return comparison() }
        let parts = (0..<(2 + numbers.below(2))).map { _ in "(\(predicate(depth: depth - 1)))" }
        switch numbers.below(5) {
        case 0, 1: return parts.joined(separator: " AND ")
        case 2, 3: return parts.joined(separator: " OR ")
        default: return "NOT \(parts[0])"
        }
    }
}
