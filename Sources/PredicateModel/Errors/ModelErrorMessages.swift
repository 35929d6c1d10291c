import PredicateSyntax

/// The wording of errors in the files of models.
extension ModelError: CustomStringConvertible {
    /// The title with the place, and the hints, one per line.
    public var description: String {
        let location = place.description
        let title = "error: \(title.printable)" + (location.isEmpty ? "" : " (at \(location))")
        return ([title] + hints.map { "hint: \($0.printable)" }).joined(separator: "\n")
    }

    /// One line that says what was expected.
    public var title: String { code.title }

    /// Cures, each a sentence without a full stop.
    public var hints: [String] { code.hints }
}

extension ModelError.Code {
    var title: String {
        switch self {
        case .noSuchFile: "expected a model: there is no such file"
        case .unreadable(let reason): "expected a file that can be read: \(reason)"
        case .notAModel(let found): "expected a model" + (found.map { ", found \($0)" } ?? "")
        case .bundleBeforeXcode43: "expected the file contents, found a model that Xcode before 4.3 has saved"
        case .noVersions: "expected a version of a model in the bundle, found none"
        case .unknownVersion(let name, _): "expected a version of the bundle, found '\(name)'"
        case .unknownEntity(let name, _): "expected an entity of the model, found '\(name)'"
        case .notXML(let reason): "expected XML: \(reason)"
        case .entityDeclaration: "expected XML without entities of its own, found a declaration of one"
        case .unexpectedElement(let found, let expected): "expected <\(expected)>, found <\(found)>"
        case .missingAttribute(let name, let element): "expected \(name) in <\(element)>"
        case .invalidValue(let value, let attribute, let expected):
            "expected \(expected) for \(attribute), found '\(value)'"
        case .notAPropertyList(let reason): "expected a property list: \(reason)"
        case .notAnArchive(let reason): "expected a keyed archive: \(reason)"
        case .unexpectedClass(let found, let expected): "expected an object of \(expected), found \(found)"
        case .missingKey(let key, let className): "expected \(key) in an object of \(className)"
        case .unsupportedExpression(let name): "expected a predicate or an expression of the language, found \(name)"
        case .corruptCompression: "expected data that DEFLATE has made"
        case .exceeds(let limit, let number): "expected at most \(number) \(limit.unit)"
        }
    }

    var hints: [String] {
        switch self {
        case .bundleBeforeXcode43:
            ["open the model in Xcode 4.3 or later and save it, or read the .mom that is compiled of it"]
        case .unknownVersion(_, let names): names.isEmpty ? [] : ["the versions are \(names.joined(separator: ", "))"]
        case .unknownEntity(_, let names): names.isEmpty ? [] : ["did you mean \(names.joined(separator: ", "))?"]
        case .notAModel:
            ["a model is a .xcdatamodel, .xcdatamodeld, .mom or .momd, or the model that a store keeps"]
        case .exceeds: ["a model that is as large as that can be read with greater ModelLimits"]
        case .unsupportedExpression: ["closures and the classes of an app have no form as text"]
        case .noSuchFile, .unreadable, .noVersions, .notXML, .entityDeclaration, .unexpectedElement, .missingAttribute,
            .invalidValue, .notAPropertyList, .notAnArchive, .unexpectedClass, .missingKey, .corruptCompression:
            []
        }
    }
}
