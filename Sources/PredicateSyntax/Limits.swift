/// The bounds of what the language takes on: past them there is an error, never a crash.
public struct Limits: Hashable, Sendable {
    /// Bytes of a format string.
    public var formatLength: Int
    /// How many levels a tree may have: calls, NOTs, and terms of a chain such as `a + b + c`. A chain of ANDs or ORs
    /// is one level, however long. Brackets in text may nest twice as deeply.
    public var nesting: Int

    /// 1 MiB of format and 100 levels, for which half a MiB of stack is enough in a release build.
    public static let standard = Limits(formatLength: 1 << 20, nesting: 100)

    public init(formatLength: Int, nesting: Int) {
        self.formatLength = formatLength
        self.nesting = nesting
    }
}
