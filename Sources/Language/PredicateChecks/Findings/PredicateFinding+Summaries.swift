extension PredicateFinding.Code {
    /// A one-line description of the mistake, for lists of checks.
    package var summary: String {
        switch self {
        case .neverHolds: "A clause that no value fulfils"
        case .alwaysHolds: "A clause that every value fulfils"
        case .duplicateClause: "A clause that is written twice"
        case .impliedClause: "A clause that another one implies"
        case .notBindsTightly: "NOT belongs to the first comparison only"
        case .unknownKey: "The objects have no such key"
        case .quotedKey: "A key in quotes is a string"
        case .bothConstant: "A comparison that uses no key of the object"
        case .kindMismatch: "A comparison of values of different kinds"
        case .wildcardInEquality: "A wildcard has no meaning in an equality"
        case .wildcardInSearch: "A wildcard has no meaning in BEGINSWITH, ENDSWITH and CONTAINS"
        case .likeWithoutWildcard: "LIKE without a wildcard is an equality"
        case .foreignWildcard: "A wildcard of SQL in LIKE, whose wildcards are * and ?"
        case .patternInLike: "A regular expression in LIKE, whose wildcards are * and ?"
        case .wildcardInPattern: "A wildcard of LIKE in a regular expression"
        case .matchesWholeText: "MATCHES compares the whole string"
        case .unescapedDot: "An unescaped dot in a regular expression matches any character"
        case .lostBackslash: "The string consumes a backslash that the regular expression needs"
        case .keepsNil: "A comparison with != also selects objects without a value"
        case .unknownProperty: "Values of this kind have no such key"
        case .subentityKey: "Only subentities have this key"
        case .transientKey: "The key is not stored, so a fetch rejects it"
        case .refusedByStore: "A fetch of Core Data refuses this, objects in memory accept it"
        case .keywordAsKey: "The name of a key is a keyword here"
        case .hyphenatedKey: "A key with a hyphen is a subtraction"
        case .outOfRange: "The key cannot hold this value"
        case .versionOrder: "Versions that are strings are not in the order of their numbers"
        case .toManyKey: "A key with several values is compared like one with a single value"
        case .toOneKey: "ANY, ALL or NONE for a key with a single value"
        case .nilInToMany: "The values of a to-many relationship never contain nil"
        case .anyDiffers: "ANY with != holds as soon as one value differs"
        case .betweenShape: "BETWEEN needs two bounds"
        case .inNoCollection: "IN needs a collection"
        case .containsCollection: "CONTAINS takes one element"
        case .optionWithoutEffect: "An option without effect"
        case .specifierInQuotes: "A specifier in quotes is a string"
        case .constantInQuotes: "nil, YES or NO in quotes is a string"
        case .numberInQuotes: "A number in quotes is a string"
        case .variableInQuotes: "A variable in quotes is a string"
        case .textWithoutQuotes: "A string without quotes is a key"
        case .dateWithoutQuotes: "A date without quotes is arithmetic"
        case .unknownOperator: "There is no such operator of collections"
        case .operatorWithoutKey: "This operator of collections needs a key"
        case .unusedVariable: "A SUBQUERY that does not use its variable"
        case .wholeDivision: "A division of integers loses its fraction"
        case .caseDiffers: "Strings that are never equal unless case or accents are ignored"
        case .decomposedText: "The same characters are written with other code points"
        case .emptyText: "The empty string is part of every string"
        case .emptyCollection: "Nothing is in an empty collection"
        case .cannotBePrepared: "Every evaluation fails"
        case .cannotBeEvaluated: "The evaluation fails for these objects"
        }
    }

    /// The shortest format with the mistake, if the objects have such keys and values.
    package var example: String {
        switch self {
        case .neverHolds: #"age > 5 AND age < 3"#
        case .alwaysHolds: #"age != 1 OR age != 2"#
        case .duplicateClause: #"age > 5 AND name == "jo" AND age > 5"#
        case .impliedClause: #"age > 5 AND age > 3"#
        case .notBindsTightly: #"NOT age == 1 OR age == 2"#
        case .unknownKey: #"nmae == "jo""#
        case .quotedKey: #""name" == "jo""#
        case .bothConstant: #"%@ == %@"#
        case .kindMismatch: #""1" == 1"#
        case .wildcardInEquality: #"name == "jo*""#
        case .wildcardInSearch: #"name BEGINSWITH "jo*""#
        case .likeWithoutWildcard: #"name LIKE "jo""#
        case .foreignWildcard: #"name LIKE "jo%""#
        case .patternInLike: #"name LIKE "jo.*""#
        case .wildcardInPattern: #"name MATCHES "jo*""#
        case .matchesWholeText: #"name MATCHES "jo""#
        case .unescapedDot: #"name MATCHES "www.swift.org""#
        case .lostBackslash: #"name MATCHES "\d+""#
        case .keepsNil: #"name != "jo""#
        case .unknownProperty: #"name.lenght > 3"#
        case .subentityKey: #"done == YES"#
        case .transientKey: #"fullName == "jo""#
        case .refusedByStore: #"count:(orders) > 3"#
        case .keywordAsKey: #"no = 9"#
        case .hyphenatedKey: #"board-id == "x""#
        case .outOfRange: #"age > 70000"#
        case .versionOrder: #"version >= "10.0""#
        case .toManyKey: #"tags == "new""#
        case .toOneKey: #"ANY name == "jo""#
        case .nilInToMany: #"ANY posts.when == nil"#
        case .anyDiffers: #"ANY tags != "new""#
        case .betweenShape: #"age BETWEEN 25"#
        case .inNoCollection: #"age IN 10"#
        case .containsCollection: #"tags CONTAINS {"a", "b"}"#
        case .optionWithoutEffect: #"name ==[w] "jo""#
        case .specifierInQuotes: #"name == "%@""#
        case .constantInQuotes: #"name == "nil""#
        case .numberInQuotes: #"age > "18""#
        case .variableInQuotes: #"name == "$NAME""#
        case .textWithoutQuotes: #"name == Bob"#
        case .dateWithoutQuotes: #"born > 1990-05-01"#
        case .unknownOperator: #"@K == 1"#
        case .operatorWithoutKey: #"scores.@avg > 2"#
        case .unusedVariable: #"SUBQUERY(friends, $f, age > 21).@count > 0"#
        case .wholeDivision: #"score / 2 == 0.5"#
        case .caseDiffers: #"status == "Open""#
        case .decomposedText: #"name == "Zoë""#
        case .emptyText: #"name CONTAINS """#
        case .emptyCollection: #"age IN {}"#
        case .cannotBePrepared: #"name MATCHES "(""#
        case .cannotBeEvaluated: #"name.count > 3"#
        }
    }
}
