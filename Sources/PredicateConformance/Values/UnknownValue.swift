/// A value of a host that says nothing of itself: known by reflection, compared by nothing.
///
/// `{"$unknown": "jo"}`
struct UnknownValue {
    let text: String
    /// Nothing reads it before a predicate does.
    lazy var shouted = text.uppercased()
    /// Unknown to reflection.
    var isEmpty: Bool { text.isEmpty }

    init(text: String) {
        self.text = text
    }
}

/// An actor, whose state only it may read.
///
/// `{"$actor": "jo"}`
actor UnknownActor {
    let text: String

    init(text: String) {
        self.text = text
    }
}
