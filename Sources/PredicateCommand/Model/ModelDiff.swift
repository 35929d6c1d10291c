import PredicateModel
import PredicateSyntax

/// `predicate model diff OLD NEW`: the changes, and whether a migration can be inferred.
struct ModelDiff {
    let paths: [String]
    let isAll: Bool
    let isJSON: Bool
    let mapping: String?

    /// Two versions with their names.
    private typealias Pair = (
        old: (name: String, model: ManagedObjectModel), new: (name: String, model: ManagedObjectModel)
    )

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        var worst = MigrationEffect.Level.nothing
        let pairs = try pairs()
        for pair in pairs {
            let difference = ModelDifference(from: pair.old.model, to: pair.new.model)
            worst = max(worst, try uncovered(difference, pair, console))
            if isJSON {
                try console.write(ModelJSON.text(of: difference, from: pair.old.name, to: pair.new.name) + "\n")
            } else {
                try console.write(Self.text(of: difference, pair.old.name, pair.new.name))
            }
        }
        if pairs.isEmpty { console.report("note: there is one version only, and nothing to compare it with") }
        switch worst {
        case .nothing, .inferable: return .success
        case .dataMayRefuse: return .undecided
        case .needsMapping: return .negative
        }
    }

    /// What is left for inference, where a mapping model does the rest.
    private func uncovered(
        _ difference: ModelDifference, _ pair: Pair, _ console: Console
    ) throws(CommandFailure) -> MigrationEffect.Level {
        guard let path = mapping else { return difference.verdict }
        let resolved: MappingModel
        do throws(ModelError) {
            resolved = try MappingModel(path: path).resolved(from: pair.old.model, to: pair.new.model)
        } catch {
            throw .text(error.description)
        }
        let findings = resolved.check(from: pair.old.model, to: pair.new.model)
        for finding in findings { console.report(finding.description.printable) }
        if findings.contains(where: { !$0.isWarning }) { return .needsMapping }
        let covered = Set(resolved.entityMappings.compactMap(\.destinationEntityName))
        let missing = pair.new.model.entities.filter { !$0.isAbstract && !covered.contains($0.name) }
        let names = missing.filter { pair.old.model.entity($0.name) != nil }.map(\.name)
        if names.isEmpty { return .inferable }
        console.report("note: \(path): no mapping makes \(names.joined(separator: ", "))")
        return difference.verdict
    }

    private func pairs() throws(CommandFailure) -> [Pair] {
        if paths.count == 2 {
            let old = (name: paths[0], model: try ModelInput.model(paths[0]))
            return [(old, (name: paths[1], model: try ModelInput.model(paths[1])))]
        }
        var versions: [(name: String, model: ManagedObjectModel)] = []
        for version in try ModelInput.bundle(paths[0]).versions {
            do throws(ModelError) { versions.append((version.name, try version.model())) } catch {
                throw .text(error.description)
            }
        }
        guard isAll else { return Array(zip(versions, versions.dropFirst())) }
        return versions.indices.flatMap { index in versions[(index + 1)...].map { (versions[index], $0) } }
    }

    // MARK: Text

    private static func text(of difference: ModelDifference, _ old: String, _ new: String) -> String {
        let lines =
            ["\(old) to \(new): \(verdict(difference.verdict))"] + difference.changes.flatMap { Self.lines(of: $0) }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func verdict(_ level: MigrationEffect.Level) -> String {
        switch level {
        case .nothing: "nothing to do"
        case .inferable: "a migration can be inferred"
        case .dataMayRefuse: "a migration can be inferred, but the data may refuse"
        case .needsMapping: "needs a mapping model"
        }
    }

    static func lines(of change: ModelChange) -> [String] {
        let place = [change.entity, change.name].compactMap(\.self).joined(separator: ".")
        var line = "  \(mark(change.effect.level)) \(change.kind.rawValue)" + (place.isEmpty ? "" : " \(place)")
        switch (change.old, change.new) {
        case (let old?, let new?): line += ": \(old) to \(new)"
        case (let old?, nil): line += ": \(old)"
        case (nil, let new?): line += ": \(new)"
        case (nil, nil): break
        }
        switch change.effect {
        case .nothing, .inferable: return [line]
        case .dataMayRefuse(let question):
            let query = question.predicate.map {
                ["      asks: predicate filter '\($0)' STORE --entity \(question.entity)"]
            }
            return [line, "      fails if \(question.reason) (\(question.errorNumber))"] + (query ?? [])
        case .needsMapping(let number, let reason): return [line, "      \(reason) (\(number))"]
        }
    }

    private static func mark(_ level: MigrationEffect.Level) -> String {
        switch level {
        case .nothing: " "
        case .inferable: "+"
        case .dataMayRefuse: "?"
        case .needsMapping: "!"
        }
    }
}
