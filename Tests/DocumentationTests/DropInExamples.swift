import Foundation
import PredicateFoundation
import Testing

extension String {
    var isEmail: Bool { NSPredicate(format: "SELF MATCHES %@", "[^@ ]+@[^@ ]+").evaluate(with: self) }
}

struct DropInExamples {
    @Test func besideFoundation() {
        #expect("jo@example.com".isEmail && !"jo".isEmail)
    }
}
