import PredicateEvaluation
import PredicateSyntax

/// Objects of which a session holds only the first ones: the records of a file, or the rows of a stored table. Each pass reads
/// them in the same order.
protocol ObjectStream: AnyObject {
    /// The number of objects, and the number of the last one; nil if no pass has found them.
    var count: Int? { get }
    var lastNumber: Int? { get }

    /// Passes over all objects. Throws if the user cancels, and if they cannot be read.
    func run(_ pass: ObjectPass) throws(SessionError)

    /// Returns the objects at these positions, by position. The types of columns in `keys` are those of all objects.
    func objects(at indices: Set<Int>, typed keys: Set<String>?) throws(SessionError) -> [Int: KeyedValue]
}

/// The objects of a session, which can be passed over any number of times.
///
/// `@unchecked`: one thread uses it.
final class ObjectSource: @unchecked Sendable {
    /// The objects in memory: all of them, or the first ones.
    let table: ObjectTable
    /// All objects, if there are more than those in memory.
    let stream: (any ObjectStream)?
    private let environment: SessionEnvironment

    init(_ table: ObjectTable, _ stream: (any ObjectStream)?, _ environment: SessionEnvironment) {
        (self.table, self.stream, self.environment) = (table, stream, environment)
    }

    /// Passes over all objects. Throws if the user cancels, and for a file that cannot be read or has changed.
    func run(_ pass: ObjectPass, task: String) throws(SessionError) {
        if let stream { return try stream.run(pass) }
        guard table.run(pass, environment, task) else { throw SessionError("stopped") }
    }
}
