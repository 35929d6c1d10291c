extension EvaluationError {
    /// What a closure or an object of the host threw: the name of the closure, and the thrown error in words.
    ///
    /// `mgl_round(x) == 1` where the registered function throws: `mgl_round`, `OutOfRange(value: 3)`
    public struct HostError: Hashable, Sendable {
        /// The name of the function, message, selector or block; `encode(to:)` for a value that cannot be encoded.
        public let name: String
        /// The thrown error in words.
        public let description: String
        /// The thrown error itself, which does not count for equality.
        package let underlying: (any Error)?

        /// Makes an error of a name and words, as code that throws an ``EvaluationError`` of its own needs it.
        public init(name: String, description: String) {
            self.name = name
            self.description = description
            underlying = nil
        }

        /// Makes an error of what a closure threw, in its own words or in better ones.
        package init(name: String, throwing error: any Error, saying description: String? = nil) {
            self.name = name
            self.description = description ?? String(describing: error)
            underlying = error
        }

        public static func == (left: HostError, right: HostError) -> Bool {
            left.name == right.name && left.description == right.description
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(description)
        }
    }

    /// The error that a closure of the host threw: of a registered function, a block, a value's own `encode(to:)`. Nil for
    /// other codes.
    public var underlyingError: (any Error)? {
        if case .notEncodable(_, let error) = code { return error.underlying }
        return if case .host(let error) = code { error.underlying } else { nil }
    }
}
