public import PredicateSyntax

/// The wording of errors in model files.
extension ModelError: PredicateDiagnostic {
    /// An empty string: the error is about a file. ``place`` is its position there.
    public var text: String { "" }

    /// An empty range.
    public var range: Range<Int> { 0..<0 }

    /// Nil: the title is sufficient.
    public var label: String? { nil }

    /// The title with the place, and the hints, one per line.
    public var description: String {
        let location = place.description
        let title = "error: \(title.printable)" + (location.isEmpty ? "" : " (at \(location))")
        return ([title] + hints.map { "hint: \($0.printable)" }).joined(separator: "\n")
    }

    /// A one-line description of the error.
    public var title: String { code.title }

    /// Suggestions, each a sentence without a full stop.
    public var hints: [String] { code.hints }
}

extension ModelError.Code {
    var title: String {
        switch self {
        case .noSuchFile: "the file does not exist"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .notAModel(let found): found.map { "expected a model, found \($0)" } ?? "this is not a model"
        case .oldModel: "the model is of Xcode before 4.3, whose format cannot be read"
        case .noVersions: "the bundle has no versions"
        case .unknownVersion(let name, _):
            name.isEmpty ? "the bundle does not name its current version" : "the bundle has no version '\(name)'"
        case .unknownEntity(let name, _): "the model has no entity '\(name)'"
        case .notXML(let reason): "invalid XML: \(reason)"
        case .entityDeclaration: "the XML declares entities, which is not supported"
        case .unexpectedElement(let found, let expected): "expected <\(expected)>, found <\(found)>"
        case .missingAttribute(let name, let element): "<\(element)> has no attribute \(name)"
        case .invalidValue(let value, let attribute, let expected):
            "expected \(expected) for \(attribute), found '\(value)'"
        case .notAPropertyList(let reason): "invalid property list: \(reason)"
        case .notAnArchive(let reason): "invalid keyed archive: \(reason)"
        case .unexpectedClass(let found, let expected): "expected an object of \(expected), found \(found)"
        case .missingKey(let key, let className): "\(key) is missing or invalid in an object of \(className)"
        case .unsupportedExpression(let name): "the language cannot express \(name)"
        case .notWritable(let part): "an archive of known form cannot contain \(part)"
        case .conflictingModels(let part, let differences):
            "the models have different versions of \(part)"
                + (differences.isEmpty ? "" : ": \(differences.joined(separator: "; "))")
        case .unknownConfiguration(let name, _): "the model has no configuration '\(name)'"
        case .corruptCompression: "the compressed data is corrupt"
        case .exceeds(let limit, let number): "more than \(number) \(limit.unit)"
        }
    }

    var hints: [String] {
        switch self {
        case .unknownVersion(_, let names): names.isEmpty ? [] : ["the versions are \(names.joined(separator: ", "))"]
        case .unknownEntity(_, let names): names.isEmpty ? [] : ["did you mean \(names.joined(separator: ", "))?"]
        case .notAModel:
            ["a model is a .xcdatamodel, .xcdatamodeld, .mom or .momd, or the model that a store contains"]
        case .oldModel: ["open it in a later Xcode, which converts it, and save it"]
        case .exceeds: ["pass larger ModelLimits to read such a large model"]
        case .unsupportedExpression: ["closures and classes of an app cannot be written as a format"]
        case .notWritable: ["change this part of the model, or keep the model as an .xcdatamodel"]
        case .conflictingModels: ["merge versions of the models in which it is the same"]
        case .unknownConfiguration(_, let names):
            [
                names.isEmpty
                    ? "the model has no configurations" : "the configurations are \(names.joined(separator: ", "))"
            ]
        case .noSuchFile, .unreadable, .noVersions, .notXML, .entityDeclaration, .unexpectedElement, .missingAttribute,
            .invalidValue, .notAPropertyList, .notAnArchive, .unexpectedClass, .missingKey, .corruptCompression:
            []
        }
    }
}

extension ModelError {
    private enum EncodedKey: String, CodingKey {
        case code, title, place, hints
    }

    /// Encodes the error for a client:
    ///
    ///     {"code": "noVersions", "title": "…", "place": {"file": "Library.momd", "path": []}, "hints": []}
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EncodedKey.self)
        try container.encode(codeName, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(place, forKey: .place)
        try container.encode(hints, forKey: .hints)
    }
}
