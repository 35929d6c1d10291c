import Foundation
import PredicateSyntax

/// `now()`
enum DateFunctions {
    /// The time of evaluation, read in each call.
    static let now: FunctionBody = { (_) throws(Fault) in .value(.date(Date())) }
}
