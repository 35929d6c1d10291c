import PredicateSyntax

/// An error in a schema: a code and the path in the document.
///
///     error: expected an entity of the schema, found 'Phon'
///     hint: did you mean Phone?
public struct SQLSchemaError: Error, Hashable, Sendable {
    /// The kind of error.
    public var code: Code
    /// The path in the document: `entities.Person.relationships.phones.to`
    public var path: String

    package init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A document that is not JSON.
        case notJSON(String)
        /// A value that is missing or has the wrong type.
        case expected(String)
        /// `"type": "int"`
        case unknownWord(String, expected: [String])
        /// `"colum": "name"`
        case unknownField(String, nearMisses: [String])
        /// `"to": "Phon"`
        case unknownEntity(String, nearMisses: [String])
        /// A relationship without the columns that hold it, or with more than one way to hold it
        case ambiguousRelationship
        /// An attribute and a relationship with the same name
        case duplicateKey(String)
        /// `"versionKey": "name"`: not an attribute of integers
        case notAVersion(String)
        /// The empty key, and `address.street` beside a key `address`: no key path leads to it
        case unreachableKey(String)
        /// `"type": "date[]", "storage": "json"`: an array of something that the storage does not hold
        case notAnElement(String)
        /// A part of the schema that a database cannot declare: the type of a column, or a name
        case undeclarable(String, database: String)
    }

    /// An error of a type of the program.
    package init(unknownKeysOf type: String) {
        self.init(
            .expected("a type with keys, KeyPathCoding, or a struct whose properties this platform lists"), path: type)
    }

    /// An error in what a database is to declare.
    init(undeclarable part: String, in engine: SQLEngine) {
        self.init(.undeclarable(part, database: engine.rawValue), path: "")
    }
}

extension SQLSchemaError: CustomStringConvertible {
    public var description: String {
        (["error: \(placedTitle)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    /// The title and the path.
    package var placedTitle: String { path.isEmpty ? title : "\(title) (at \(path))" }

    /// One line that states what was expected.
    public var title: String {
        switch code {
        case .notJSON(let reason): "expected JSON: \(reason)"
        case .expected(let wanted): "expected \(wanted)"
        case .unknownWord(let word, let expected): "expected \(expected.joined(separator: ", ")), found '\(word)'"
        case .unknownField(let name, _): "expected a field of the schema format, found '\(name)'"
        case .unknownEntity(let name, _): "expected an entity of the schema, found '\(name)'"
        case .ambiguousRelationship: "a relationship needs its columns in exactly one form"
        case .duplicateKey(let key): "'\(key)' is both an attribute and a relationship"
        case .notAVersion(let key): "the version key '\(key)' is not an integer attribute"
        case .unreachableKey(let key): "no key path can reach the key '\(key)'"
        case .notAnElement(let type): "no array of this storage holds the elements of '\(type)'"
        case .undeclarable(let part, let database): "\(database) cannot declare \(part)"
        }
    }

    /// Suggested remedies, each a sentence without a full stop.
    public var hints: [String] {
        switch code {
        case .unknownField(_, let names), .unknownEntity(_, let names):
            names.isEmpty ? [] : ["did you mean \(names.joined(separator: ", "))?"]
        case .ambiguousRelationship:
            [
                "for a to-one, give column; for a to-many, toMany with inverseColumn, or with joinTable, sourceColumn and targetColumn"
            ]
        case .unreachableKey: ["choose another key, and give the column its name: {\"column\": …}"]
        case .notAnElement: ["a JSON array holds strings, integers, doubles or Booleans, a native array plain values"]
        case .undeclarable: ["choose another name or type for it"]
        case .notJSON, .expected, .unknownWord, .duplicateKey, .notAVersion: []
        }
    }
}
