/// Options for parsing a format string.
public struct FormatOptions: Hashable, Sendable {
    /// The treatment of arguments for which the format has no specifier.
    public enum SurplusArguments: Hashable, Sendable {
        /// Surplus arguments are ignored, as on Apple's platforms. [NSP-035]
        case ignored
        /// Surplus arguments are an error, which finds a `%@` in quotes and an `@K` typed for `%K`.
        case refused
    }

    /// The treatment of arguments for which the format has no specifier.
    public var surplusArguments: SurplusArguments
    /// The limits for a format and its arguments.
    public var limits: PredicateLimits {
        get { customLimits?.limits ?? .standard }
        set { customLimits = newValue == .standard ? nil : CustomLimits(newValue) }
    }

    /// Limits other than the standard ones, boxed: options are stored with every predicate, and most have the standard
    /// limits.
    private var customLimits: CustomLimits?

    private final class CustomLimits: Sendable {
        let limits: PredicateLimits

        init(_ limits: PredicateLimits) {
            self.limits = limits
        }
    }

    /// The options that Apple's parser has: surplus arguments are ignored, and the limits are
    /// ``PredicateLimits/standard``.
    public static let standard = FormatOptions()
    /// Surplus arguments are an error.
    public static let strict = FormatOptions(surplusArguments: .refused)

    /// Options for a parser.
    public init(surplusArguments: SurplusArguments = .ignored, limits: PredicateLimits = .standard) {
        self.surplusArguments = surplusArguments
        self.limits = limits
    }

    @inline(__always)
    func hasLimits(of options: FormatOptions) -> Bool {
        if customLimits == nil, options.customLimits == nil { return true }
        return limits == options.limits
    }

    public static func == (left: FormatOptions, right: FormatOptions) -> Bool {
        left.surplusArguments == right.surplusArguments && left.hasLimits(of: right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(surplusArguments)
        hasher.combine(limits)
    }
}

/// The arguments of a format, drawn from left to right from memory of the caller, without reference counting.
struct ArgumentList {
    private let values: UnsafeBufferPointer<PredicateValue>
    private(set) var drawn = 0

    init(_ values: UnsafeBufferPointer<PredicateValue>) {
        self.values = values
    }

    var count: Int { values.count }

    /// The next argument and its index.
    mutating func next() -> (value: PredicateValue, index: Int)? {
        guard drawn < values.count else { return nil }
        defer { drawn += 1 }
        return (values[drawn], drawn)
    }
}
