// The keys that plain values have, under Apple's names: `name.length`, `tags.count`. This is the only list of them.
// The evaluator, SQL, checks and completion switch over these cases.

/// A key of plain values, with the kind of its value.
package protocol ValueKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The kind of the key's value; nil if it depends on the value that has the key.
    var result: PredicateValue.Kind? { get }
}

/// Keys of strings, named as in NSString. Paths are strings; no file is read.
package enum StringKey: String, ValueKey {
    /// `name.length == 5`: in UTF-16 units
    case length
    /// `text.intValue`: 32 bits
    case intValue
    /// `text.integerValue`: 64 bits
    case integerValue
    /// `text.longLongValue`: 64 bits
    case longLongValue
    /// `text.floatValue`
    case floatValue
    /// `text.doubleValue`
    case doubleValue
    /// `text.boolValue`: true if the string begins with a digit other than 0, or with Y, y, T or t
    case boolValue
    /// `name.lowercaseString`
    case lowercaseString
    /// `name.uppercaseString`
    case uppercaseString
    /// `name.capitalizedString`
    case capitalizedString
    /// `file.lastPathComponent == "a.txt"`
    case lastPathComponent
    /// `file.pathExtension == "txt"`
    case pathExtension
    /// `file.stringByDeletingPathExtension`
    case stringByDeletingPathExtension
    /// `file.stringByDeletingLastPathComponent`
    case stringByDeletingLastPathComponent
    /// `"tmp" IN file.pathComponents`
    case pathComponents
    /// `file.isAbsolutePath == YES`
    case isAbsolutePath

    package var result: PredicateValue.Kind? {
        switch self {
        case .length, .intValue, .integerValue, .longLongValue, .floatValue, .doubleValue: .number
        case .boolValue, .isAbsolutePath: .boolean
        case .pathComponents: .array
        case .lowercaseString, .uppercaseString, .capitalizedString, .lastPathComponent, .pathExtension,
            .stringByDeletingPathExtension, .stringByDeletingLastPathComponent:
            .string
        }
    }
}

/// Keys of numbers and Booleans, named as in NSNumber. A number that does not fit in a type becomes the nearest
/// number that does.
package enum NumberKey: String, ValueKey {
    /// `n.charValue`: 8 bits
    case charValue
    /// `n.shortValue`: 16 bits
    case shortValue
    /// `n.intValue`: 32 bits
    case intValue
    /// `n.integerValue`: 64 bits
    case integerValue
    /// `n.longValue`: 64 bits
    case longValue
    /// `n.longLongValue`: 64 bits
    case longLongValue
    /// `n.unsignedCharValue`
    case unsignedCharValue
    /// `n.unsignedShortValue`
    case unsignedShortValue
    /// `n.unsignedIntValue`
    case unsignedIntValue
    /// `n.unsignedIntegerValue`
    case unsignedIntegerValue
    /// `n.unsignedLongValue`
    case unsignedLongValue
    /// `n.unsignedLongLongValue`
    case unsignedLongLongValue
    /// `n.floatValue`: rounded to single precision
    case floatValue
    /// `n.doubleValue`
    case doubleValue
    /// `n.boolValue`
    case boolValue
    /// `n.decimalValue`
    case decimalValue
    /// `n.stringValue BEGINSWITH "1"`
    case stringValue

    package var result: PredicateValue.Kind? {
        switch self {
        case .boolValue: .boolean
        case .stringValue: .string
        case .charValue, .shortValue, .intValue, .integerValue, .longValue, .longLongValue, .unsignedCharValue,
            .unsignedShortValue, .unsignedIntValue, .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue,
            .floatValue, .doubleValue, .decimalValue:
            .number
        }
    }
}

/// Keys of dates, named as in NSDate, in seconds.
package enum DateKey: String, ValueKey {
    /// `born.timeIntervalSince1970 > 0`
    case timeIntervalSince1970
    /// `born.timeIntervalSinceReferenceDate > 0`: since 2001-01-01 00:00 UTC
    case timeIntervalSinceReferenceDate
    /// `due.timeIntervalSinceNow < 3600`: computed when the predicate is evaluated
    case timeIntervalSinceNow

    package var result: PredicateValue.Kind? { .number }
}

