/// A property that holds for every input, checked by a fuzzer and by the replay of what fuzzers found.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Any bytes as a format with arguments.
    case parse = "FuzzParse"
    /// Trees print, read back, and are archived.
    case roundTrip = "FuzzRoundTrip"
    /// All ways to evaluate give one answer, that of the reference.
    case evaluate = "FuzzEvaluate"
    /// SQLite selects what the evaluator does.
    case agreement = "FuzzAgreement"
    /// LIKE and MATCHES against slow obvious matchers.
    case like = "FuzzLike"
    /// Folding and searching against slow obvious forms.
    case fold = "FuzzFold"
    /// Lines of the interactive session, and data files.
    case command = "FuzzCommand"
    /// Property lists, keyed archives of models, the compressed model of a store.
    case archive = "FuzzArchive"
    /// Property lists as the metadata of a store.
    case propertyList = "FuzzPropertyList"
    /// Model files and mapping models in XML.
    case model = "FuzzModel"
    /// Sources of every kind, and what lint finds in them.
    case lint = "FuzzLint"
    /// Messages of an editor, and documents.
    case languageServer = "FuzzLanguageServer"
    /// Stores of Core Data in which bytes were changed.
    case store = "FuzzStore"
    /// Stores of the XML type.
    case xmlStore = "FuzzXMLStore"
    /// Rules of migrations.
    case rules = "FuzzRules"

    /// Bytes that an input has at most.
    package var maximumLength: Int {
        switch self {
        case .parse, .command, .archive, .propertyList, .model, .languageServer, .lint, .xmlStore: 4096
        case .roundTrip, .agreement: 1024
        case .evaluate, .like, .fold, .store, .rules: 512
        }
    }

    /// Throws what does not hold, and what took too long.
    package func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let watch = ProcessorWatch()
        switch self {
        case .parse: try ParseCheck(bytes).run()
        case .roundTrip: try RoundTripCheck(bytes).run()
        case .evaluate:
            try EvaluationCheck(bytes).run()
            try LanguageCheck(bytes).run()
        case .agreement: try AgreementCheck(bytes).run()
        case .like: try PatternCheck(bytes).run()
        case .fold: try FoldCheck(bytes).run()
        case .command: try CommandCheck(bytes).run()
        case .archive: try ModelFileCheck(bytes).runArchive()
        case .propertyList: try ModelFileCheck(bytes).runPropertyList()
        case .model: try ModelFileCheck(bytes).runXML()
        case .lint: try LintCheck(bytes).run()
        case .languageServer: try LanguageServerCheck(bytes).run()
        case .store: try StoreCheck(bytes).run()
        case .xmlStore: try XMLStoreCheck(bytes).run()
        case .rules: try RulesCheck(bytes).run()
        }
        try watch.check()
    }
}

/// A finding of a fuzzer: a property that does not hold, with the values for which it does not.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws a finding unless a condition holds.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
        if !condition { throw FuzzFinding(description()) }
    }

    /// Throws a difference as a finding, where there is one.
    static func none(_ difference: String?, _ what: String) throws(FuzzFinding) {
        if let difference { throw FuzzFinding("\(what): \(difference)") }
    }
}
