public import Foundation
public import PredicateSyntax

/// What the results of predicates depend on besides the objects: the functions of the host with their time zone, the
/// locale, the limits, and the values of variables.
///
/// ```swift
/// var registry = EvaluationRegistry.standard
/// registry.registerCalendarFunctions(timeZone: rome)
/// let context = PredicateContext(registry: registry)
/// let evaluator = try PredicateEvaluator(predicate, context: context)
/// ```
///
/// A context is a value that a host passes on, to evaluators and to stores. The zone of its date functions also applies to
/// strings with a date that has no offset. [NSP-496]
public struct PredicateContext: Sendable {
    /// The functions, messages, selectors and type identifiers that predicates may use.
    public var registry: EvaluationRegistry
    /// The locale for `[l]`; nil if `[l]` has no effect. [NSP-184]
    public var locale: Locale?
    /// The limits for the tree, and for the work of each evaluation.
    public var limits: PredicateLimits
    /// The values of variables, by their names without `$`.
    public var variables: [String: PredicateValue]

    /// The context of the language alone: without a host, a locale or variables.
    public static let standard = PredicateContext()

    /// Creates a context: `PredicateContext(locale: Locale(identifier: "sv"), variables: ["AGE": 18])`
    public init(
        registry: EvaluationRegistry = .standard, locale: Locale? = nil, limits: PredicateLimits = .standard,
        variables: [String: PredicateValue] = [:]
    ) {
        (self.registry, self.locale, self.limits, self.variables) = (registry, locale, limits, variables)
    }

    /// The zone of the date functions, and of dates without an offset; nil for UTC.
    package var zone: LocalZone? { registry.zone }
}

extension PredicateEvaluator {
    /// Prepares a predicate with the functions, the variables, the limits and the locale of a context. The errors are the same
    /// as for ``init(_:variables:registry:limits:locale:)``.
    public init(_ predicate: FormatPredicate, context: PredicateContext) throws(EvaluationError) {
        try self.init(
            predicate, variables: PredicateVariables(plain: context.variables), registry: context.registry,
            limits: context.limits, locale: context.locale)
    }
}

extension ExpressionEvaluator {
    /// Prepares an expression with the functions, the variables, the limits and the locale of a context. The errors are the
    /// same as for ``init(_:variables:registry:limits:locale:)``.
    public init(_ expression: FormatExpression, context: PredicateContext) throws(EvaluationError) {
        try self.init(
            expression, variables: PredicateVariables(plain: context.variables), registry: context.registry,
            limits: context.limits, locale: context.locale)
    }
}
