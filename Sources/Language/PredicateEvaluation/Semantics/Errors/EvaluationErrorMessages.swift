import Foundation
import PredicateSyntax

/// The wording of evaluation errors, in one place.
extension EvaluationError.Code {
    /// One line that names the problem.
    package var title: String {
        switch self {
        case .incomparable: "expected two values that have an order"
        case .notANumber: "expected a number"
        case .notAnInteger: "expected an integer"
        case .integerOverflow: "the result overflows"
        case .divisionByZero: "division by zero"
        case .notAString: "expected a string"
        case .notACollection: "expected an array or a set"
        case .notARange: "expected an array of two bounds"
        case .notAContainer: "expected a string or a collection to search"
        case .undefinedKey(let key, let type, _): "expected a key of \(Self.noun(type)), found '\(key)'"
        case .unreadLazyKey(let key, let type):
            "cannot read '\(key)': this lazy property of \(type) has not been used yet"
        case .isolatedKey(let key, let type): "cannot read '\(key)': only the actor \(type) can access it"
        case .untrackedKey(let key, let type):
            "cannot read '\(key)': withObservationTracking would not track a read of this property of \(type)"
        case .unreadWrapper(let key, let type):
            "cannot read '\(key)': it is unknown where \(type) stores the value of the property"
        case .notEquatable(let type, _):
            "cannot compare a value of type \(type)"
        case .notEncodable(let type, _): "\(type) failed to encode itself"
        case .unknownCollectionOperator(let name, _): "unknown collection operator '\(name)'"
        case .notAKey: "expected a key after the dot"
        case .indexOutOfRange(let index, 0): "the index \(index) is out of range"
        case .indexOutOfRange(let index, _): "the index \(index) is out of range"
        case .notIndexable: "the value has no element with this index"
        case .symbolOutsideIndex(let symbol): "expected a value or a key, found \(symbol)"
        case .unboundVariable(let name, _): "expected a value for $\(name)"
        case .unknownFunction(let name, _): "unknown function '\(name)'"
        case .argumentCount(let function, let expected, let found):
            "expected \(Self.words(for: expected)) for \(function), found \(found)"
        case .unknownMessage(let selector, let target, _):
            "\(Self.noun(target)) has no message '\(selector)'"
        case .unknownSelector(let name, _): "unknown operator '\(name)'"
        case .unknownCastType(let type, _): "CAST has no type '\(type)'"
        case .castFailed(_, let type): "CAST cannot convert this value to \(Self.noun(type))"
        case .invalidPattern: "expected a regular expression"
        case .patternTooCostly: "the pattern takes too many steps"
        case .resultTooLarge(let limit): "the result exceeds \(limit) bytes"
        case .emptyCollection(let function): "\(function) has no result for an empty collection"
        case .argumentKind(let function, let expected, _): "expected \(expected) for \(function)"
        case .notEvaluable(let word): "\(word) cannot be evaluated here"
        case .unlistedKeys(let type): "\(type) does not list the keys that ANYKEY needs"
        case .subpredicateCount(let found): "expected one predicate after NOT, found \(found)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        case .refused(let error): error.title
        case .host(let error): "the host's '\(error.name)' failed"
        }
    }

    /// The words next to the caret; nil if the title is enough.
    package var label: String? {
        switch self {
        case .incomparable(let left, let right): "\(left) against \(right)"
        case .notANumber(let found), .notAnInteger(let found), .notAString(let found), .notACollection(let found),
            .notARange(let found), .notAContainer(let found), .argumentKind(_, _, let found):
            "this is \(found)"
        case .notAKey(let found): "this is \(found)"
        case .notIndexable(let found, let index): "index \(index) of \(found)"
        case .castFailed(let value, _): "this is \(value)"
        case .indexOutOfRange(_, 0): "the collection is empty"
        case .indexOutOfRange(_, let count): "the collection has indexes 0 to \(count - 1)"
        case .unboundVariable: "no value is bound to it"
        case .undefinedKey(_, let type, _): "\(Self.noun(type)) has no such key"
        case .notEquatable(let type, let other): "\(type) against \(other)"
        case .notEncodable(_, let failure): failure.description
        case .symbolOutsideIndex: "this word is a position, valid only in an index"
        case .invalidPattern(let pattern), .patternTooCostly(let pattern): "the pattern \(pattern)"
        case .refused(let error): error.label
        case .host(let error): error.description
        case .exceeds: "this takes more"
        case .integerOverflow, .divisionByZero, .unreadLazyKey, .isolatedKey, .untrackedKey, .unreadWrapper,
            .unknownCollectionOperator, .unknownFunction, .argumentCount, .unknownMessage, .unknownSelector,
            .unknownCastType, .emptyCollection, .notEvaluable, .unlistedKeys, .subpredicateCount, .resultTooLarge,
            .nestingTooDeep:
            nil
        }
    }

