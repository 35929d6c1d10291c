#if INSTEAD
    import NSPredicates
#else
    import Foundation
#endif
#if BESIDE
    import PredicateFoundation
#endif

// The check that server programs comment out where Foundation has no format strings.
extension String {
    var isEmail: Bool {
        let pattern = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"
        let emailTest = NSPredicate(format: "SELF MATCHES %@", pattern)
        return emailTest.evaluate(with: self)
    }

    func matches(_ regex: String) -> Bool {
        NSPredicate(format: "SELF MATCHES[c] %@", argumentArray: [regex]).evaluate(with: self)
    }
}

struct SignUp: Codable {
    var email: String
    var phone: String?

    /// The first field that is wrong.
    func validate() -> String? {
        guard email.isEmail else { return "email" }
        if let phone, !phone.matches("\\+?[0-9 ]{6,}") { return "phone" }
        return nil
    }
}

public func emailTranscript() -> [String] {
    let forms = [
        SignUp(email: "jo@example.org", phone: nil), SignUp(email: "jo@example", phone: nil),
        SignUp(email: "jo@example.org", phone: "+47 22 33 44"), SignUp(email: "jo@example.org", phone: "call me"),
        SignUp(email: "jö@example.org", phone: nil),
    ]
    return forms.map { $0.validate() ?? "fine" }
}
