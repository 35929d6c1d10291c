import PredicateEvaluation
import PredicateSyntax

/// The loaded objects by column: made when a second question is asked of the same ones, where that pays.
struct ObjectColumns {
    private(set) var table: ColumnTable?
    private var questions = 0

    /// Notes a question, and makes the columns where it is the second, the objects are many and their values not too
    /// large. A user who breaks that off is answered without.
    mutating func prepare(_ objects: ObjectTable, _ settings: SessionSettings, _ environment: SessionEnvironment) {
        questions += 1
        guard table == nil, questions == 2, objects.count >= settings.columnsFrom,
            objects.estimatedSize <= settings.columnMemory
        else { return }
        table = Self.table(of: objects, environment)
        if table == nil { questions = 1 }
    }

    private static func table(of objects: ObjectTable, _ environment: SessionEnvironment) -> ColumnTable? {
        let builder = ColumnTableBuilder()
        for chunk in objects.chunks {
            if environment.isCancelled() { return nil }
            chunk.append(to: builder)
        }
        return builder.table()
    }
}

extension ObjectTable {
    /// About how many bytes the values take, by those of a few objects.
    fileprivate var estimatedSize: Int {
        let sample = spread(256)
        let size = sample.reduce(0) { $0 + (self[$1].predicateValue?.estimatedSize ?? 0) }
        return sample.isEmpty ? 0 : size * (count / sample.count + 1)
    }
}

extension PredicateValue {
    /// About how many bytes a value takes in a column.
    fileprivate var estimatedSize: Int {
        switch self {
        case .null, .nullObject, .bool, .integer, .double, .date: 8
        case .string(let text): 8 + text.utf8.count
        case .array(let elements), .orderedSet(let elements): elements.reduce(8) { $0 + $1.estimatedSize }
        case .set(let elements): elements.reduce(8) { $0 + $1.estimatedSize }
        case .dictionary(let members): members.values.reduce(8) { $0 + $1.estimatedSize }
        case .data(let data): 64 + data.count
        case .decimal, .uuid, .url, .type, .object, .expression, .predicate: 64
        }
    }
}
