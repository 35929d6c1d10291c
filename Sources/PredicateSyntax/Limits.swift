/// The bounds of what the language takes on: past them there is an error, never a crash.
public struct Limits: Hashable, Sendable {
    /// Bytes of a format string.
    public var formatLength: Int
    /// How deep a tree may nest: parentheses, calls, and terms of a chain such as `a + b + c`.
    public var nesting: Int

    /// 1 MiB of format, 200 levels.
    public static let standard = Limits(formatLength: 1 << 20, nesting: 200)

    public init(formatLength: Int, nesting: Int) {
        self.formatLength = formatLength
        self.nesting = nesting
    }
}
