import PredicateModel
import PredicateSyntax

/// `--model FILE --entity NAME` of `predicate check`.
struct ModelWords {
    private let file: String
    private let entity: String

    /// nil where neither is given; each needs the other.
    init?(_ file: String?, entity: String?) throws(CommandFailure) {
        switch (file, entity) {
        case (nil, nil): return nil
        case (let file?, let entity?):
            self.file = file
            self.entity = entity
        case (_?, nil): throw .usage(UsageError("--model needs --entity NAME", in: .check))
        case (nil, _?): throw .usage(UsageError("--entity needs --model FILE", in: .check))
        }
    }

    /// The findings; an argument that is not given may be any value.
    func findings(in format: String, words: [String]) throws(CommandFailure) -> [ModelFinding] {
        let model = try ModelInput.model(file)
        let arguments = words.isEmpty ? Self.anyArguments(of: format) : try ArgumentValue.arguments(words, for: format)
        let predicate: FormatPredicate
        do throws(PredicateFormatError) {
            predicate = try FormatPredicate(format: format, arguments: arguments)
        } catch {
            throw .format(error)
        }
        do throws(ModelError) {
            return try predicate.check(against: model, entity: entity)
        } catch {
            throw .text(error.inFile(file).description)
        }
    }

    /// A value of which nothing is known.
    private struct AnyArgument: Hashable, Sendable {}

    private static func anyArguments(of format: String) -> [PredicateValue] {
        FormatPredicate.specifiers(in: format).map { specifier in
            switch specifier.kind {
            // Every object has this key, and nothing is known of its value.
            case .keyPath: .string("objectID")
            case .value: .object(PredicateObject(AnyArgument()))
            case .text: .string("")
            case .integer, .floatingPoint: .integer(0)
            }
        }
    }
}
