import PredicateSyntax

/// The functions, messages, selectors and type identifiers of the host that predicates can name.
///
/// ```swift
/// var registry = EvaluationRegistry.standard
/// registry.registerFunction("mgl_round:") { arguments in … }
/// let evaluator = try PredicateEvaluator(predicate, registry: registry)
/// ```
///
/// A format string reaches nothing that is neither registered nor in the built-in tables.
public struct EvaluationRegistry: Sendable {
    /// A function of the host: the values of its arguments in, a value out.
    public typealias Function = @Sendable (_ arguments: [KeyedValue]) throws -> KeyedValue
    /// A message of the host: its receiver, which is never nil, and its arguments in, a value out.
    public typealias Message = @Sendable (_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue
    /// An operator of the host: the values on both sides in, the left one never nil; true if it holds.
    public typealias Selector = @Sendable (_ left: KeyedValue, _ right: KeyedValue) throws -> Bool

    /// The registry of the built-in messages, selectors and type identifiers, and no functions but the language's own.
    public static let standard = EvaluationRegistry()

    package private(set) var functions: [String: Function] = [:]
    package private(set) var messages: [String: Message] = [:]
    package private(set) var selectors: [String: Selector] = [:]
    package private(set) var typeIdentifiers = TypeIdentifiers.standard

    private init() {}

    /// Adds a function, or replaces one of the same name: `mgl_round(score) == 3`.
    ///
    /// `body` gets as many arguments as the format has, even none: check their number. The last colon of a name is
    /// ignored. The functions of the language cannot be replaced. An error of `body` becomes
    /// ``EvaluationError/Code/host(_:)``; of an ``EvaluationError`` the code is kept.
    public mutating func registerFunction(_ name: String, _ body: @escaping Function) {
        functions[Self.key(for: name)] = body
    }

    /// Adds a message, or replaces one, even a built-in one: `FUNCTION(n, "pow:", 3) == 8`.
    ///
    /// A selector has a colon for each argument by convention; any number of arguments is passed on. A message to nil is
    /// nil, and `body` is not called.
    public mutating func registerMessage(_ selector: String, _ body: @escaping Message) {
        messages[selector] = body
    }

    /// Adds an operator, or replaces one, even a built-in one: `self conformsToProtocol: %@`.
    ///
    /// With nil on the left it is false, and `body` is not called.
    public mutating func registerSelector(_ name: String, _ body: @escaping Selector) {
        selectors[name] = body
    }

    /// Adds types that a type identifier conforms to: `type UTI-CONFORMS-TO "com.example.document"`.
    public mutating func registerTypeIdentifier(_ identifier: String, conformsTo others: String...) {
        typeIdentifiers.register(identifier, conformsTo: others)
    }

    // MARK: - Look-up

    func function(named name: String) -> Function? {
        functions[Self.key(for: name)]
    }

    /// The names of functions nearest to this one, without their last colon.
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
