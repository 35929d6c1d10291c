import PredicateEvaluation
import PredicateSyntax

/// `--sort age,-name`, `--sort '-price * quantity'`
struct SortOrder {
    let keys: [(value: OutputValue, isDescending: Bool)]
    /// A Boolean value that indicates whether strings are compared without regard to case.
    let ignoresCase: Bool
}

extension SortOrder {
    /// Creates the order of `--sort`; nil without keys. A key may be the name of one of the written columns.
    init?(
        _ reader: ArgumentReader, _ context: PredicateContext, columns: [OutputValue]
    ) throws(CommandFailure) {
        let items = try OutputValue.items(reader.values(of: FilterOption.sort), FilterOption.sort, reader)
        ignoresCase = reader.has(FilterOption.ignoreCase)
        if items.isEmpty {
            if ignoresCase { throw reader.failure("--ignore-case needs --sort KEY,...") }
            return nil
        }
        if let item = items.first(where: { $0.hasPrefix("+") }) {
            throw reader.failure(
                "--sort takes KEY or -KEY, found '\(item)'", hints: ["write --sort \(item.dropFirst())"])
        }
        let lookups = Lookups.names(reader)
        keys = items.map { item in
            let isDescending = item.hasPrefix("-") && item.count > 1
            let text = isDescending ? String(item.dropFirst()) : item
            let column = columns.first { $0.name == text && $0.needsColumn }
            return (column ?? OutputValue(text, context, lookups: lookups), isDescending)
        }
    }

    private static let endings = [":desc": "-", " desc": "-", ":asc": "", " asc": "", ":d": "-", ":a": ""]

    /// Returns the hint for `age:desc`, a key with the order of other tools; nil for other names.
    static func hint(for name: String, among names: [String]) -> String? {
        for (ending, sign) in endings where name.lowercased().hasSuffix(ending) {
            let key = String(name.dropLast(ending.count))
            if names.contains(key) { return "write --sort \(sign)\(key)" }
        }
        return nil
    }

    /// Returns the values by which a record is sorted. One that cannot be computed is nil; the first error is returned.
    func values(of record: PredicateValue) -> (values: [OrderKey], failure: EvaluationError?) {
        var (values, failure): ([OrderKey], EvaluationError?) = ([], nil)
        for key in keys {
            do throws(EvaluationError) {
                values.append(orderKey(try key.value.value(in: record)))
            } catch {
                failure = failure ?? error
                values.append(.null)
            }
        }
        return (values, failure)
    }

    private func orderKey(_ value: PredicateValue) -> OrderKey {
        guard ignoresCase, case .string(let text) = value else { return OrderKey(value) }
        return .text(text.lowercased())
    }

    /// Returns a negative number, 0 or a positive number.
    func compare(_ left: [OrderKey], _ right: [OrderKey]) -> Int {
        for (index, key) in keys.enumerated() {
            let result = left[index].compare(right[index])
            if result != 0 { return key.isDescending ? -result : result }
        }
        return 0
    }
}
