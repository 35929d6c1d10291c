/// An operator of a key path on a collection, of those that SQL has.
enum CollectionOperator: String {
    /// `friends.@count`
    case count = "@count"
    /// `friends.@sum.age`
    case sum = "@sum"
    /// `friends.@avg.age`
    case average = "@avg"
    /// `friends.@min.age`
    case minimum = "@min"
    /// `friends.@max.age`
    case maximum = "@max"
    /// `friends.@distinctUnionOfObjects.city`
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    /// `friends.@unionOfObjects.city`: of a set, the same
    case unionOfObjects = "@unionOfObjects"

    /// True if the number of occurrences of a value matters.
    var addsUp: Bool { self == .sum || self == .average }
}
