package import Foundation
import PredicateSyntax
import PredicateText

/// The functions, messages, selectors and type identifiers of the host that predicates can name.
///
/// ```swift
/// var registry = EvaluationRegistry.standard
/// registry.registerFunction("mgl_round:") { arguments in … }
/// let evaluator = try PredicateEvaluator(predicate, registry: registry)
/// ```
///
/// A format string can call only what is registered here or built in. The closures are the host's code, so they may
/// throw any error: an ``EvaluationError`` keeps its code, any other error becomes ``EvaluationError/Code/host(_:)``.
public struct EvaluationRegistry: Sendable {
    /// A function of the host: takes the values of its arguments and returns a value. It may throw any error.
    public typealias Function = @Sendable (_ arguments: [KeyedValue]) throws -> KeyedValue
    /// A message of the host: takes its receiver, which is never nil, and its arguments, and returns a value. It may
    /// throw any error.
    public typealias Message = @Sendable (_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue
    /// An operator of the host: takes the values of both sides, the left one never nil, and returns true if it holds.
    /// It may throw any error.
    public typealias Selector = @Sendable (_ left: KeyedValue, _ right: KeyedValue) throws -> Bool

    /// The registry with the built-in messages, selectors and type identifiers, and without functions of the host.
    public static let standard = EvaluationRegistry()

    package private(set) var functions: [String: Function] = [:]
    package private(set) var messages: [String: Message] = [:]
    package private(set) var selectors: [String: Selector] = [:]
    /// The calendar of the date functions; nil if they are not registered, or if the host has replaced one of them.
    var calendar: ZonedCalendar?
    /// The zone of the date functions; nil if there is no ``calendar``.
    package var calendarZone: TimeZone? { calendar?.zone }
    /// The zone of the date functions; nil for UTC.
    package var zone: LocalZone? { calendar?.localZone }
    /// The name of this zone; nil for UTC.
    package var textZone: String? { zone == nil ? nil : calendar?.zone.identifier }
    package private(set) var typeIdentifiers = TypeIdentifiers.standard

    /// True if nothing was added; evaluators then share what they make from the standard registry.
    private(set) var isStandard = true

    private init() {}

    /// Adds a function, or replaces the function of that name: `mgl_round(score) == 3`.
    ///
    /// `body` receives as many arguments as the format contains, possibly none: check their number. A colon at the
    /// end of the name is ignored. The functions of the language cannot be replaced.
    public mutating func registerFunction(_ name: String, _ body: @escaping Function) {
        functions[Self.key(for: name)] = body
        isStandard = false
        if CalendarFunction(name: name) != nil { calendar = nil }
    }

    /// Adds a message, or replaces the message of that name, even a built-in one: `FUNCTION(n, "pow:", 3) == 8`.
    ///
    /// By convention a selector has a colon for each argument; all arguments are passed on. A message to nil gives
    /// nil, and `body` is not called.
    public mutating func registerMessage(_ selector: String, _ body: @escaping Message) {
        messages[selector] = body
        isStandard = false
    }

    /// Adds an operator, or replaces the operator of that name, even a built-in one: `self conformsToProtocol: %@`.
    ///
    /// If the left side is nil, the comparison is false, and `body` is not called.
    public mutating func registerSelector(_ name: String, _ body: @escaping Selector) {
        selectors[name] = body
        isStandard = false
    }

    /// Adds types that a type identifier conforms to: `type UTI-CONFORMS-TO "com.example.document"`.
    public mutating func registerTypeIdentifier(_ identifier: String, conformsTo others: String...) {
        typeIdentifiers.register(identifier, conformsTo: others)
        isStandard = false
    }

    // MARK: - Look-up

    func function(named name: String) -> Function? {
        functions[Self.key(for: name)]
    }

    /// Returns the most similar names of functions, without a colon at the end.
    func functionNames(near name: String) -> [String] {
        let known = FunctionExpression.Predefined.allCases.map { Self.key(for: $0.rawValue) }
        return NearMiss.candidates(for: Self.key(for: name), among: known + functions.keys)
    }

    func message(named selector: String) -> Message? {
        messages[selector]
    }

    func messageNames(near selector: String) -> [String] {
        NearMiss.candidates(for: selector, among: Array(BuiltInMessages.table.keys) + messages.keys)
    }

    func selector(named name: String) -> CustomSelector.Body? {
        guard let own = selectors[name] else { return CustomSelector.builtIn[name] }
        return { (left, right) throws(Fault) in
            do { return try own(left, right) } catch { throw Fault(host: error, of: name) }
        }
    }

    func selectorNames(near name: String) -> [String] {
        NearMiss.candidates(for: name, among: Array(CustomSelector.builtIn.keys) + selectors.keys)
    }

    private static func key(for name: String) -> String {
        name.last == ":" ? String(name.dropLast()) : name
    }
}

/// `self isKindOfClass: %@`, `name hasPrefix: "jo"`: a selector with one argument as an operator.
///
/// The built-in selectors are ``builtIn``; the host registers others. If the left side is nil, the comparison is
/// false. Apple's evaluator raises an exception there, which would make every row without a value an error.
final class CustomSelector: Relation {
    typealias Body = @Sendable (KeyedValue, KeyedValue) throws(Fault) -> Bool

    private let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        left.isNull ? false : try body(left, right)
    }

    /// The built-in selectors by name.
    static let builtIn: [String: Body] = [
        "isKindOfClass:": { (left, right) throws(Fault) in
            PredicateValue.ClassName(left.className).isKind(of: try classNamed(by: right, for: "isKindOfClass:"))
        },
        "isMemberOfClass:": { (left, right) throws(Fault) in
            PredicateValue.ClassName(left.className) == (try classNamed(by: right, for: "isMemberOfClass:"))
        },
        "isEqual:": equality,
        "isEqualTo:": equality,
        "isEqualToString:": equality,
        "isEqualToNumber:": equality,
        "isEqualToValue:": equality,
        "isEqualToDate:": equality,
        "isEqualToData:": equality,
        "isEqualToArray:": equality,
        "isEqualToSet:": equality,
        "isEqualToOrderedSet:": equality,
        "isEqualToDictionary:": equality,
        "isNotEqualTo:": { (left, right) throws(Fault) in try !Equality.areEqual(left, right, .none) },
        "hasPrefix:": { (left, right) throws(Fault) in try beginning.holds(left, right) },
        "hasSuffix:": { (left, right) throws(Fault) in try ending.holds(left, right) },
        "containsString:": { (left, right) throws(Fault) in
            if right.isNull { return false }
            return TextSearch.contains(
                try left.requiredText(operand: 0), try right.requiredText(operand: 1), .none)
        },
        "containsObject:": { (left, right) throws(Fault) in
            if left.text != nil { throw Fault(.notACollection(found: left.found), operand: 0) }
            return try containment.holds(left, right)
        },
    ]

    private static let beginning = TextRelation(.beginsWith, .none)
    private static let ending = TextRelation(.endsWith, .none)
    private static let containment = Containment(.none, isMirrored: true)
    private static let equality: Body = { (left, right) throws(Fault) in try Equality.areEqual(left, right, .none) }

    /// Returns the class that an argument of `isKindOfClass:` denotes.
    private static func classNamed(by value: KeyedValue, for selector: String) throws(Fault) -> PredicateValue.ClassName
    {
        guard case .value(.type(let type)) = value else {
            throw Fault(.argumentKind(function: selector, expected: "a class", found: value.found), operand: 1)
        }
        return type
    }
}
