/// The words that determine whether a source in Swift or Objective-C is read, and for what purpose.
enum SourceWord: String, CaseIterable {
    case predicate = "NSPredicate", expression = "NSExpression", formatPredicate = "FormatPredicate"
    case formatExpression = "FormatExpression", formatLabel = "(format:", filter = ".filter(", whereLabel = "where:"
    case matchingLabel = "matching:", predicateSelector = "predicateWithFormat"
    case expressionSelector = "expressionWithFormat", objectsSelector = "objectsWhere"
    case indexSelector = "indexOfObjectWhere", realmSelector = "objectsInRealm", option = "--predicate"
    /// Part of a variable's name: `basePredicate`
    case predicateName = "redicate", macro = "#Predicate", entityComment = "predicate:entity"
    case disableComment = "predicate:disable", model = "@Model", codable = "Codable"
    case keyPathCoding = "KeyPathCoding", `class` = "class", `struct` = "struct", `extension` = "extension"
    case `enum` = "enum ", actor = "actor", function = "func ", sortDescriptor = "ortDescriptor"
    case fetchedProperties = "ropertiesTo", prefetching = "ForPrefetching", key = "orKey", `protocol` = "protocol"
    case `typealias` = "typealias", constant = "\nlet ", interface = "@interface", query = "@Query("
    case descriptor = "FetchDescriptor", template = "FromTemplate", foreignConstant = "const "
    case searchQuery = "CSSearchQuery"
}

/// The words that a source contains, and the names that it declares. All of them are found in one pass, and most sources need
/// no other pass.
struct SourceWords: Sendable {
    private var found: [SourceWord] = []
    private(set) var declared = DeclaredNames()

    private static let all = SourceWord.allCases
    private static let scanner = WordScanner(all.map(\.rawValue))

    /// No words.
    init() {}

    init(_ bytes: Bytes, _ language: CodeLanguage) {
        Self.scanner.scan(bytes, 0..<bytes.count) { index, offset in
            let word = Self.all[index]
            let range = offset..<offset + word.rawValue.utf8.count
            switch word {
            case .class, .struct, .extension, .enum, .actor:
                if language == .swift { declared.noteType(after: range, bytes) }
            case .protocol, .interface: declared.noteType(after: range, bytes)
            case .typealias: declared.noteType(after: range, mark: DeclaredNames.alias, bytes)
            case .constant: declared.noteType(after: range.dropFirst(), mark: DeclaredNames.constant, bytes)
            case .foreignConstant:
                if language == .objectiveC { declared.noteType(after: range, mark: DeclaredNames.constant, bytes) }
            case .function: if language == .swift { declared.noteFunction(at: range.upperBound, bytes) }
            case .filter, .whereLabel, .matchingLabel: if bytes.mayBeginText(range.upperBound) { insert(word) }
            case .predicate, .expression, .formatPredicate, .formatExpression, .formatLabel, .predicateSelector,
                .expressionSelector, .objectsSelector, .indexSelector, .realmSelector, .option, .predicateName, .macro,
                .entityComment, .disableComment, .model, .codable, .keyPathCoding, .sortDescriptor, .fetchedProperties,
                .prefetching, .key, .query, .descriptor, .template, .searchQuery:
                insert(word)
            }
        }
    }

    private mutating func insert(_ word: SourceWord) { if !found.contains(word) { found.append(word) } }

    func contains(_ word: SourceWord) -> Bool { found.contains(word) }

    /// True for a source in Swift that may declare a type that macros and predicates use.
    var mayDeclareEntities: Bool { contains(.model) || contains(.codable) || contains(.keyPathCoding) }

    /// True if the source may contain a call with a format.
    func mayCall(_ language: CodeLanguage) -> Bool {
        contains(.option) || (language == .swift ? Self.swiftCalls : Self.objectiveCCalls).contains(where: contains)
            || language == .swift && contains(.formatLabel) && contains(.predicateName)
    }

    /// True if the source may name keys outside formats.
    var mayNameKeys: Bool {
        contains(.sortDescriptor) || contains(.fetchedProperties) || contains(.prefetching) || contains(.key)
            || contains(.template)
    }

    /// True if the source may contain `#Predicate` or a sort order of SwiftData.
    var mayUseMacros: Bool { contains(.macro) || contains(.query) || contains(.descriptor) }

    private static let swiftCalls: [SourceWord] = [
        .predicate, .expression, .formatPredicate, .formatExpression, .filter, .whereLabel, .matchingLabel,
        .searchQuery,
    ]
    private static let objectiveCCalls: [SourceWord] = [
        .predicateSelector, .expressionSelector, .objectsSelector, .indexSelector, .realmSelector, .searchQuery,
    ]

    /// The words to search for: every part of a source that contains such a call contains at least one of them.
    static func callWords(_ language: CodeLanguage) -> [String] {
        (language == .swift ? swiftCalls + [.formatLabel, .option] : objectiveCCalls + [.option]).map(\.rawValue)
    }
}

extension Bytes {
    /// True if a string literal of Swift may begin at an offset, after white space and comments.
    fileprivate func mayBeginText(_ offset: Int) -> Bool {
        let first = self[spaceEnd(from: offset)]
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "#") || first == UInt8(ascii: "/")
    }
}
