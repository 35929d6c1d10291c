import PredicateEvaluation

/// The objects of a session, which can be passed over any number of times.
///
/// `@unchecked`: one thread uses it.
final class ObjectSource: @unchecked Sendable {
    /// The objects in memory: all of them, or the first ones of a file.
    let table: ObjectTable
    /// The file that has further objects.
    let file: RecordFile?
    private let environment: SessionEnvironment

    init(_ table: ObjectTable, _ file: RecordFile?, _ environment: SessionEnvironment) {
        (self.table, self.file, self.environment) = (table, file, environment)
    }

    /// Passes over all objects. Throws if the user cancels, and for a file that cannot be read or has changed.
    func run(_ pass: ObjectPass, task: String) throws(SessionError) {
        if let file { return try file.run(pass) }
        guard table.run(pass, environment, task) else { throw SessionError("stopped") }
    }
}