    /// Hints with a cure, each a sentence without a full stop.
    package var hints: [String] {
        switch self {
        case .incomparable(let left, let right): [Self.castHint(left, right)]
        case .notANumber(let found): Self.numberHints(found)
        case .notAnInteger(let found) where found.isPredicate: Self.predicateHints
        case .notAnInteger: ["use floor(x) or trunc(x) to drop the fraction"]
        case .integerOverflow: ["write 1.0 * x to compute in floating point"]
        case .divisionByZero: ["write TERNARY(b == 0, 0, a / b) to exclude the case"]
        case .notAString(let found):
            found.isPredicate
                ? Self.predicateHints
                : found.isCollection
                    ? ["write ANY x CONTAINS \"jo\" to test each element"]
                    : ["write CAST(x, \"NSString\") to convert the value to a string"]
        case .notACollection(let found) where found.isPredicate: Self.predicateHints
        case .notACollection(let found): found.isNil ? ["write TERNARY(x == nil, {}, x) to treat nil as empty"] : []
        case .notARange: ["write two bounds: age BETWEEN {18, 65}"]
        case .notAContainer: ["compare a single value with ==, or write several in braces: x IN {1, 2}"]
        case .unknownFunction("castObject:toType:", _): ["write CAST(x, \"NSString\")"]
        case .unknownFunction("objectFrom:withIndex:", _): ["write x[0], or (a.b)[0] after a path"]
        case .unknownFunction(let name, let nearMisses):
            ForeignFunction.meaning(of: name).map { [$0] } ?? NearMiss.hints(nearMisses)
        case .undefinedKey(let key, let type, let nearMisses):
            nearMisses.isEmpty
                ? Self.declarationHints(key, type) + Self.properties(of: type) : NearMiss.hints(nearMisses)
        case .unreadLazyKey(let key, let type):
            ["use the property first, or conform \(type) to KeyPathCoding: \(Self.declaration(of: key))"]
        case .isolatedKey(let key, let type):
            [
                "copy what the predicate reads to a struct, or conform \(type) to KeyValueCoding with a nonisolated '\(key)'"
            ]
        case .untrackedKey(let key, let type):
            ["conform \(type) to KeyPathCoding, whose keys are read by their getters: \(Self.declaration(of: key))"]
        case .unreadWrapper(let key, let type):
            [
                "declare the property with KeyPathCoding, which reads it by its getter: \(Self.declaration(of: key))",
                "or name the stored property of \(type) 'wrappedValue' or 'value'",
            ]
        case .notEquatable(let type, let other) where other.isData:
            [
                "conform \(type) to KeyedValueConvertible with a value to compare, "
                    + "or give it raw values if it is an enum: enum \(type): String"
            ]
        case .notEquatable(let type, _):
            ["conform \(type) to Equatable, or to KeyedValueConvertible with a value to compare"]
        case .unknownMessage(_, PredicateValue.ClassName.predicate.name, _): Self.predicateHints
        case .unknownMessage(let selector, let type, let nearMisses):
            nearMisses.isEmpty && !selector.contains(":") ? Self.properties(of: type) : NearMiss.hints(nearMisses)
        case .unknownCollectionOperator(_, let nearMisses), .unknownSelector(_, let nearMisses):
            NearMiss.hints(nearMisses)
        case .unknownCastType(_, let nearMisses):
            NearMiss.hints(nearMisses) + ["the types are " + CastType.allCases.map(\.rawValue).joined(separator: ", ")]
        case .unboundVariable(let name, let nearMisses):
            NearMiss.hints(nearMisses.map { "$" + $0 }) + ["pass it to evaluate: variables: [\"\(name)\": …]"]
        case .notAKey(let found):
            [
                found == "an index"
                    ? "write parentheses before an index after a path: (a.b)[0]" : "use a string as the key"
            ]
        case .symbolOutsideIndex(let symbol): ["to use it as a key, write #\(symbol)"]
        case .invalidPattern(let pattern): [Self.patternHint(pattern)]
        case .patternTooCostly: ["avoid a repetition inside a repetition, such as (a+)+"]
        case .emptyCollection(let function): ["test x.@count > 0 before \(function.dropLast())(x)"]
        case .notEvaluable("ANYKEY"): ["write ANYKEY alone on one side of a comparison: ANYKEY == \"jo\""]
        case .unlistedKeys(let type): ["return the keys from \(type).allKeys"]
        case .exceeds(let name, _): [name.hint]
        case .refused(let error): error.hints
        case .argumentKind(_, _, let found) where found.isPredicate: Self.predicateHints
        case .indexOutOfRange(_, 0): ["write list.@count > 0 AND … to exclude empty collections"]
        case .indexOutOfRange, .notIndexable, .argumentCount, .castFailed, .argumentKind, .notEvaluable,
            .subpredicateCount, .resultTooLarge, .nestingTooDeep, .host, .notEncodable:
            []
        }
    }

