/// Runs the lines of a documented example as they stand there, and keeps what each expression gives: its value, or the
/// error that it throws.
func example(@ExampleBuilder _ lines: () throws -> [Result<Any, any Error>]) throws -> ExampleResults {
    ExampleResults(lines: try lines().filter { !(((try? $0.get()) ?? 0) is Void) })
}

/// What the expressions of an example gave, in order; statements that give nothing are left out.
struct ExampleResults {
    var lines: [Result<Any, any Error>]

    /// The texts of all values and errors.
    var texts: [String] {
        lines.map {
            switch $0 {
            case .success(let value): "\(value)"
            case .failure(let error): "\(error)"
            }
        }
    }
}

@resultBuilder
enum ExampleBuilder {
    static func buildExpression<T>(_ value: @autoclosure () throws -> T) -> [Result<Any, any Error>] {
        do { return [.success(try value())] } catch { return [.failure(error)] }
    }

    static func buildBlock(_ lines: [Result<Any, any Error>]...) -> [Result<Any, any Error>] { lines.flatMap { $0 } }
}
