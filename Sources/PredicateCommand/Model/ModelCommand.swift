import PredicateData
import PredicateModel
import PredicateSyntax

/// `predicate model diff Library.xcdatamodeld`: models and their versions.
struct ModelCommand {
    private let verb: ModelVerb
    private let reader: ArgumentReader<ModelOption>

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<ModelOption>(words, .model)
        let names = ModelVerb.allCases.map(\.rawValue)
        guard let word = reader.positionals.first else {
            throw .usage(UsageError("expected one of \(names.joined(separator: ", "))", in: .model))
        }
        guard let verb = ModelVerb(word: word) else {
            throw .usage(
                UsageError(
                    "expected one of \(names.joined(separator: ", ")), found '\(word)'",
                    hints: UsageError.suggestions(for: word, among: names), in: .model))
        }
        self.verb = verb
        self.reader = reader
        for option in ModelOption.allCases where reader.has(option) && !option.verbs.contains(verb) {
            throw .usage(UsageError("--\(option.declaration.name) is not for \(verb.rawValue)", in: .model))
        }
        let files = reader.positionals.count - 1
        guard files == 1 || (verb == .diff && files == 2) else {
            throw .usage(UsageError("expected \(verb.summary.usage)", in: .model))
        }
    }

    private var paths: [String] { Array(reader.positionals.dropFirst()) }
    private var isJSON: Bool { reader.has(.json) }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        switch verb {
        case .list: return try list(console)
        case .show: return try show(console)
        case .write: return try write(console)
        case .check: return try check(console)
        case .diff:
            return try ModelDiff(
                paths: paths, isAll: reader.has(.all), isJSON: isJSON, mapping: reader.value(of: .mapping)
            ).run(console)
        case .unchanged:
            guard let reference = reader.value(of: .since) else {
                throw .usage(UsageError("expected --since REF", in: .model))
            }
            return try UnchangedVersions(bundle: paths[0], reference: reference, isJSON: isJSON).run(console)
        }
    }

    // MARK: Verbs

    private func list(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if let model = try ModelInput.stored(in: paths[0]) {
            try console.write(row(ModelInput.name(of: paths[0]), isCurrent: true, .success(model)))
            return .success
        }
        let bundle = try ModelInput.bundle(paths[0])
        var status = ExitStatus.success
        for version in bundle.versions {
            let model = Result { () throws(ModelError) in try version.model() }
            if case .failure = model { status = .failure }
            let isCurrent = version.name == bundle.currentVersionName
            try console.write(row(version.name, isCurrent: isCurrent, model, checksum: version.checksum))
        }
        return status
    }

    /// `* Model 2  7 entities`
    private func row(
        _ name: String, isCurrent: Bool, _ model: Result<ManagedObjectModel, ModelError>, checksum: String? = nil
    ) -> String {
        var line = "\(isCurrent ? "* " : "  ")\(name.printable)"
        var members: [String: PredicateValue] = ["name": .string(name), "current": .bool(isCurrent)]
        switch model {
        case .success(let model):
            line += "  \(model.entities.count) entities"
            members["entities"] = .integer(Int64(model.entities.count))
        case .failure(let error):
            line += "  \(error.title.printable)"
            members["error"] = .string(error.title)
        }
        if let checksum {
            line += "  checksum \(checksum.printable)"
            members["checksum"] = .string(checksum)
        }
        return (isJSON ? JSONWriter().text(of: .dictionary(members)) : line) + "\n"
    }

    private func show(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if let mapping = try ModelInput.mapping(paths[0]) {
            try console.write(isJSON ? ModelJSON.text(of: mapping) : ModelText.text(of: mapping))
            return .success
        }
        let model = try ModelInput.model(paths[0], version: reader.value(of: .version))
        if let name = reader.value(of: .entity), model.entity(name) == nil {
            let hints = UsageError.suggestions(for: name, among: model.entities.map(\.name))
            throw .message("\(paths[0]): there is no entity '\(name)'", hints: hints)
        }
        let only = reader.value(of: .entity)
        try console.write(isJSON ? ModelJSON.text(of: model, only: only) : ModelText.text(of: model, only: only))
        return .success
    }

    private func write(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let model = try ModelInput.model(paths[0], version: reader.value(of: .version))
        let document = ModelDocument(model)
        for omission in document.omissions {
            console.report("note: left out, since a model file cannot say it: \(omission.printable)")
        }
        guard let path = reader.value(of: .save) else {
            try console.write(document.text)
            return .success
        }
        try ModelInput.save(document, to: path)
        return .success
    }

    private func check(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let findings = try ModelInput.findings(paths[0])
        for finding in findings {
            try console.write((isJSON ? ModelJSON.text(of: finding) : finding.description) + "\n")
        }
        let counted = reader.has(.strict) ? findings : findings.filter { !$0.isWarning }
        return counted.isEmpty ? .success : .negative
    }
}
