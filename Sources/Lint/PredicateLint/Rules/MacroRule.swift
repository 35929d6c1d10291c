import PredicateSyntax

/// `predicate-macro`: parts of `#Predicate` that compile but fail at run time, or that the macro refuses.
///
/// The host determines what fails. Unless it is configured, it is SwiftData for a class with `@Model`, this library for a type
/// that lists its keys, and memory for other types; for an unknown type, it is SwiftData if the source imports it. In memory,
/// only what the macro itself refuses is reported. For unknown types, only what fails with every type is reported.
enum MacroRule {
    static func findings(_ reader: TextReader, _ types: SourceTypes, _ host: MacroHost?) -> [LintFinding] {
        let tokens = reader.source.tokens
        let (macros, keys) = (MacroScanner.macros(in: tokens), MacroScanner.sortKeys(in: tokens))
        guard !macros.isEmpty || !keys.isEmpty else { return [] }
        let known = reader.needs.ownTypes(reader.source).completed(by: types)
        let usesSwiftData = reader.bytes.firstOffset(of: "import SwiftData") != nil
        let added = { (member: NeededMember) -> SourceProperty? in
            guard known[member.type]?.form == .model else { return nil }
            reader.needs.note(member)
            return reader.members.property(member)
        }
        let ofMacros = macros.flatMap { macro in
            var macro = macro
            if macro.isResult, macro.types.isEmpty { macro.types = resultTypes(at: macro.name.lowerBound, reader) }
            var checker = MacroChecker(
                reader.bytes, macro, known, reader.declarations, host, usesSwiftData: usesSwiftData, added: added)
            checker.check()
            return checker.findings
        }
        return ofMacros + keys.compactMap { sortKey($0.owner, $0.names, known, added, reader.bytes) }
    }

    /// The type `Trip` from the function or property around a macro: `func recent() -> Predicate<Trip> { #Predicate { … } }`
    private static func resultTypes(at offset: Int, _ reader: TextReader) -> [String] {
        guard let name = reader.declarations.function(at: offset) else { return [] }
        let property = reader.declarations.declaration(of: name, at: name.lowerBound + 1, reader.bytes)
        let start = reader.declarations.result(of: name, reader.bytes) ?? property?.typeStart
        guard let type = start.flatMap({ TypeFinder(reader).declared(at: $0) }), type.name == "Predicate" else {
            return []
        }
        return type.parts.map(\.type.name)
    }

    /// `SortDescriptor(\Trip.title)` in a fetch, where the store does not have the property
    private static func sortKey(
        _ owner: String, _ names: [Range<Int>], _ known: SourceTypes,
        _ added: (NeededMember) -> SourceProperty?, _ bytes: Bytes
    ) -> LintFinding? {
        var owner = owner
        for name in names {
            guard let model = known[owner], model.form == .model else { return nil }
            let text = bytes.text(name)
            guard let property = model.properties[text] ?? added(NeededMember(type: owner, name: text)) else {
                return nil
            }
            let failure: MacroFailure? =
                switch property.storage {
                case .computed: .computedMember
                case .transient: .transientMember
                case .variable, .constant: nil
                }
            if let failure {
                return LintFinding(
                    rule: .macro, level: .warning, text: failure.message(text), hints: failure.hints, range: name)
            }
            owner = property.type?.name ?? ""
        }
        return nil
    }
}

/// The program or library that evaluates the predicates of macros.
package enum MacroHost: String, Hashable, Sendable, CaseIterable {
    /// A store of SwiftData
    case swiftData = "swiftdata"
    /// This library, which converts macros to its own predicates
    case library
    /// `Predicate.evaluate`
    case memory
}
