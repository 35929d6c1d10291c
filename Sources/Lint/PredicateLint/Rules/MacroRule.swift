import PredicateSyntax

/// `predicate-macro`: parts of `#Predicate` that compile and then fail, or that the macro refuses.
///
/// The host decides what fails: SwiftData for a class with `@Model`, this library for a type that lists its keys, unless
/// the configuration names the host. A predicate for memory is only checked for what the macro itself refuses. Types that
/// the sources do not declare are only checked for what fails with every type.
enum MacroRule {
    static func findings(_ source: CodeScanner, _ types: SourceTypes, _ host: MacroHost?) -> [LintFinding] {
        let macros = MacroScanner.macros(in: source.tokens)
        guard !macros.isEmpty else { return [] }
        let (bytes, declarations) = (source.bytes, source.declarations)
        let known = SourceTypes(source).resolved().completed(by: types)
        let usesSwiftData = bytes.firstOffset(of: "import SwiftData") != nil
        return macros.flatMap { macro in
            var checker = MacroChecker(bytes, macro, known, declarations, host, usesSwiftData: usesSwiftData)
            checker.check()
            return checker.findings
        }
    }
}

/// What evaluates the predicates of macros.
package enum MacroHost: String, Hashable, Sendable, CaseIterable {
    /// A store of SwiftData
    case swiftData = "swiftdata"
    /// This library, which converts them
    case library
    /// `Predicate.evaluate`
    case memory
}
