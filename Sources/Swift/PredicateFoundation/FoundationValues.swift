public import Foundation
import PredicateEvaluation
public import PredicateSyntax

extension KeyedValue {
    /// The value as `expressionValue(with:context:)` returns it: numbers as NSNumber, `<null>` as NSNull, everything
    /// else as a Swift value, which casts to Foundation's type; nil for nil.
    var foundationObject: Any? {
        switch self {
        case .value(let value): value.foundationObject
        case .object: hostObject
        case .collection(let collection):
            collection.elements.map(\.foundationElement).foundationCollection(collection.kind)
        }
    }

    /// The value as an element of a collection, where nil is represented by an object.
    var foundationElement: Any { foundationObject ?? NSNull() }
}

extension PredicateValue {
    fileprivate var foundationObject: Any? {
        switch self {
        case .null: nil
        case .nullObject: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .type(let name): name
        case .array(let values): values.foundationElements.foundationCollection(.array)
        case .set(let values): Array(values).foundationElements.foundationCollection(.set)
        case .orderedSet(let values): values.foundationElements.foundationCollection(.orderedSet)
        case .dictionary(let values): values.mapValues { $0.foundationObject ?? NSNull() }
        case .object: keyedValue.hostObject
        case .expression(let node): NSExpression(FormatExpression(node))
        case .predicate(let node): NSPredicate(FormatPredicate(node))
        }
    }

    /// Makes the value that a program passes for `%@`, as a constant or for a variable. An object of the program
    /// stays that object.
    init(argument value: Any?) {
        self = KeyedValue(bridging: value).argument
    }
}

extension [PredicateValue] {
    fileprivate var foundationElements: [Any] { map { $0.foundationObject ?? NSNull() } }
}

extension [Any] {
    fileprivate func foundationCollection(_ kind: KeyedCollection.Kind) -> Any {
        switch kind {
        case .array: self
        case .set: NSSet(array: self)
        case .orderedSet: NSOrderedSet(array: self)
        }
    }
}

extension PredicateVariables {
    /// The values as a Foundation block receives them; nil if there are none.
    var foundationBindings: [String: Any]? {
        var bindings: [String: Any] = [:]
        for name in names { bindings[name] = self[name]?.foundationObject ?? NSNull() }
        return bindings.isEmpty ? nil : bindings
    }

    /// Makes the variables of a context: the entries whose keys are strings.
    init(context: NSMutableDictionary?) {
        var values: [String: Any?] = [:]
        for case let name as String in context?.allKeys ?? [] { values[name] = context?.object(forKey: name) }
        self.init(bridging: values)
    }

    /// Copies the values that an evaluation has assigned to a context. [NSP-180]
    func copy(_ assigned: [String], to context: NSMutableDictionary?) {
        for name in assigned {
            context?.setObject(self[name]?.foundationObject ?? NSNull(), forKey: name as NSString)
        }
    }
}

/// A class whose convenience initializers may return an existing object.
///
/// `NSPredicate(format: "a == 1")` is a comparison, an object of a subclass. An initializer of a class cannot
/// assign `self`, but one of a protocol can.
protocol Replaceable {}

extension Replaceable {
    init(replacing object: Self) { self = object }
}

extension NSPredicate: Replaceable {}
extension NSSortDescriptor: Replaceable {}

/// Predicates as arguments of formats: `NSPredicate(format: "ANY friends.age > 18 AND %@ == YES", other)`
extension NSPredicate: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .predicate(node) }
}

/// Expressions as arguments of formats: `NSPredicate(format: "%@ > 3", expression)`
extension NSExpression: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .expression(node) }
}

extension NSPredicate {
    /// Parses a format string from user input: `try NSPredicate(validating: field.text)`
    ///
    /// - Throws: `PredicateFormatError` with the source range and a hint.
    public convenience init(validating predicateFormat: String, _ args: Any?...) throws(PredicateFormatError) {
        self.init(try FormatPredicate(format: predicateFormat, arguments: args.map(PredicateValue.init(argument:))))
    }
}

extension NSExpression {
    /// Parses a format string from user input: `try NSExpression(validating: field.text)`
    ///
    /// - Throws: `PredicateFormatError` with the source range and a hint.
    public convenience init(validating expressionFormat: String, _ args: Any?...) throws(PredicateFormatError) {
        self.init(try FormatExpression(format: expressionFormat, arguments: args.map(PredicateValue.init(argument:))))
    }
}