    /// The hint for a property of the host that is not a key: a computed property must be declared.
    private static func declarationHints(_ key: String, _ type: String) -> [String] {
        if type.hasPrefix("NS") || type == "nil" || libraryTypes.contains(type) { return [] }
        return ["declare a computed property with KeyPathCoding: \(declaration(of: key))"]
    }

    /// The types of the library that have no computed properties.
    private static let libraryTypes: Set<String> = [
        "EncodableObject", "KeyedRecord", "LargeIndexSet", "NamedObject", "PredicateRange", "StoredObject",
    ]

    private static func declaration(of key: String) -> String {
        "\"\(key)\": .computed { $0.\(key) }"
    }

    /// The hint that lists the properties of one of Foundation's classes.
    private static func properties(of type: String) -> [String] {
        let names = ValueProperty.names(forClass: type)
        let more = names.count > mostProperties ? ", …" : ""
        return names.isEmpty ? [] : ["\(noun(type)) has " + names.prefix(mostProperties).joined(separator: ", ") + more]
    }

    private static let mostProperties = 9

    /// The hints for a predicate as the argument of a call. [NSP-393]
    private static let predicateHints = ["write TERNARY(predicate, 1, 0): a predicate is not a value"]

    /// `a string` for the class of a value, or the name itself for a class of the host.
    private static func noun(_ type: String) -> String { PredicateValue.ClassName(type).noun }

    private static func castHint(_ left: FoundValue, _ right: FoundValue) -> String {
        if left.isCollection || right.isCollection {
            return "write ANY x < 5 for each element, x.@count for their number, or x.@max.self for the greatest"
        }
        let classes = [left.valueClass, right.valueClass]
        if classes.contains(.date), classes.contains(.string) {
            return "write CAST(x, \"NSDate\") to read a date from a string"
        }
        let unordered: [PredicateValue.ClassName?] = [.uuid, .url, .data, .dictionary, .type]
        if classes[0] == classes[1], unordered.contains(classes[0]) {
            return "compare values of this kind with == or !=: they have no order"
        }
        if classes.contains(.string), classes.contains(.number) || classes.contains(.decimalNumber) {
            return "write CAST(x, \"NSNumber\") to read a number from a string"
        }
        return "compare values of these kinds with == or !=: they have no order"
    }

    private static func patternHint(_ pattern: String) -> String {
        if pattern.utf8.first.map({ "*?+".utf8.contains($0) }) == true {
            return
                "\(pattern.prefix(1)) repeats what precedes it: write .* for any string, or use LIKE, whose wildcards are * and ?"
        }
        if let range = reversedRange(pattern) {
            return "a range in brackets begins with its least character: \(range)"
        }
        let isFolded = !pattern.utf8.allSatisfy { $0 < 0x80 }
        return "double a backslash in a format string: '\\\\d+', '\\\\['"
            + (isFolded ? "; [d] removes diacritics from the pattern first" : "")
    }

    /// `a-z` for `[z-a]`, `a-zA-Z` for `[a-Z]`
    private static func reversedRange(_ pattern: String) -> String? {
        let bytes = Array(pattern.utf8)
        var (index, isInside) = (0, false)
        while index + 2 < bytes.count {
            let (first, last) = (bytes[index], bytes[index + 2])
            if first == UInt8(ascii: "[") || first == UInt8(ascii: "]") { isInside = first == UInt8(ascii: "[") }
            if isInside, bytes[index + 1] == UInt8(ascii: "-"), first > last {
                switch (first, last) {
                case (0x30...0x39, 0x30...0x39), (0x41...0x5A, 0x41...0x5A), (0x61...0x7A, 0x61...0x7A):
                    return String(decoding: [last, UInt8(ascii: "-"), first], as: UTF8.self)
                case (0x61...0x7A, 0x41...0x5A): return "a-zA-Z"
                default: break
                }
            }
            index += first == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func numberHints(_ found: FoundValue) -> [String] {
        switch found.valueClass {
        case nil: ["write x != nil AND … to exclude such objects"]
        case .predicate: predicateHints
        case .string: ["write CAST(x, \"NSNumber\") to read a number from a string"]
        case .date:
            [
                "compute with seconds: CAST(b, \"NSNumber\") - CAST(a, \"NSNumber\") is the time between two dates,"
                    + " CAST(CAST(now(), \"NSNumber\") - 60, \"NSDate\") is a minute ago"
            ]
        default: []
        }
    }

    private static func words(for count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (0, 0): "no argument"
        case (1, 1): "one argument"
        case (let least, .max): "at least \(least) argument\(least == 1 ? "" : "s")"
        case (let least, let most): least == most ? "\(least) arguments" : "\(least) to \(most) arguments"
        }
    }
}

// MARK: - Values

/// A value as errors show it: its kind, and the value on one line.
///
/// `the string "abc"`, `the number 5`, `an array of 3`, `nil`
public struct FoundValue: Hashable, Sendable, CustomStringConvertible {
    /// The class of the value; nil if the value is nil.
    package let valueClass: PredicateValue.ClassName?
    /// The kind and the value on one line; long strings are truncated.
    public let description: String

