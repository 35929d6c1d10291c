import Foundation
package import PredicateSyntax
import PredicateText

/// The order of the values of one sort key. [NSP-510]
///
/// `name[c] DESC NULLS LAST`
package struct ValueOrder: Sendable {
    private let ascending: Bool
    private let putsNilFirst: Bool
    private let mode: FoldMode
    private let isNumeric: Bool
    /// The order of strings by a locale; nil for the order by code points.
    private let collation: Collation?

    package init(_ key: SortKey, _ locale: Locale? = nil) {
        (ascending, putsNilFirst, isNumeric) = (key.ascending, key.putsNilFirst, key.isNumeric)
        mode = key.options.foldMode
        collation = Collation(key.options, locale, isNumeric: key.isNumeric)
    }

    /// Returns a value in the form in which it is compared.
    package func value(_ value: PredicateValue) -> OrderedValue {
        guard case .string(let text) = value, collation == nil else { return OrderedValue(value) }
        let folded = mode == .none ? text : Folding.fold(text, mode)
        return .text(isNumeric ? folded.withNumericRuns : folded)
    }

    /// Returns the value of an object's key in the form in which it is compared. Objects without plain data are equal.
    package func value(_ value: KeyedValue) -> OrderedValue {
        if value.isNull { return .null }
        return value.predicateValue.map { self.value($0) } ?? .other("")
    }

    package func prefix(_ value: OrderedValue) -> OrderedValue.Prefix {
        if case .text = value, collation != nil { return place(.anyText) }
        return place(OrderedValue.Prefix(value))
    }

    /// Returns the prefix of a flat value in this order; nil for a value that must be read in full.
    package func prefix(_ value: FlatValue) -> OrderedValue.Prefix? {
        switch value {
        case .null: return place(.init(.null))
        case .bool(let value): return place(.init(.integer(value ? 1 : 0)))
        case .integer(let value): return place(.init(.integer(value)))
        case .double(let value): return place(.init(.double(value)))
        case .date(let seconds): return place(.init(date: seconds))
        case .text(let text): return mode == .none && !isNumeric && collation == nil ? place(.init(text)) : nil
        case .list, .opaque: return nil
        }
    }

    private func place(_ prefix: OrderedValue.Prefix) -> OrderedValue.Prefix {
        prefix.placed(ascending: ascending, putsNilFirst: putsNilFirst)
    }

    /// Returns a negative number if the left value comes first, 0 if neither does, and a positive number otherwise.
    package func compare(_ left: OrderedValue, _ right: OrderedValue) -> Int {
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return putsNilFirst ? -1 : 1
        case (_, .null): return putsNilFirst ? 1 : -1
        case (.text(let left), .text(let right)):
            guard let collation else { break }
            let order = collation.compare(left, right)
            return order == .equal ? 0 : (order == .less) == ascending ? -1 : 1
        default: break
        }
        let order = left.compare(right)
        return ascending ? order : -order
    }
}

extension [ValueOrder] {
    /// Returns a negative number if the left values come first, 0 if neither do, and a positive number otherwise.
    package func compare(_ left: [OrderedValue], _ right: [OrderedValue]) -> Int {
        for index in indices {
            let order = self[index].compare(left[index], right[index])
            if order != 0 { return order }
        }
        return 0
    }
}
