import Foundation
import PredicateAgreement
import PredicateConformance
import PredicateSQL
import PredicateSyntax

/// Rows of one record that are rows of one table, with those that the predicate selects.
struct RecordTable {
    /// A row of the record.
    struct Row {
        let id: String
        let object: PredicateValue
        let isSelected: Bool
    }

    let record: String
    let predicate: FormatPredicate
    let variables: [String: PredicateValue]
    var shape: RecordShape
    var rows: [Row]
    /// A table for one row alone, since its evaluation ends in an error.
    let isSingle: Bool
}

extension RecordTable {
    /// The tables for the rows of records; `count` rows are in none.
    static func tables(
        for evaluations: [ConformanceEvaluation], _ types: RecordTypes
    ) -> (tables: [RecordTable], withoutTable: Int) {
        var (tables, withoutTable) = ([RecordTable](), 0)
        for evaluation in evaluations {
            guard case .predicate(let node) = evaluation.tree, evaluation.limits == .standard else { continue }
            guard let shape = RecordShape(evaluation.object, types) else {
                withoutTable += 1
                continue
            }
            let row = Row(id: evaluation.id, object: evaluation.object, isSelected: evaluation.isTrue)
            if tables.last?.record == evaluation.record, tables[tables.count - 1].take(row, shape, evaluation) {
                continue
            }
            tables.append(
                RecordTable(
                    record: evaluation.record, predicate: FormatPredicate(node), variables: evaluation.variables,
                    shape: shape, rows: [row], isSingle: evaluation.isError))
        }
        // What holds nothing but nil may be a text or a number.
        return (tables.flatMap(\.variants), withoutTable)
    }

    private mutating func take(_ row: Row, _ other: RecordShape, _ evaluation: ConformanceEvaluation) -> Bool {
        guard !isSingle, !evaluation.isError, !other.lacksList(of: shape), !shape.lacksList(of: other),
            let merged = shape.merged(with: other)
        else { return false }
        shape = merged
        rows.append(row)
        return true
    }

    private var variants: [RecordTable] {
        guard shape.hasUnknownTypes else { return [self] }
        return [SQLType.string, .integer].map { type in
            var copy = self
            copy.shape = shape.filled(with: type)
            return copy
        }
    }
}

extension ConformanceEvaluation {
    fileprivate var isTrue: Bool {
        if case .value(.bool(true)) = expectation { true } else { false }
    }

    fileprivate var isError: Bool {
        if case .error = expectation { true } else { false }
    }
}

// MARK: - As a world

extension AgreementWorld {
    /// A world in which each table of a record is an entity `R0`, `R1`, … beside those that its keys lead to.
    init(_ tables: [RecordTable]) {
        var builder = RecordWorldBuilder()
        for (number, table) in tables.enumerated() {
            builder.add(table.shape, named: "R\(number)")
            for (index, row) in table.rows.enumerated() {
                builder.insert(row.object, as: index, table.shape, into: "R\(number)", links: [:])
            }
        }
        self.init(schema: SQLSchema(Array(builder.entities.values)), rows: builder.rows, pairs: [:])
    }
}

/// Entities and their rows, as they are added.
private struct RecordWorldBuilder {
    var entities: [String: SQLEntity] = [:]
    var rows: [String: [AgreementWorld.Row]] = [:]

    mutating func add(_ shape: RecordShape, named name: String, owner: String? = nil) {
        var entity = SQLEntity(name, primaryKey: "number", attributes: [:])
        for (index, (key, type)) in shape.attributes.sorted(by: { $0.key < $1.key }).enumerated() {
            guard let type else { continue }
            entity.attributes[key] = SQLAttribute(type, column: "c\(index)")
        }
        for (index, key) in shape.objects.keys.sorted().enumerated() {
            entity.relationships[key] = .toOne("\(name)o\(index)", column: "o\(index)")
        }
        for (index, key) in shape.lists.keys.sorted().enumerated() {
            entity.relationships[key] = .toMany("\(name)l\(index)", inverseColumn: "owner")
        }
        if let owner { entity.relationships[Self.ownerKey] = .toOne(owner, column: "owner") }
        entities[name] = entity
        rows[name] = []
        for (index, child) in shape.objects.sorted(by: { $0.key < $1.key }).enumerated() {
            add(child.value, named: "\(name)o\(index)")
        }
        for (index, child) in shape.lists.sorted(by: { $0.key < $1.key }).enumerated() {
            add(child.value, named: "\(name)l\(index)", owner: name)
        }
    }

    /// The to-one relationship of elements of a list, which no record knows.
    private static let ownerKey = "owner of the element"

    /// Adds an object as a row with a number, or with the next one.
    @discardableResult
    mutating func insert(
        _ object: PredicateValue, as number: Int? = nil, _ shape: RecordShape, into name: String, links: [String: Int]
    ) -> Int {
        let number = number ?? rows[name]?.count ?? 0
        var row = AgreementWorld.Row(number: number, cells: [:], links: links)
        rows[name]?.append(row)
        guard case .dictionary(let entries) = object else { return number }
        for (key, type) in shape.attributes {
            row.cells[key] = type.flatMap { Cell(storing: entries[key] ?? .null, $0) } ?? .null
        }
        for (index, child) in shape.objects.sorted(by: { $0.key < $1.key }).enumerated() {
            guard let value = entries[child.key], value != .null else { continue }
            row.links[child.key] = insert(value, child.value, into: "\(name)o\(index)", links: [:])
        }
        for (index, child) in shape.lists.sorted(by: { $0.key < $1.key }).enumerated() {
            guard case .array(let elements)? = entries[child.key] else { continue }
            for element in elements {
                insert(element, child.value, into: "\(name)l\(index)", links: [Self.ownerKey: number])
            }
        }
        rows[name]?[number] = row
        return number
    }
}