/// Keys of data, named as in NSData.
package enum DataKey: String, ValueKey {
    /// `blob.length > 0`: in bytes
    case length

    package var result: PredicateValue.Kind? { .number }
}

/// Keys of UUIDs, named as in NSUUID.
package enum UUIDKey: String, ValueKey {
    /// `id.UUIDString BEGINSWITH "137"`: in upper case
    case uuidString = "UUIDString"

    package var result: PredicateValue.Kind? { .string }
}

/// Keys of URLs, named as in NSURL; a missing component is nil.
package enum URLKey: String, ValueKey {
    /// `link.absoluteString`
    case absoluteString
    /// `link.relativeString`
    case relativeString
    /// `link.path == "/docs"`
    case path
    /// `link.relativePath`
    case relativePath
    /// `link.lastPathComponent`
    case lastPathComponent
    /// `link.pathExtension`
    case pathExtension
    /// `"docs" IN link.pathComponents`
    case pathComponents
    /// `link.host == "swift.org"`
    case host
    /// `link.scheme == "https"`
    case scheme
    /// `link.query`
    case query
    /// `link.fragment`
    case fragment
    /// `link.port == 8080`
    case port
    /// `link.isFileURL == YES`
    case isFileURL

    package var result: PredicateValue.Kind? {
        switch self {
        case .port: .number
        case .isFileURL: .boolean
        case .pathComponents: .array
        case .absoluteString, .relativeString, .path, .relativePath, .lastPathComponent, .pathExtension, .host,
            .scheme, .query, .fragment:
            .string
        }
    }
}

/// Keys of arrays and sets. Keys of the elements take precedence.
package enum CollectionKey: String, ValueKey {
    /// `tags.count > 2`
    case count
    /// `tags.firstObject == "a"`
    case firstObject
    /// `tags.lastObject == "z"`
    case lastObject
    /// `tags.anyObject != nil`
    case anyObject
    /// `tags.allObjects`: an array
    case allObjects
    /// `tags.array`
    case array
    /// `tags.set`
    case set

    package var result: PredicateValue.Kind? {
        switch self {
        case .count: .number
        case .firstObject, .lastObject, .anyObject: nil
        case .allObjects, .array, .set: .array
        }
    }
}

/// Keys of dictionaries. Entries with the same name take precedence.
package enum DictionaryKey: String, ValueKey {
    /// `rooms.count > 2`
    case count
    /// `"kitchen" IN rooms.allKeys`: ordered by code points, numbers first
    case allKeys
    /// `20 IN rooms.allValues`
    case allValues

    package var result: PredicateValue.Kind? {
        switch self {
        case .count: .number
        case .allKeys, .allValues: .array
        }
    }
}

/// Keys that every value has.
package enum UniversalKey: String, ValueKey {
    /// `class == %@`
    case `class`
    /// `description == "jo"`
    case description
    /// `SELF.self`
    case `self`

    package var result: PredicateValue.Kind? {
        switch self {
        case .class: .object
        case .description: .string
        case .self: nil
        }
    }
}

extension PredicateValue.Kind {
    /// The keys of the kind; nil for objects, whose keys only the host knows.
    private var keyType: (any ValueKey.Type)? {
        switch self {
        case .number, .boolean: NumberKey.self
        case .string: StringKey.self
        case .date: DateKey.self
        case .data: DataKey.self
        case .uuid: UUIDKey.self
        case .url: URLKey.self
        case .array: CollectionKey.self
        case .dictionary: DictionaryKey.self
        case .object: nil
        }
    }

    /// Returns the kind's key with this name, or the key of this name that every value has; nil if there is none.
    package func key(_ name: String) -> (any ValueKey)? {
        keyType?.init(rawValue: name) ?? UniversalKey(rawValue: name)
    }

    /// The names of the kind's own keys, without the keys that every value has.
    package var ownKeys: [String] { keyType.map(Self.names) ?? [] }

    /// The names of the keys that values of the kind have.
    package var keys: [String] { ownKeys + Self.names(of: UniversalKey.self) }

    private static func names(of type: any ValueKey.Type) -> [String] {
        func names<Key: ValueKey>(_ type: Key.Type) -> [String] { type.allCases.map(\.rawValue) }
        return names(type)
    }
}
