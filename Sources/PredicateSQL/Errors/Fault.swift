/// An error inside the compiler: a code and the tree path of the offending node.
///
/// ``SQLCompiler`` turns it into an ``SQLCompilationError`` with the node's number, text and source range.
struct Fault: Error {
    var code: SQLCompilationError.Code
    var path: TreePath

    init(_ code: SQLCompilationError.Code, at path: TreePath) {
        self.code = code
        self.path = path
    }

    /// Creates the error of something that SQL cannot express.
    init(_ obstacle: SQLCompilationError.Obstacle, at path: TreePath) {
        self.init(.notExpressible(obstacle), at: path)
    }
}
