import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let diff = Subcommand(
        "store diff", "Compare the objects of two Core Data stores",
        usage: ["predicate store diff [OPTION...] OLD NEW"],
        options: [
            [
                DiffCommand.entity, DiffCommand.ignored, DiffCommand.keys, DiffCommand.format, DiffCommand.count,
                .allowMissingFiles, .model, .color,
            ]
        ],
        help: [
            .paragraph(
                "Compare two Core Data or SwiftData stores: the objects that were added or removed, and the values that"
                    + " differ, with old and new. Relationships are compared as sets or, if ordered, as sequences; external"
                    + " data by its content. The models may be different versions: what both have is compared, and notes"
                    + " tell the rest."),
            .paragraph(
                "Objects of stores with the same UUID and type are matched by their primary keys; those of other stores by"
                    + " the first uniqueness constraint of the model or, without one, by their primary keys as well, which"
                    + " a note tells. --by names other keys."),
            .options,
            .exitStatus([
                ("0", "the objects are equal"), ("1", "they differ"), ("2", "an error"),
            ]),
            .examples([
                "predicate store diff Monday.sqlite Tuesday.sqlite",
                "predicate store diff old.sqlite new.sqlite --entity Item --by serialNumber --ignore updatedAt",
                "predicate store diff old.sqlite new.sqlite --format jsonl",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try DiffCommand(reader).run(console) }
}

/// `predicate store diff Monday.sqlite Tuesday.sqlite`: prints the objects that differ between two Core Data stores.
struct DiffCommand {
    /// The formats for programs.
    private enum Format: String, CaseIterable {
        case text, json, jsonl
    }

    private let paths: (old: String, new: String)
    private let options: StoreDifference.Options
    private let format: Format
    private let colour: ColourChoice
    private let reader: ArgumentReader
    private var counts: Bool { reader.has(Self.count) }

    static let entity = CommandOption(
        "entity", value: "NAME", help: "Compare only this entity and its subentities; may be repeated")
    static let ignored = CommandOption(
        "ignore", value: "KEY", help: "Do not compare this key, or Entity.key; may be repeated")
    static let keys = CommandOption(
        "by", value: "KEY,...", help: "Match objects by the values of these attributes, in entities that have them")
    static let format = CommandOption(
        "format", "f", value: "FORMAT", .words(["text", "json", "jsonl"]),
        help: "text for people (the default), jsonl with one object per line, or json")
    static let count = CommandOption("count", "c", help: "Print only the numbers of objects")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 2 else { throw reader.failure("expected two stores: OLD NEW") }
        paths = (reader.operands[0], reader.operands[1])
        let entities = reader.values(of: Self.entity)
        let keys = try reader.names(of: Self.keys)
        options = StoreDifference.Options(
            entities: entities.isEmpty ? nil : entities, ignoring: Set(reader.values(of: Self.ignored)),
            by: keys.isEmpty ? nil : keys, allowsMissingData: reader.has(.allowMissingFiles))
        (format, colour) = (try reader.choice(of: Self.format) ?? .text, try ColourChoice(reader))
        self.reader = reader
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let (old, new) = (try open(paths.old), try open(paths.new))
        let difference = try CoreDataFile.reading(paths.old) { () throws(CoreDataError) in
            try StoreDifference(from: old, to: new, options: options)
        }
        if reader.has(.allowMissingFiles) {
            for (path, store) in [(paths.old, old), (paths.new, new)] {
                let missing = try CoreDataFile.reading(path, store.missingData)
                for note in missing.map(\.readingNote) { console.report("note: \(path): \(note)".printable) }
            }
        }
        report(difference, console)
        let output = DifferenceOutput(
            console, Painter(isColoured: console.terminal.isColoured(colour)), isJSON: format != .text)
        try write(difference, to: output)
        return output.counts.total == 0 ? .success : .negative
    }

    private func open(_ path: String) throws(CommandFailure) -> CoreDataStore {
        let models = try reader.value(of: .model).map(CoreDataFile.models) ?? []
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in try CoreDataStore(path, models: models) }
    }

    /// Reports what is not compared, and where objects are matched by keys that might belong to different objects.
    private func report(_ difference: StoreDifference, _ console: Console) {
        for part in difference.uncomparedParts { console.report("note: \(part)".printable) }
        let names = difference.matchings.filter { $0.rule == .primaryKey }.map(\.entity)
        guard !names.isEmpty else { return }
        let (old, new) = difference.types
        let reason =
            old == new ? "different UUIDs" : "the types \(old.rawValue) and \(new.rawValue), with different keys"
        console.report(
            "note: the stores have \(reason), and objects of \(names.joined(separator: ", ")) have no unique keys:"
                .printable + " they are matched by primary key",
            hints: ["--by KEY matches them by the value of a key"])
    }

    private func write(_ difference: StoreDifference, to output: DifferenceOutput) throws(CommandFailure) {
        let objects = try reading { () throws(CoreDataError) in try difference.objects() }
        if format == .json, !counts { try output.write("[") }
        while let object = try reading({ () throws(CoreDataError) in try objects.next() }) {
            let isFirst = output.counts.total == 0
            output.add(object)
            if counts { continue }
            switch format {
            case .text: try output.writeText(object)
            case .jsonl: try output.writeJSON(object, before: "", after: "\n")
            case .json: try output.writeJSON(object, before: isFirst ? "\n" : ",\n", after: "")
            }
        }
        if format == .json, !counts { try output.write(output.counts.total == 0 ? "]\n" : "\n]\n") }
        if counts || format == .text { try output.writeCounts() }
        try output.flush()
    }

    private func reading<Result>(_ body: () throws(CoreDataError) -> Result) throws(CommandFailure) -> Result {
        try CoreDataFile.reading("\(paths.old), \(paths.new)", body)
    }
}
