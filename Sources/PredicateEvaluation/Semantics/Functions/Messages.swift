import PredicateSyntax

/// `FUNCTION(name, "stringByAppendingString:", "!")`: a message to a value.
///
/// The host's messages come first, then the built-in ones. A selector without arguments is also a property of the
/// value or a key of the object: `FUNCTION(person, "name")`. nil gives nil. Nothing else is reachable: other
/// selectors throw `unknownMessage`. [NSP-125]
final class MessagePlan: ExpressionPlan {
    let node: Int
    private let target: any ExpressionPlan
    private let selector: String
    private let arguments: [any ExpressionPlan]
    private let hostMessage: EvaluationRegistry.Message?
    private let message: BuiltInMessages.Message?
    private let property: ValueProperty?
    private let registry: EvaluationRegistry
    private let limits: PredicateLimits

    init(
        _ target: any ExpressionPlan, _ selector: String, _ arguments: [any ExpressionPlan],
        _ registry: EvaluationRegistry, _ limits: PredicateLimits, node: Int
    ) {
        self.limits = limits
        self.target = target
        self.selector = selector
        self.arguments = arguments
        self.registry = registry
        self.hostMessage = registry.message(named: selector)
        self.message = BuiltInMessages.table[selector]
        self.property = arguments.isEmpty ? ValueProperty(rawValue: selector) : nil
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let receiver = try target.value(&context)
        if receiver.isNull { return .null }
        try context.spend(on: receiver, at: node)
        let values = try context.values(of: arguments, at: node)
        if let hostMessage {
            do { return try hostMessage(receiver, values) } catch {
                throw EvaluationError(host: error, of: selector, at: node)
            }
        }
        do {
            if let result = try result(for: receiver, values) { return result }
        } catch {
            // A fault counts the receiver as operand 0, then the arguments.
            throw EvaluationError(error, operands: [target.node] + arguments.map(\.node), whole: node)
        }
        throw unknownMessage(to: receiver)
    }

    /// The result of a built-in message; nil if the receiver does not understand it.
    private func result(for receiver: KeyedValue, _ arguments: [KeyedValue]) throws(Fault) -> KeyedValue? {
        if let message { return try message(receiver, arguments, limits) }
        guard arguments.isEmpty else { return nil }
        if let property, property.isDescription { try ResultLimit.check(descriptionOf: receiver, limits) }
        if let object = receiver.hostReceiver { return object.value(forKey: selector) ?? property?.value(of: receiver) }
        return property?.value(of: receiver) ?? receiver.entry(for: .value(.string(selector)))
    }

    @inline(never)
    private func unknownMessage(to receiver: KeyedValue) -> EvaluationError {
        var nearMisses = registry.messageNames(near: selector)
        if arguments.isEmpty {
            nearMisses += NearMiss.candidates(for: selector, among: receiver.propertyNames)
            if nearMisses.isEmpty { nearMisses = NearMiss.completions(of: selector, among: receiver.propertyNames) }
        }
        return EvaluationError(
            .unknownMessage(selector, target: receiver.className, nearMisses: nearMisses), node: node)
    }
}

extension KeyedValue {
    /// The object of the value; nil for data and dictionaries.
    fileprivate var hostReceiver: (any KeyValueCoding)? {
        guard case .object(let object) = self, !(object is any DictionaryCoding) else { return nil }
        return object
    }

    /// The names that a message without arguments may have.
    fileprivate var propertyNames: [String] {
        hostReceiver?.allKeys ?? (ValueProperty.names(for: self) + (entries.map { Array($0.keys) } ?? []))
    }
}
