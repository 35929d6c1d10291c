import Foundation
package import PredicateSyntax

/// The property list of a file as values: a dictionary, read within limits.
///
/// Collections may share their elements, so that few bytes stand for many values: the values are counted as they are made.
package enum PropertyListDictionary {
    /// The entries of a property list of any form; those without a value of the language are left out.
    package static func values(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> [String: PredicateValue] {
        guard case .dictionary(let entries) = try PropertyListValue(bytes, limits: limits) else {
            throw ModelError(.notAPropertyList("expected a dictionary"))
        }
        var conversion = PropertyListConversion(limits: limits, budget: limits.objects)
        return try conversion.values(entries)
    }
}

/// The conversion of a property list to values of the language.
private struct PropertyListConversion {
    let limits: ModelLimits
    /// The values that may still be made.
    var budget: Int

    mutating func values(_ entries: [String: PropertyListValue]) throws(ModelError) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [:]
        for (key, entry) in entries { values[key] = try value(entry) }
        return values
    }

    /// nil for null, which no property list has under a key.
    private mutating func value(_ entry: PropertyListValue) throws(ModelError) -> PredicateValue? {
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= 1
        switch entry {
        case .null: return nil
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .decimal(Decimal(number))
        case .real(let number): return .double(number)
        case .date(let date): return .date(date)
        case .data(let data): return .data(data)
        case .string(let text): return .string(text)
        case .uid(let number): return .integer(Int64(number))
        case .dictionary(let entries): return .dictionary(try values(entries))
        case .array(let elements):
            var values: [PredicateValue] = []
            for element in elements { if let value = try value(element) { values.append(value) } }
            return .array(values)
        }
    }
}
