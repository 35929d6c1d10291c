/// What a key path computes over a collection, as far as SQL can follow.
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

    /// Whether it matters how often a value stands in the collection.
    var addsUp: Bool { self == .sum || self == .average }
}
