import PredicateSyntax

/// An error in the files of a model: a code, and the place where it was found.
///
///     error: expected a whole number for maxCount, found 'many' (at Model.xcdatamodel/contents:14:9)
public struct ModelError: Error, Hashable, Sendable {
    /// The kind of error.
    public var code: Code
    /// Where it was found.
    public var place: ModelPlace

    package init(_ code: Code, at place: ModelPlace = ModelPlace()) {
        self.code = code
        self.place = place
    }

    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// There is nothing at the path.
        case noSuchFile
        /// The file system refuses to read the file.
        case unreadable(String)
        /// The file is of another kind; what it is, where that is known.
        case notAModel(found: String?)
        /// A bundle of Xcode before 4.3, with `elements` and `layout` in place of `contents`.
        case bundleBeforeXcode43
        /// A bundle without any version in it.
        case noVersions
        /// A bundle has no version of this name.
        case unknownVersion(String, available: [String])
        /// The model has no entity of this name.
        case unknownEntity(String, nearMisses: [String])
        /// The text is no XML.
        case notXML(String)
        /// The text declares entities of its own.
        case entityDeclaration
        /// The XML is of another kind.
        case unexpectedElement(String, expected: String)
        /// `<entity syncable="YES">`
        case missingAttribute(String, element: String)
        /// `maxCount="many"`
        case invalidValue(String, attribute: String, expected: String)
        /// The bytes are no property list.
        case notAPropertyList(String)
        /// The property list is no keyed archive.
        case notAnArchive(String)
        /// An object of another class than the one that belongs there.
        case unexpectedClass(String, expected: String)
        /// A key of an archived object that is missing or has a value of another kind.
        case missingKey(String, className: String)
        /// An archived predicate or expression of a kind that the language does not have.
        case unsupportedExpression(String)
        /// Compressed data that cannot be read.
        case corruptCompression
        /// A limit of ``ModelLimits`` that the file exceeds.
        case exceeds(ModelLimits.Limit, limit: Int)
    }
}

/// The place of an error or a finding: a file, a position in it, and the names of what is around.
///
/// `Model.xcdatamodel/contents:14:9`, `Model.mom, object 17`, `entity Item, attribute due`
public struct ModelPlace: Hashable, Sendable {
    /// The path of the file; nil for data.
    public var file: String?
    /// The line of a text, from 1.
    public var line: Int?
    /// The column of a text in bytes, from 1.
    public var column: Int?
    /// The number of the object in a property list or an archive.
    public var object: Int?
    /// The way through the model: `["entity Item", "attribute due"]`
    public var path: [String]

    /// Makes a place.
    public init(
        file: String? = nil, line: Int? = nil, column: Int? = nil, object: Int? = nil, path: [String] = []
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.object = object
        self.path = path
    }
}

extension ModelPlace: CustomStringConvertible {
    public var description: String {
        var position = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        if file == nil, let line { position = "line \(line)" + (column.map { ", column \($0)" } ?? "") }
        let number = object.map { "object \($0)" }
        return ([position.isEmpty ? nil : position, number].compactMap(\.self) + path).joined(separator: ", ").printable
    }
}

extension ModelError {
    /// The error with the file that it was found in.
    package func inFile(_ file: String) -> ModelError {
        var error = self
        if error.place.file == nil { error.place.file = file }
        return error
    }

    /// The error with a step of the way through the model, from the outside.
    package func inside(_ step: String) -> ModelError {
        var error = self
        error.place.path.insert(step, at: 0)
        return error
    }
}
