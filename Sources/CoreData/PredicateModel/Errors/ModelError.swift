import PredicateSyntax

/// An error in a model file: a code, and the place where it was found.
///
///     error: expected a whole number for maxCount, found 'many' (at Model.xcdatamodel/contents:14:9)
public struct ModelError: Error, Hashable, Sendable {
    /// The kind of error.
    public var code: Code
    /// The place in the file.
    public var place: ModelPlace

    package init(_ code: Code, at place: ModelPlace = ModelPlace()) {
        self.code = code
        self.place = place
    }

    /// The kinds of errors.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// No file exists at the path.
        case noSuchFile
        /// The file cannot be read. The value is the reason that the system gives.
        case unreadable(String)
        /// The file is of another kind, which is named if it is known.
        case notAModel(found: String?)
        /// A model of Xcode before 4.3, a folder with the files `elements` and `layout`.
        case oldModel
        /// A bundle without versions.
        case noVersions
        /// The bundle has no version of this name.
        case unknownVersion(String, available: [String])
        /// The model has no entity of this name.
        case unknownEntity(String, nearMisses: [String])
        /// The file is not XML.
        case notXML(String)
        /// The XML declares entities.
        case entityDeclaration
        /// The XML is of another kind.
        case unexpectedElement(String, expected: String)
        /// `<entity syncable="YES">`
        case missingAttribute(String, element: String)
        /// `maxCount="many"`
        case invalidValue(String, attribute: String, expected: String)
        /// The bytes are not a property list.
        case notAPropertyList(String)
        /// The property list is not a keyed archive.
        case notAnArchive(String)
        /// An object of the wrong class.
        case unexpectedClass(String, expected: String)
        /// A key of an archived object is missing or has a value of the wrong kind.
        case missingKey(String, className: String)
        /// An archived predicate or expression that the language does not have.
        case unsupportedExpression(String)
        /// A part of a model or a mapping model that an archive cannot contain in a known form.
        case notWritable(String)
        /// Two merged models have different parts of one kind and name, such as `entity Item`.
        case conflictingModels(String, differences: [String])
        /// The model has no configuration of this name.
        case unknownConfiguration(String, available: [String])
        /// Compressed data is corrupt.
        case corruptCompression
        /// The file exceeds a limit of ``ModelLimits``.
        case exceeds(ModelLimits.Limit, limit: Int)
    }
}

/// The place of an error or finding: a file, a position in it, and the path of named elements that contain it.
///
/// `Model.xcdatamodel/contents:14:9`, `Model.mom, object 17`, `entity Item, attribute due`
public struct ModelPlace: Hashable, Sendable, Encodable {
    /// The path of the file; nil for data.
    public var file: String?
    /// The line of a text file, from 1.
    public var line: Int?
    /// The column in bytes, from 1.
    public var column: Int?
    /// The number of the object in a property list or an archive.
    package var object: Int?
    /// The path through the model: `["entity Item", "attribute due"]`
    public var path: [String]

    /// Creates a place.
    package init(
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
    /// Returns the error with the name of its file.
    package func inFile(_ file: String) -> ModelError {
        var error = self
        if error.place.file == nil { error.place.file = file }
        return error
    }

    /// Runs work on a file. Its errors have the file.
    static func reading<Outcome>(
        _ file: String, _ work: () throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome {
        do throws(ModelError) { return try work() } catch { throw error.inFile(file) }
    }

    /// Runs work on a part of a model. Its errors have the part as an outer step: `entity Book`
    static func placing<Outcome>(
        _ step: @autoclosure () -> String, _ work: () throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome {
        do throws(ModelError) { return try work() } catch { throw error.inside(step()) }
    }

    /// Returns the error with an outer step of its path through the model.
    package func inside(_ step: String) -> ModelError {
        var error = self
        error.place.path.insert(step, at: 0)
        return error
    }
}

/// Limits for reading models. A file that exceeds one of them gives a ``ModelError``.
///
/// `ModelLimits(fileSize: 1 << 20)`
///
/// The largest known models of apps are files of a few hundred kilobytes.
public struct ModelLimits: Hashable, Sendable {
    /// The maximum size of a file in bytes.
    public var fileSize: Int
    /// The maximum size of decompressed data in bytes.
    public var inflatedSize: Int
    /// The maximum nesting of elements, collections and expressions.
    public var nesting: Int
    /// The maximum number of objects and collection elements of a property list, or of elements and attributes in
    /// XML.
    public var objects: Int

    /// Files of 64 MiB, 100 levels, four million objects.
    public static let standard = ModelLimits()

    /// Creates limits that differ from the standard ones.
    public init(fileSize: Int = 1 << 26, inflatedSize: Int = 1 << 26, nesting: Int = 100, objects: Int = 4_000_000) {
        self.fileSize = fileSize
        self.inflatedSize = inflatedSize
        self.nesting = nesting
        self.objects = objects
    }

    /// The names of the limits, for errors.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Limit: String, Hashable, Sendable, CaseIterable {
        /// The properties of ``ModelLimits`` with the same names.
        case fileSize, inflatedSize, nesting, objects

        var unit: String {
            switch self {
            case .fileSize: "bytes in a file"
            case .inflatedSize: "bytes of decompressed data"
            case .nesting: "levels of nesting"
            case .objects: "objects in a file"
            }
        }
    }
}
