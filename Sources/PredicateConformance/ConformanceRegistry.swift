import PredicateEvaluation
import PredicateSyntax

extension EvaluationRegistry {
    /// The standard registry with the additions of the sources of the facts: categories that one test program defines on
    /// Foundation's classes, and the accessor of its own class. They are not part of the language.
    static let conformance: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerMessage("factorial", HelperMessages.factorial)
        registry.registerMessage("pow:", HelperMessages.power)
        registry.registerMessage("uppercase", HelperMessages.uppercase)
        registry.registerMessage("characterStringAtIndex:", HelperMessages.character)
        registry.registerMessage("elementAtIndex:", HelperMessages.element)
        registry.registerMessage("elementForKey:", HelperMessages.entry)
        registry.registerMessage("name", HelperMessages.name)
        return registry
    }()
}

/// The added functions; a target or an argument of the wrong kind is an error of the host.
private enum HelperMessages {
    struct Refusal: Error {}

    /// `FUNCTION(3, "factorial")` is 6.
    static func factorial(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        let limit = try number(target)
        guard (0...20).contains(limit) else { throw Refusal() }
        return .value(.integer(Int64((1...max(limit, 1)).reduce(1, *))))
    }

    /// `FUNCTION(2, "pow:", 3)` is 8.
    static func power(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        let (base, exponent) = (try number(target), try number(argument(arguments)))
        guard (0...64).contains(exponent) else { throw Refusal() }
        var result: Int64 = 1
        for _ in 0..<exponent {
            let (product, overflows) = result.multipliedReportingOverflow(by: Int64(base))
            if overflows { throw Refusal() }
            result = product
        }
        return .value(.integer(result))
    }

    /// `FUNCTION("a", "uppercase")` is "A".
    static func uppercase(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        .value(.string(try text(target).uppercased()))
    }

    /// `FUNCTION("abc", "characterStringAtIndex:", 1)` is "b".
    static func character(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        let (characters, index) = (Array(try text(target)), try number(argument(arguments)))
        guard characters.indices.contains(index) else { throw Refusal() }
        return .value(.string(String(characters[index])))
    }

    /// `FUNCTION({1, 2}, "elementAtIndex:", 0)` is 1.
    static func element(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        let index = try number(argument(arguments))
        guard let elements = target.elements, elements.indices.contains(index) else { throw Refusal() }
        return elements[index]
    }

    /// `FUNCTION(a, "elementForKey:", "key")`
    static func entry(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        guard let entries = target.entries else { throw Refusal() }
        return entries[try text(argument(arguments))] ?? .null
    }

    /// `FUNCTION(a, "name")` of an object with that property.
    static func name(_ target: KeyedValue, _ arguments: [KeyedValue]) throws -> KeyedValue {
        guard let object = target.hostObject as? NamedObject else { throw Refusal() }
        return object.value(forKey: "name") ?? .null
    }

    private static func argument(_ arguments: [KeyedValue]) -> KeyedValue {
        arguments.first ?? .null
    }

    private static func number(_ value: KeyedValue) throws -> Int {
        guard case .value(let value) = value, let number = value.wholeNumber else { throw Refusal() }
        return number
    }

    private static func text(_ value: KeyedValue) throws -> String {
        guard case .value(let value) = value, let text = value.text else { throw Refusal() }
        return text
    }
}
