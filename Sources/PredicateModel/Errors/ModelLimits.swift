/// The limits of reading models: past them there is a ``ModelError``, never a crash and never a long wait.
///
/// `ModelLimits(fileSize: 1 << 20)`
///
/// The largest models that apps are known to have are files of some hundred kilobytes.
public struct ModelLimits: Hashable, Sendable {
    /// Bytes of one file.
    public var fileSize: Int
    /// Bytes that compressed data becomes.
    public var inflatedSize: Int
    /// Levels of elements, of collections and of expressions.
    public var nesting: Int
    /// Objects of a property list, elements of its collections, and elements and attributes of XML.
    public var objects: Int

    /// Files of 64 MiB, 100 levels, four million objects.
    public static let standard = ModelLimits()

    /// The standard limits with some changed.
    public init(fileSize: Int = 1 << 26, inflatedSize: Int = 1 << 26, nesting: Int = 100, objects: Int = 4_000_000) {
        self.fileSize = fileSize
        self.inflatedSize = inflatedSize
        self.nesting = nesting
        self.objects = objects
    }

    /// The name of a limit, for errors.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Limit: String, Hashable, Sendable, CaseIterable {
        /// The properties of ``ModelLimits`` of the same names.
        case fileSize, inflatedSize, nesting, objects

        var unit: String {
            switch self {
            case .fileSize: "bytes in a file"
            case .inflatedSize: "bytes of data that was compressed"
            case .nesting: "levels of nesting"
            case .objects: "objects in a file"
            }
        }
    }
}
