import PredicateSyntax

/// The messages with arguments that values understand: pure methods of Foundation's classes, nothing else.
///
/// Those without arguments are properties: see ``ValueProperty``.
enum BuiltInMessages {
    /// The result of a message to a receiver, which is never nil, with one argument for each colon of the selector;
    /// nil if receivers of this kind do not understand it. A fault counts the receiver as operand 0.
    typealias Message =
        @Sendable (_ receiver: KeyedValue, _ arguments: [KeyedValue], _ limits: PredicateLimits) throws(Fault) ->
        KeyedValue?

    static let table: [String: Message] = {
        var table = universal
        for messages in [dates, collections, texts] {
            for (selector, message) in messages { table[selector] = message }
        }
        return table
    }()

    /// Messages that every value understands.
    private static let universal: [String: Message] = [
        "isEqual:": { (receiver, arguments, _) throws(Fault) in
            .value(.bool(isEqual(receiver, arguments.argument(0))))
        },
        "isKindOfClass:": { (receiver, arguments, _) throws(Fault) in
            try result(of: "isKindOfClass:", receiver, arguments)
        },
        "isMemberOfClass:": { (receiver, arguments, _) throws(Fault) in
            try result(of: "isMemberOfClass:", receiver, arguments)
        },
        "compare:": { (receiver, arguments, _) throws(Fault) in
            let order = try Ordering.compare(receiver, arguments.argument(0), .none)
            return .value(.integer(order == .less ? -1 : order == .greater ? 1 : 0))
        },
        "valueForKey:": { (receiver, arguments, limits) throws(Fault) in
            let key = try arguments.argument(0).requiredText(operand: 1)
            return try value(of: [key], in: receiver, limits)
        },
        "valueForKeyPath:": { (receiver, arguments, limits) throws(Fault) in
            let path = try arguments.argument(0).requiredText(operand: 1)
            return try value(of: KeyPathExpression.keys(of: path), in: receiver, limits)
        },
    ]

    /// The result of an operator that is a selector too.
    private static func result(
        of selector: String, _ receiver: KeyedValue, _ arguments: [KeyedValue]
    ) throws(Fault) -> KeyedValue? {
        guard let selector = CustomSelector.builtIn[selector] else { return nil }
        return .value(.bool(try selector(receiver, arguments.argument(0))))
    }

    private static func value(
        of keys: [String], in receiver: KeyedValue, _ limits: PredicateLimits
    ) throws(Fault) -> KeyedValue {
        try faulting { () throws(EvaluationError) in
            try ResolvedKeyPath(components: keys, limits).value(from: receiver)
        }
    }
}
