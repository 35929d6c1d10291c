import PredicateChecks
import PredicateSyntax

/// `predicate-model` for the elements of XCUITest: a misspelled key in a predicate of an element query.
///
/// `app.buttons.matching(NSPredicate(format: "lable == %@", title))`
///
/// The keys are those of Apple's `XCUIElementAttributes`, `XCUIElement` and `XCUIElementSnapshot`. Other keys are not
/// reported, unless they are close to one of these.
enum ElementRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard let reader = subject.reader, reader.hasElements,
            reader.bytes.isElementQuery(subject.call.name, reader.language),
            case .predicate(let predicate) = subject.parse.outcome
        else { return [] }
        let scope = CheckScope(ElementSchema(), entity: ElementSchema.name)
        let unknown = SourceRanges(subject.unknownText)
        return Checker.findings(in: predicate, open: subject.openParts, scope: scope).compactMap { finding in
            guard finding.code == .unknownKey, let range = finding.range, let hint = finding.hint,
                hint.hasPrefix("did you mean"), !unknown.overlap(range)
            else { return nil }
            var result = subject.finding(.model, finding.message, hints: [hint], at: subject.source(range))
            result.code = finding.code
            return result
        }
    }
}

/// The keys of the elements of a user interface.
private struct ElementSchema: PredicateSchema {
    static let name = "XCUIElement"

    private static let elementKeys: Set<String> = [
        "identifier", "label", "title", "value", "placeholderValue", "elementType", "frame", "enabled", "isEnabled",
        "selected", "isSelected", "hasFocus", "hasKeyboardFocus", "exists", "hittable", "isHittable",
        "horizontalSizeClass", "verticalSizeClass", "children", "debugDescription",
    ]

    var origin: SchemaOrigin { .declared }

    func property(_ key: String, of entity: String) -> SchemaProperty? {
        Self.elementKeys.contains(key) ? SchemaProperty() : nil
    }

    func keys(of entity: String) -> [String] { entity == Self.name ? Self.elementKeys.sorted() : [] }
}

extension Bytes {
    /// True for a predicate in the call of an element query: `matching(…)`, `containing(…)`, `element(matching: …)`,
    /// `elementMatchingPredicate:…`.
    fileprivate func isElementQuery(_ call: Range<Int>, _ language: CodeLanguage) -> Bool {
        if language == .swift {
            let mark = spaceStart(before: call.lowerBound) - 1
            let word = nameBefore(spaceStart(before: mark))
            if self[mark] == UInt8(ascii: "(") { return equals("matching", word) || equals("containing", word) }
            return self[mark] == UInt8(ascii: ":") && equals("matching", word)
        }
        let type = nameBefore(spaceStart(before: call.lowerBound))
        let open = spaceStart(before: type.lowerBound) - 1
        let mark = spaceStart(before: open) - 1
        guard self[open] == UInt8(ascii: "["), self[mark] == UInt8(ascii: ":") else { return false }
        let word = nameBefore(spaceStart(before: mark))
        return equals("matchingPredicate", word) || equals("containingPredicate", word)
            || equals("elementMatchingPredicate", word)
    }

    /// The offset after the last byte before an offset that is not white space.
    private func spaceStart(before offset: Int) -> Int {
        var start = max(offset, 0)
        while start > 0, self[start - 1].isSpace { start -= 1 }
        return start
    }

    /// The name that ends at an offset.
    private func nameBefore(_ end: Int) -> Range<Int> {
        var start = end
        while start > 0, self[start - 1].isName { start -= 1 }
        return start..<end
    }
}
