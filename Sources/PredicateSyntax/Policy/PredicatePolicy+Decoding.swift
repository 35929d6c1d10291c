extension CodingUserInfoKey {
    /// The key for the ``PredicatePolicy`` that decoded predicates and expressions must pass; without one, ``PredicatePolicy/untrusted``.
    ///
    /// ```swift
    /// decoder.userInfo[.predicatePolicy] = policy                           // what clients may ask
    /// decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted     // archives of the program's own
    /// ```
    public static var predicatePolicy: CodingUserInfoKey {
        // The initializer of the standard library is failable for its protocol only: no text is refused.
        CodingUserInfoKey(rawValue: "PredicateSyntax.PredicatePolicy") ?? .predicatePolicy
    }
}

extension Decoder {
    /// The policy for what is decoded.
    var predicatePolicy: PredicatePolicy { userInfo[.predicatePolicy] as? PredicatePolicy ?? .untrusted }
}
