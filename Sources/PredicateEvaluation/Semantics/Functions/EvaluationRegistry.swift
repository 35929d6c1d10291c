import PredicateSyntax

/// What predicates can call besides the language itself: the host's functions, messages, selectors and type
/// identifiers.
///
/// ```
/// var registry = EvaluationRegistry.standard
/// registry.registerFunction("mgl_round:") { arguments in … }
/// let evaluator = try PredicateEvaluator(predicate, registry: registry)
/// ```
///
/// Nothing that is not registered, and not in the built-in tables, can be reached from a format string.
public struct EvaluationRegistry: Sendable {
    /// A host's function: the values of its arguments in, a value out.
    public typealias Function = @Sendable (_ arguments: [KeyedValue]) throws -> KeyedValue
    /// A host's message: the value it is sent to, never nil, and its arguments in, a value out.
    public typealias Message = @Sendable (_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue
    /// A host's operator: the values on both sides in, the left one never nil; whether it holds out.
    public typealias Selector = @Sendable (_ left: KeyedValue, _ right: KeyedValue) throws -> Bool

    /// The built-in messages, selectors and type identifiers; no functions but those of the language.
    public static let standard = EvaluationRegistry()

    package private(set) var functions: [String: Function] = [:]
    package private(set) var messages: [String: Message] = [:]
    package private(set) var selectors: [String: Selector] = [:]
    package private(set) var typeIdentifiers = TypeIdentifiers.standard

    private init() {}

    /// Adds a function, or takes the place of one of the same name: `mgl_round(score) == 3`.
    ///
    /// `body` is given as many arguments as the format has, none too: check their number. The last colon of a name does
    /// not count. The functions of the language cannot be replaced. What `body` throws becomes
    /// ``EvaluationError/Code/host(_:)``, unless it is an ``EvaluationError``.
    public mutating func registerFunction(_ name: String, _ body: @escaping Function) {
        functions[Self.key(for: name)] = body
    }

    /// Adds a message, or takes the place of one, a built-in one too: `FUNCTION(n, "pow:", 3) == 8`.
    ///
    /// A selector has a colon for each argument by convention; here any number is passed on. A nil target is not sent the message: the outcome is nil.
    public mutating func registerMessage(_ selector: String, _ body: @escaping Message) {
        messages[selector] = body
    }

    /// Adds an operator, or takes the place of one, a built-in one too: `self conformsToProtocol: %@`.
    ///
    /// A nil on the left is not asked: the answer is false.
    public mutating func registerSelector(_ name: String, _ body: @escaping Selector) {
        selectors[name] = body
    }

    /// Says what a type identifier conforms to, besides what is known of it:
    /// `type UTI-CONFORMS-TO "com.example.document"`.
    public mutating func registerTypeIdentifier(_ identifier: String, conformsTo others: String...) {
        typeIdentifiers.register(identifier, conformsTo: others)
    }

    // MARK: - Looking up

    func function(named name: String) -> Function? {
        functions[Self.key(for: name)]
    }

    /// The functions whose names look like this one, without their last colon.
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

    func selector(named name: String) -> CustomSelector.Answer? {
        guard let own = selectors[name] else { return CustomSelector.known[name] }
        return { (left, right) throws(Fault) in
            do { return try own(left, right) } catch { throw Fault(host: error) }
        }
    }

    func selectorNames(near name: String) -> [String] {
        NearMiss.candidates(for: name, among: Array(CustomSelector.known.keys) + selectors.keys)
    }

    private static func key(for name: String) -> String {
        name.last == ":" ? String(name.dropLast()) : name
    }
}
