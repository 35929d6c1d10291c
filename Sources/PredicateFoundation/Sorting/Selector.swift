#if !canImport(Darwin)
    /// The name of a method, as code for Apple's platforms writes it: `Selector("caseInsensitiveCompare:")`
    ///
    /// It names a comparison of `NSSortDescriptor(key:ascending:selector:)` or of a predicate; nothing is called by it. `#selector` is
    /// refused by the compiler where there is no Objective-C: write the name.
    public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// `caseInsensitiveCompare:`
        let name: String

        /// Makes a selector of a name: `Selector("compare:")`
        public init(_ name: String) {
            self.name = name
        }

        public init(stringLiteral value: String) {
            self.init(value)
        }

        public var description: String { name }
    }

    /// The name of a selector: `NSStringFromSelector(Selector("compare:"))` is `compare:`
    public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

    /// The selector of a name.
    public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }
#endif
