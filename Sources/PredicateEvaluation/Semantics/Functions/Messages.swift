import PredicateSyntax

/// `FUNCTION(name, "stringByAppendingString:", "!")`: a message to a value.
///
/// The host's messages come first, then the built-in ones. A selector without arguments is also a property of the
/// value or a key of the object: `FUNCTION(person, "name")`. nil gives nil. Nothing else is reachable: all else throws
/// `unknownMessage`. [NSP-125]
final class MessagePlan: ExpressionPlan {
    let number: Int
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
        _ registry: EvaluationRegistry, _ limits: PredicateLimits, number: Int
    ) {
        self.limits = limits
        self.target = target
        self.selector = selector
        self.arguments = arguments
        self.registry = registry
        self.hostMessage = registry.message(named: selector)
        self.message = BuiltInMessages.table[selector]
        self.property = arguments.isEmpty ? ValueProperty(rawValue: selector) : nil
        self.number = number
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let receiver = try target.value(&context)
        if receiver.isNull { return .null }
        try context.spend(on: receiver, at: number)
        var values: [KeyedValue] = []
        for argument in arguments {
            let value = try argument.value(&context)
            try context.spend(on: value, at: number)
            values.append(value)
        }
        if let hostMessage {
            do { return try hostMessage(receiver, values) } catch { throw EvaluationError(host: error, at: number) }
        }
        do {
            if let answer = try answer(of: receiver, values) { return answer }
        } catch {
            // A fault names the receiver as operand 0, the arguments behind it.
            throw EvaluationError(error, operands: [target.number] + arguments.map(\.number), whole: number)
        }
        throw unknownMessage(to: receiver)
    }

    /// What a value answers of itself, nil where it does not understand the message.
    private func answer(of receiver: KeyedValue, _ arguments: [KeyedValue]) throws(Fault) -> KeyedValue? {
        if let message { return try message(receiver, arguments, limits) }
        guard arguments.isEmpty else { return nil }
        if let property, property.isDescription { try ResultLimit.check(descriptionOf: receiver, limits) }
        if let object = receiver.hostReceiver { return object.value(forKey: selector) ?? property?.value(of: receiver) }
        return property?.value(of: receiver) ?? receiver.entries?.value(exactly: selector)
    }

    private func unknownMessage(to receiver: KeyedValue) -> EvaluationError {
        var nearMisses = registry.messageNames(near: selector)
        if arguments.isEmpty {
            nearMisses += NearMiss.candidates(for: selector, among: receiver.propertyNames)
        }
        return EvaluationError(
            .unknownMessage(selector, target: receiver.className, nearMisses: nearMisses), node: number)
    }
}

extension KeyedValue {
    /// The object that a value is, when it is neither data nor a dictionary.
    fileprivate var hostReceiver: (any KeyValueCoding)? {
        guard case .object(let object) = self, !(object is any DictionaryCoding) else { return nil }
        return object
    }

    /// The names that a message without arguments may have.
    fileprivate var propertyNames: [String] {
        hostReceiver?.allKeys ?? (ValueProperty.names(for: self) + (entries.map { Array($0.keys) } ?? []))
    }
}
