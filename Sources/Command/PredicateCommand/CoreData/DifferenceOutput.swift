import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateSession
import PredicateSyntax

/// Writes the objects that differ between two stores: as text for people, or as JSON.
final class DifferenceOutput {
    private var output: ByteOutput
    private let painter: Painter
    private let isJSON: Bool
    /// The numbers of objects by entity, in order of appearance.
    private var entities: [(name: String, counts: ObjectDifferenceCounts)] = []
    private(set) var counts = ObjectDifferenceCounts()

    init(_ console: Console, _ painter: Painter, isJSON: Bool) {
        (output, self.painter, self.isJSON) = (ByteOutput(console.output), painter, isJSON)
    }

    /// Counts an object.
    func add(_ object: ObjectDifference) {
        counts.add(object.kind)
        if entities.last?.name != object.entity { entities.append((object.entity, ObjectDifferenceCounts())) }
        entities[entities.count - 1].counts.add(object.kind)
    }

    func write(_ text: String) throws(CommandFailure) {
        output.bytes += Array(text.utf8)
        try CommandFailure.output { () throws(DataError) in try output.flushIfFull() }
    }

    func flush() throws(CommandFailure) {
        try CommandFailure.output { () throws(DataError) in try output.flush() }
    }

    // MARK: - Text

    /// `~ Item x-coredata://…/Item/p7`, then a line for each value that differs.
    func writeText(_ object: ObjectDifference) throws(CommandFailure) {
        let uri = (object.new ?? object.old).map { "\($0)" } ?? ""
        var head = "\(Self.mark(object.kind)) \(object.entity) \(uri)"
        if let old = object.old, let new = object.new, old != new { head += " (was \(old))" }
        var text = painter.paint(head.printable, Self.role(object.kind)) + "\n"
        for property in object.properties { text += line(property, object.kind) + "\n" }
        try write(text)
    }

    private func line(_ property: PropertyDifference, _ kind: ObjectDifference.Kind) -> String {
        let key = "    \(property.key.printable): "
        switch property {
        case .value(_, let old, let new):
            return key + values(Self.text(of: old), Self.text(of: new), kind)
        case .toOne(_, let old, let new):
            return key + values(old.map { "\($0)" } ?? "nil", new.map { "\($0)" } ?? "nil", kind)
        case .toMany(_, let removed, let added):
            let old = removed.map { painter.paint("-\($0)".printable, .bad) }
            let new = added.map { painter.paint("+\($0)".printable, .good) }
            return key + (old + new).joined(separator: " ")
        case .order(_, let old, let new): return key + values(Self.list(old), Self.list(new), kind)
        }
    }

    /// `"jo" -> "Jo"`; if only one store has the object, the value alone.
    private func values(_ old: String, _ new: String, _ kind: ObjectDifference.Kind) -> String {
        switch kind {
        case .added: new.printable
        case .removed: old.printable
        case .changed: "\(painter.paint(old.printable, .bad)) -> \(painter.paint(new.printable, .good))"
        }
    }

    private static func list(_ uris: [ObjectURI]) -> String {
        "[" + uris.map { "\($0)" }.joined(separator: ", ") + "]"
    }

    /// A value as written in a format; for long data, only its size.
    private static func text(of value: PredicateValue) -> String {
        if case .data(let data) = value, data.count > 32 { return "\(data.count) bytes" }
        return ValueText.literal(.value(value), in: nil)
    }

    private static func mark(_ kind: ObjectDifference.Kind) -> String {
        switch kind {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }

    private static func role(_ kind: ObjectDifference.Kind) -> Painter.Role {
        switch kind {
        case .added: .good
        case .removed: .bad
        case .changed: .heading
        }
    }

    // MARK: - JSON

    func writeJSON(_ object: ObjectDifference, before: String, after: String) throws(CommandFailure) {
        var members: [String: PredicateValue] = [
            "change": .string(object.kind.rawValue), "entity": .string(object.entity),
            "properties": .dictionary(
                Dictionary(object.properties.map { ($0.key, Self.json($0)) }, uniquingKeysWith: { first, _ in first })),
        ]
        if let old = object.old { members["old"] = .string("\(old)") }
        if let new = object.new { members["new"] = .string("\(new)") }
        try write(before + JSONWriter().text(of: .dictionary(members)) + after)
    }

    private static func json(_ property: PropertyDifference) -> PredicateValue {
        switch property {
        case .value(_, let old, let new): .dictionary(["old": old, "new": new])
        case .toOne(_, let old, let new): .dictionary(["old": json(old), "new": json(new)])
        case .toMany(_, let removed, let added): .dictionary(["removed": json(removed), "added": json(added)])
        case .order(_, let old, let new): .dictionary(["old": json(old), "new": json(new)])
        }
    }

    private static func json(_ uri: ObjectURI?) -> PredicateValue { uri.map { .string("\($0)") } ?? .null }

    private static func json(_ uris: [ObjectURI]) -> PredicateValue { .array(uris.map { .string("\($0)") }) }

    // MARK: - Counts

    /// `Item: 2 added, 1 removed, 3 changed`
    func writeCounts() throws(CommandFailure) {
        for (name, counts) in entities where !isJSON {
            let words = [(counts.added, "added"), (counts.removed, "removed"), (counts.changed, "changed")]
            let list = words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            try write("\(name.printable): \(list)\n")
        }
        guard isJSON else { return }
        let all = entities.map { name, counts -> PredicateValue in
            .dictionary([
                "entity": .string(name), "added": .integer(Int64(counts.added)),
                "removed": .integer(Int64(counts.removed)), "changed": .integer(Int64(counts.changed)),
            ])
        }
        for line in all { try write(JSONWriter().text(of: line) + "\n") }
    }
}
