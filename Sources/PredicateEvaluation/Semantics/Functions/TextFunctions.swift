import PredicateSyntax
import PredicateText

/// Functions of strings: `uppercase(name)`, `length(name)`. nil gives nil; other values throw `argumentKind`.
enum TextFunctions {
    static let uppercase = function("uppercase:") { .string(CaseMapping.upper.map($0)) }
    static let lowercase = function("lowercase:") { .string(CaseMapping.lower.map($0)) }
    /// The number of UTF-16 code units, as of the key `length`.
    static let length = function("length:") { .integer(Int64($0.utf16.count)) }

    private static func function(
        _ name: String, _ body: @escaping @Sendable (String) -> PredicateValue
    ) -> FunctionBody {
        { (arguments) throws(Fault) in
            let argument = arguments.argument(0)
            if argument.isNull { return .null }
            guard let text = argument.text else {
                throw Fault(.argumentKind(function: name, expected: "a string", found: argument.found), operand: 0)
            }
            return .value(body(text))
        }
    }
}
