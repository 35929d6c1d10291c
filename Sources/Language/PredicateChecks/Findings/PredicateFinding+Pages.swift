extension PredicateFinding.Code {
    package var page: CheckPage {
        switch self {
        case .neverHolds:
            CheckPage(
                "A clause that no value fulfils", "Its conditions exclude each other, so nothing is found",
                wrong: "age > 5 AND age < 3", right: "age > 3 AND age < 5", .inferred)
        case .alwaysHolds:
            CheckPage(
                "A clause that every value fulfils",
                "One of its conditions holds for each value, so it selects everything",
                wrong: "age != 1 OR age != 2", right: "age != 1 AND age != 2", .inferred)
        case .duplicateClause:
            CheckPage(
                "A clause that is written twice", "The second one changes nothing; another key was probably meant",
                wrong: #"age > 5 AND name == "jo" AND age > 5"#, right: #"age > 5 AND name == "jo""#, .inferred)
        case .impliedClause:
            CheckPage(
                "A clause that another one implies", "It changes nothing",
                wrong: "age > 5 AND age > 3", right: "age > 5", .inferred)
        case .notBindsTightly:
            CheckPage(
                "NOT belongs to the first comparison only", "NOT binds more tightly than AND and OR",
                wrong: "NOT age == 1 OR age == 2", right: "NOT (age == 1 OR age == 2)", .syntax)
        case .andBindsTightly:
            CheckPage(
                "AND takes one of two alternatives for the same key", "AND binds more tightly than OR",
                wrong: "paid == 1 AND status == 1 OR status == 2", right: "paid == 1 AND (status == 1 OR status == 2)",
                .syntax)
        case .unknownKey:
            CheckPage(
                "The objects have no such key",
                "A fetch raises an exception that ends the program, and so does evaluation in memory",
                wrong: #"nmae == "jo""#, right: #"name == "jo""#, .accessors)
        case .quotedKey:
            CheckPage(
                "A key in quotes is a string", "Two constants are compared, so the result is the same for every object",
                wrong: #""name" == "jo""#, right: #"name == "jo""#, .syntax)
        case .bothConstant:
            CheckPage(
                "A comparison that uses no key of the object",
                "An argument for %@ is a value, even if it is the name of a key",
                wrong: "%@ == %@", right: "%K == %@", .syntax)
        case .kindMismatch:
            CheckPage(
                "A comparison of values of different kinds",
                "Such values are never equal, and ordering them is an error",
                wrong: #""1" == 1"#, right: "1 == 1", .kinds)
        case .wildcardInEquality:
            CheckPage(
                "A wildcard has no meaning in an equality", "The asterisk is compared like any other character",
                wrong: #"name == "jo*""#, right: #"name LIKE "jo*""#, .syntax)
        case .wildcardInSearch:
            CheckPage(
                "A wildcard has no meaning in BEGINSWITH, ENDSWITH and CONTAINS",
                "The asterisk is searched for like any other character",
                wrong: #"name BEGINSWITH "jo*""#, right: #"name BEGINSWITH "jo""#, .syntax)
        case .likeWithoutWildcard:
            CheckPage(
                "LIKE without a wildcard is an equality", "LIKE compares the whole string",
                wrong: #"name LIKE "jo""#, right: #"name LIKE "*jo*""#, .syntax)
        case .foreignWildcard:
            CheckPage(
                "An SQL wildcard in LIKE, whose wildcards are * and ?",
                "The percent sign is compared like any other character",
                wrong: #"name LIKE "jo%""#, right: #"name LIKE "jo*""#, .syntax)
        case .patternInLike:
            CheckPage(
                "A regular expression in LIKE, whose wildcards are * and ?",
                "LIKE compares the dot like any other character",
                wrong: #"name LIKE "jo.*""#, right: #"name LIKE "jo*""#, .syntax)
        case .wildcardInPattern:
            CheckPage(
                "A LIKE wildcard in a regular expression", "In MATCHES, an asterisk repeats the character before it",
                wrong: #"name MATCHES "jo*""#, right: #"name MATCHES "jo.*""#, .expressions)
        case .matchesWholeText:
            CheckPage(
                "MATCHES compares the whole string", "A part of the string is not enough",
                wrong: #"name MATCHES "jo""#, right: #"name MATCHES ".*jo.*""#, .syntax)
        case .unescapedDot:
            CheckPage(
                "An unescaped dot in a regular expression matches any character", "Other strings match as well",
                wrong: #"name MATCHES "www.swift.org""#, right: #"name MATCHES "www\\.swift\\.org""#, .expressions)
        case .lostBackslash:
            CheckPage(
                "The string consumes a backslash that the regular expression needs",
                "The pattern searches for a letter instead of a character class",
                wrong: #"name MATCHES "\d+""#, right: #"name MATCHES "\\d+""#, .syntax)
        case .keepsNil:
            CheckPage(
                "A comparison with != also selects objects without a value",
                "nil differs from every value, unlike NULL in SQL",
                wrong: #"name != "jo""#, right: #"name != nil AND name != "jo""#, .inferred)
        case .unknownProperty:
            CheckPage(
                "Values of this kind have no such key", "Evaluation raises an exception",
                wrong: "name.lenght > 3", right: "name.length > 3", .accessors)
        case .subentityKey:
            CheckPage(
                "Only subentities have this key",
                "A fetch of the entity refuses a key that only some of its objects have",
                wrong: "done == YES", right: #"name == "jo""#, .inferred)
        case .transientKey:
            CheckPage(
                "The key is not stored, so a fetch rejects it", "The store has no column for a transient property",
                wrong: #"fullName == "jo""#, right: #"name == "jo""#, .store)
        case .refusedByStore:
            CheckPage(
                "A Core Data fetch refuses this, but objects in memory accept it",
                "SQLite has no counterpart, so the fetch ends the program",
                wrong: "count:(orders) > 3", right: "orders.@count > 3", .store)
        case .keywordAsKey:
            CheckPage(
                "The name of a key is a keyword here", "The word is a constant or a position",
                wrong: "no = 9", right: "#no = 9", .syntax)
        case .hyphenatedKey:
            CheckPage(
                "A key with a hyphen is a subtraction", "Without quotes, the hyphen subtracts one key from another",
                wrong: ##"board-id == "x""##, right: ##"#"board-id" == "x""##, .syntax)
        case .outOfRange:
            CheckPage(
                "The key cannot hold this value", "No object has a number beyond the range of the attribute's type",
                wrong: "age > 70000", right: "age > 700", .attributes)
        case .versionOrder:
            CheckPage(
                "Version strings do not sort by version number",
                "Strings are compared character by character, so \"9.0\" follows \"10.0\"",
                wrong: #"version >= "10.0""#, right: #"version BEGINSWITH "10.""#, .inferred)
        case .toManyKey:
            CheckPage(
                "A key with several values is compared like one with a single value",
                "A fetch rejects the comparison with an exception",
                wrong: #"tags == "new""#, right: #"ANY tags == "new""#, .use)
        case .toOneKey:
            CheckPage(
                "ANY, ALL or NONE for a key with a single value", "The word needs a collection",
                wrong: #"ANY name == "jo""#, right: #"name == "jo""#, .inferred)
        case .nilInToMany:
            CheckPage(
                "The values of a to-many relationship never contain nil",
                "An object without the value is left out of the collection",
                wrong: "ANY posts.when == nil", right: "SUBQUERY(posts, $p, $p.when == nil).@count > 0", .inferred)
        case .anyDiffers:
            CheckPage(
                "ANY with != holds as soon as one value differs", "Objects that also have the value are selected",
                wrong: #"ANY tags != "new""#, right: #"NONE tags == "new""#, .syntax)
        case .betweenShape:
            CheckPage(
                "BETWEEN needs two bounds", "Without a lower and an upper bound, the comparison fails",
                wrong: "age BETWEEN 25", right: "age BETWEEN {25, 30}", .syntax)
        case .inNoCollection:
            CheckPage(
                "IN needs a collection", "The right side has no elements",
                wrong: "age IN 10", right: "age IN {10}", .syntax)
        case .containsCollection:
            CheckPage(
                "CONTAINS takes one element", "No element equals a whole collection",
                wrong: #"tags CONTAINS {"a", "b"}"#, right: #"tags CONTAINS "a" AND tags CONTAINS "b""#, .syntax)
        case .optionWithoutEffect:
            CheckPage(
                "An option without effect", "The comparison ignores it",
                wrong: #"name ==[w] "jo""#, right: #"name ==[c] "jo""#, .inferred)
        case .specifierInQuotes:
            CheckPage(
                "A specifier in quotes is a string", "It takes no argument, so the argument is ignored",
                wrong: #"name == "%@""#, right: "name == %@", .syntax)
        case .constantInQuotes:
            CheckPage(
                "nil, YES or NO in quotes is a string", "The comparison is with a word, not with the constant",
                wrong: #"name == "nil""#, right: "name == nil", .syntax)
        case .numberInQuotes:
            CheckPage(
                "A number in quotes is a string", "Strings are compared character by character",
                wrong: #"age > "18""#, right: "age > 18", .syntax)
        case .variableInQuotes:
            CheckPage(
                "A variable in quotes is a string", "The value of the variable is not used",
                wrong: #"name == "$NAME""#, right: "name == $NAME", .syntax)
        case .textWithoutQuotes:
            CheckPage(
                "A string without quotes is a key", "Two keys of the object are compared",
                wrong: "name == Bob", right: #"name == "Bob""#, .syntax)
        case .dateWithoutQuotes:
            CheckPage(
                "A date without quotes is arithmetic", "The result of the subtraction is a number",
                wrong: "born > 1990-05-01", right: #"born > CAST("1990-05-01", "NSDate")"#, .syntax)
        case .unknownOperator:
            CheckPage(
                "There is no such collection operator", "Evaluation raises an exception",
                wrong: "@K == 1", right: "scores.@count == 1", .collections)
        case .operatorWithoutKey:
            CheckPage(
                "This collection operator needs a key", "The operator computes with the values of the key after it",
                wrong: "scores.@avg > 2", right: "scores.@avg.points > 2", .collections)
        case .unusedVariable:
            CheckPage(
                "A SUBQUERY that does not use its variable", "Either all elements match or none",
                wrong: "SUBQUERY(friends, $f, age > 21).@count > 0",
                right: "SUBQUERY(friends, $f, $f.age > 21).@count > 0", .inferred)
        case .wholeDivision:
            CheckPage(
                "A division of integers loses its fraction", "The result is a whole number",
                wrong: "score / 2 == 0.5", right: "score / 2.0 == 0.5", .inferred)
        case .caseDiffers:
            CheckPage(
                "Strings that are never equal unless case or accents are ignored", "Equality distinguishes case",
                wrong: #"status == "Open""#, right: #"status ==[c] "Open""#, .syntax)
        case .decomposedText:
            CheckPage(
                "The same characters are written with other code points", "Equality compares code points",
                wrong: #"name == "Zoë""#, right: #"name ==[d] "Zoë""#, .inferred)
        case .emptyText:
            CheckPage(
                "The empty string is part of every string",
                "A search for it depends on the operator, and probably another string was meant",
                wrong: #"name CONTAINS """#, right: #"name == """#, .inferred)
        case .emptyCollection:
            CheckPage(
                "Nothing is in an empty collection", "The comparison never holds",
                wrong: "age IN {}", right: "age IN {1}", .inferred)
        case .cannotBePrepared:
            CheckPage(
                "Every evaluation fails",
                "The format is legal, but an operand cannot be used. An unknown type of a cast is a warning, because Apple "
                    + "does not document what it does",
                wrong: #"name MATCHES "(""#, right: #"name MATCHES "\\(""#, .expressions)
        case .cannotBeEvaluated:
            CheckPage(
                "The evaluation fails for these objects", "A value of the key has no such property or operation",
                wrong: "name.count > 3", right: "name.length > 3", .accessors)
        }
    }
}
