import PredicateChecks
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

    /// Objects of the entity, as a fetch asks for them.
    func scope() throws(CommandFailure) -> CheckScope {
        let model = try ModelInput.model(file)
        do throws(ModelError) {
            try model.requireEntity(entity)
        } catch {
            throw .text(error.inFile(file).description)
        }
        return CheckScope(ModelSchema([model], isFetch: true), entity: entity)
    }
}
