import PredicateEvaluation
import PredicateSyntax

extension EvaluationRegistry {
    /// The standard registry with the functions that the test programs of some facts define on Foundation's classes.
    /// They are not part of the language, and neither are the functions of dates, which hosts can register.
    static let conformance: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerCalendarFunctions()
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

/// The additional functions. They throw for a target or an argument of a wrong kind.
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

    /// `FUNCTION(a, "name")` for an object with that property.
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

/// An object that is not a dictionary. It has a fixed set of keys; other keys are errors.
///
/// `{"$class": "Person", "name": "Lily"}`
struct NamedObject: KeyValueCoding, Hashable, Sendable {
    let className: String
    let properties: [String: PredicateValue]

    func value(forKey key: String) -> KeyedValue? {
        properties[key]?.keyedValue
    }

    var allKeys: [String] { properties.keys.sorted() }
}

/// A value of the host without conformances. Its keys are known by reflection, and it cannot be compared.
///
/// `{"$unknown": "jo"}`
struct UnknownValue {
    let text: String
    /// A lazy property that is not read before a predicate needs it.
    lazy var shouted = text.uppercased()
    /// A computed property, which reflection does not find.
    var isEmpty: Bool { text.isEmpty }

    init(text: String) {
        self.text = text
    }
}

/// An actor, whose state is isolated.
///
/// `{"$actor": "jo"}`
actor UnknownActor {
    let text: String

    init(text: String) {
        self.text = text
    }
}
