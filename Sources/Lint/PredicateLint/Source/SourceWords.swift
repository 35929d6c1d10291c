/// The words that decide whether a source of Swift or Objective-C is read, and for what.
enum SourceWord: Int, CaseIterable {
    case predicate, expression, formatPredicate, formatExpression
    case formatLabel, filter, whereLabel, matchingLabel
    case predicateSelector, expressionSelector, objectsSelector, indexSelector, realmSelector
    case option
    /// In the name of a variable: `basePredicate`
    case predicateName
    case macro
    case entityComment, disableComment
    case model, codable, keyPathCoding
    case `class`, `struct`, `extension`, `enum`, `actor`
    case function
    case sortDescriptor, fetchedProperties, prefetching, key
    case `protocol`, `typealias`, constant, interface
    case query, descriptor, template, foreignConstant

    var spelling: String {
        switch self {
        case .predicate: "NSPredicate"
        case .expression: "NSExpression"
        case .formatPredicate: "FormatPredicate"
        case .formatExpression: "FormatExpression"
        case .formatLabel: "(format:"
        case .filter: ".filter("
        case .whereLabel: "where:"
        case .matchingLabel: "matching:"
        case .predicateSelector: "predicateWithFormat"
        case .expressionSelector: "expressionWithFormat"
        case .objectsSelector: "objectsWhere"
        case .indexSelector: "indexOfObjectWhere"
        case .realmSelector: "objectsInRealm"
        case .option: "--predicate"
        case .predicateName: "redicate"
        case .macro: "#Predicate"
        case .entityComment: "predicate:entity"
        case .disableComment: "predicate:disable"
        case .model: "@Model"
        case .codable: "Codable"
        case .keyPathCoding: "KeyPathCoding"
        case .class: "class"
        case .struct: "struct"
        case .extension: "extension"
        case .enum: "enum "
        case .actor: "actor"
        case .function: "func "
        case .sortDescriptor: "ortDescriptor"
        case .fetchedProperties: "ropertiesTo"
        case .prefetching: "ForPrefetching"
        case .key: "orKey"
        case .protocol: "protocol"
        case .typealias: "typealias"
        case .constant: "\nlet "
        case .interface: "@interface"
        case .query: "@Query("
        case .descriptor: "FetchDescriptor"
        case .template: "FromTemplate"
        case .foreignConstant: "const "
        }
    }
}

/// The words that a source contains, and the names that it declares. One pass finds all of them, and most sources need
/// no other.
struct SourceWords: Sendable {
    private var bits: UInt64 = 0
    private(set) var declared = DeclaredNames()

    private static let scanner = WordScanner(SourceWord.allCases.map(\.spelling))

    /// No words.
    init() {}

    init(_ bytes: Bytes, _ language: CodeLanguage) {
        Self.scanner.scan(bytes, 0..<bytes.count) { index, offset in
            guard let word = SourceWord(rawValue: index) else { return }
            let range = offset..<offset + word.spelling.utf8.count
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
                .prefetching, .key, .query, .descriptor, .template:
                insert(word)
            }
        }
    }

    private mutating func insert(_ word: SourceWord) { bits |= 1 << UInt64(word.rawValue) }

    func contains(_ word: SourceWord) -> Bool { bits & 1 << UInt64(word.rawValue) != 0 }

    /// True for a source of Swift that may declare a type that macros and predicates are about.
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
    ]
    private static let objectiveCCalls: [SourceWord] = [
        .predicateSelector, .expressionSelector, .objectsSelector, .indexSelector, .realmSelector,
    ]

    /// The words to search for: every part of a source with such a call contains at least one of them.
    static func callWords(_ language: CodeLanguage) -> [String] {
        (language == .swift ? swiftCalls + [.formatLabel, .option] : objectiveCCalls + [.option]).map(\.spelling)
    }
}

extension Bytes {
    /// True if a string literal of Swift may begin at an offset, after white space and comments.
    fileprivate func mayBeginText(_ offset: Int) -> Bool {
        let first = self[spaceEnd(from: offset)]
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "#") || first == UInt8(ascii: "/")
    }
}
