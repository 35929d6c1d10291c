import Foundation
import PredicateSyntax

/// `now()`
enum DateFunctions {
    /// The time at which it is evaluated, each time anew.
    static let now: FunctionBody = { (_) throws(Fault) in .value(.date(Date())) }
}