    /// Describes plain data: `FoundValue("abc")` is `the string "abc"`.
    @inline(never)
    package init(_ value: PredicateValue) {
        valueClass = value.shownClass
        description = value.shownText
    }

    /// Describes a value; an object is described by its class alone.
    @inline(never)
    package init(_ value: KeyedValue) {
        switch value {
        case .value(let value): self.init(value)
        case .object: self.init(class: value.valueClass)
        case .collection(let collection): self.init(class: value.valueClass, "of \(collection.elements.count)")
        }
    }

    /// Describes the kind of a value: `a string`.
    @inline(never)
    package init(classOf value: KeyedValue) {
        valueClass = value.shownClass
        description = value.shownClass?.noun ?? "nil"
    }

    private init(class valueClass: PredicateValue.ClassName, _ detail: String? = nil) {
        self.valueClass = valueClass
        description = [valueClass.noun, detail].compactMap(\.self).joined(separator: " ")
    }

    var isNil: Bool { valueClass == nil }

    var isPredicate: Bool { valueClass == .predicate }

    /// True for a value that no object of the host equals.
    var isData: Bool {
        [.number, .decimalNumber, .string, .date, .data, .uuid, .url].contains(valueClass)
    }

    var isCollection: Bool { valueClass == .array || valueClass == .set || valueClass == .orderedSet }
}

extension KeyedValue {
    /// The value as errors show it.
    var found: FoundValue { FoundValue(self) }
}

extension PredicateValue {
    /// The value as errors show it.
    var found: FoundValue { FoundValue(self) }

    fileprivate var shownText: String {
        switch self {
        case .null: "nil"
        case .nullObject: "the null object"
        case .bool(let value): value ? "YES" : "NO"
        case .integer(let value): "the number \(value)"
        case .double(let value): "the number \(value)"
        case .decimal(let value): "the decimal number \(value)"
        case .string(let value): "the string \(Self.quoted(value))"
        case .date(let value): "the date \(ISO8601.string(from: value) ?? "\(value.timeIntervalSinceReferenceDate)")"
        case .data(let value): "data of \(value.count) bytes"
        case .uuid(let value): "the UUID \(value.uuidString)"
        case .url(let value): "the URL \(Self.quoted(value.absoluteString))"
        case .type(let value): "the class \(value.name)"
        case .array(let elements): "\(valueClass.noun) of \(elements.count)"
        case .orderedSet(let elements): "\(valueClass.noun) of \(elements.count)"
        case .set(let elements): "\(valueClass.noun) of \(elements.count)"
        case .dictionary(let entries): "\(valueClass.noun) of \(entries.count)"
        case .object, .expression, .predicate: valueClass.noun
        }
    }

    /// Returns at most 40 characters of a string in quotes, so that an error stays on one line.
    private static func quoted(_ text: String) -> String {
        let head = text.prefix(40)
        let escaped = head.map { $0.isNewline ? "\\n" : String($0) }.joined()
        return head.endIndex == text.endIndex ? "\"\(escaped)\"" : "\"\(escaped)…\""
    }
}

extension PredicateValue.ClassName {
    /// A value of the class, as error messages name it: `a string`. For a class of the host this is its name.
    var noun: String {
        switch self {
        case .null: "nil"
        case .number: "a number"
        case .decimalNumber: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array: "an array"
        case .set: "a set"
        case .orderedSet: "an ordered set"
        case .dictionary: "a dictionary"
        case .expression: "an expression"
        case .predicate: "a predicate"
        case .type: "a class"
        default: name
        }
    }
}
