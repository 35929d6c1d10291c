/// The module of the Objective-C runtime.

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// The name of a method.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    public init(_ text: String) {}
    public init(stringLiteral value: String) {}
}
