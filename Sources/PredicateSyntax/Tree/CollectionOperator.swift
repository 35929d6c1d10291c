/// An operator of a key path over a collection.
package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
    /// `friends.@count`
    case count = "@count"
    /// `prices.@sum.self`
    case sum = "@sum"
    /// `friends.@avg.age`
    case average = "@avg"
    /// `friends.@min.age`
    case minimum = "@min"
    /// `friends.@max.age`
    case maximum = "@max"
    /// `friends.@distinctUnionOfObjects.city`
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    /// `friends.@unionOfObjects.city`
    case unionOfObjects = "@unionOfObjects"
    /// `teams.@distinctUnionOfArrays.name`, where teams is an array of arrays
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    /// `teams.@unionOfArrays.name`
    case unionOfArrays = "@unionOfArrays"
    /// `teams.@distinctUnionOfSets.name`, where teams is a set of sets
    case distinctUnionOfSets = "@distinctUnionOfSets"
    /// `teams.@unionOfSets.name`
    case unionOfSets = "@unionOfSets"
    /// `%@ IN self.@allKeys`: of a dictionary
    case allKeys = "@allKeys"
    /// `%@ IN self.@allValues`: of a dictionary
    case allValues = "@allValues"

    /// The operators nearest to a mistyped name.
    package static func nearMisses(of name: String) -> [String] {
        if let meant = synonyms[name.lowercased()] { return [meant.rawValue] }
        return NearMiss.candidates(for: name, among: allCases.map(\.rawValue))
    }

    /// The names of these operators in other languages.
    private static let synonyms: [String: CollectionOperator] = [
        "@average": .average, "@mean": .average, "@minimum": .minimum, "@maximum": .maximum, "@total": .sum,
        "@size": .count, "@length": .count, "@keys": .allKeys, "@values": .allValues,
        "@distinct": .distinctUnionOfObjects, "@union": .unionOfObjects,
    ]
}
