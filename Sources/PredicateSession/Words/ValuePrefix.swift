/// The prefix that gives the type of a value on the command line.
///
/// `date:2024-01-31T12:00:00Z`
package enum ValuePrefix: String, CaseIterable {
    case string
    case decimal
    case date
    case uuid
    case data
    case url
    case key
    case set
}

extension ValuePrefix {
    /// An example of a word of this type.
    package var example: String {
        switch self {
        case .string: "string:18"
        case .decimal: "decimal:1.10"
        case .date: "date:2024-01-31T12:00:00Z"
        case .uuid: "uuid:137DECC8-..."
        case .data: "data:aGVsbG8="
        case .url: "url:https://swift.org"
        case .key: "key:dept.name"
        case .set: "set:[1,2]"
        }
    }
}

extension ValuePrefix {
    /// The noun in error messages.
    var noun: String {
        switch self {
        case .string: "text"
        case .decimal: "decimal number"
        case .date: "date"
        case .uuid: "UUID"
        case .data: "base 64 text"
        case .url: "URL"
        case .key: "key path"
        case .set: "JSON array"
        }
    }

    /// The explanation in help texts.
    package var meaning: String {
        switch self {
        case .string: "a text, whatever it looks like"
        case .decimal: "an exact decimal number"
        case .date: "a date, ISO 8601"
        case .uuid: "a UUID"
        case .data: "data, in base 64"
        case .url: "a URL"
        case .key: "a key path instead of a value"
        case .set: "a set, from a JSON array"
        }
    }
}
