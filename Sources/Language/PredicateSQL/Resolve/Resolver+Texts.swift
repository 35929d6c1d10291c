import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Resolver {
    /// Returns an operand of a string operator. It is never nil.
    func textValue(_ side: Resolved, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        switch side {
        case .value(let value) where value.kind == .string || value.kind == .any:
            return try value.member.map { (member) throws(CompilationFault) in try text(member, path) } ?? value
        case .constant(.string(let text)):
            return TypedValue(form: try form(text, path), kind: .string, mayBeNil: false)
        case .collection(let collection): throw CompilationFault(.toManyWithoutModifier(collection.name), at: path)
        case .value, .constant, .object, .list, .choice, .combined:
            throw CompilationFault(.expected(.string, found: side.operand), at: path)
        }
    }

    /// `name BEGINSWITH "jo"`: false for nil and for an empty needle.
    func search(
        in side: Resolved, at path: TreePath, _ search: SQLPiece.Search, for piece: Resolved, at needlePath: TreePath,
        _ mode: FoldMode
    ) throws(CompilationFault) -> ConditionForm {
        if side.isNil || piece.isNil { return .never }
        let (text, isText) = searched(try textValue(side, path))
        if case .constant(.string(let needle)) = piece {
            return try constantSearch(text, search, Folding.fold(needle, mode), mode, isText, path)
        }
        if mode != .none, boundsFolds {
            let name = "[\(mode.letters)] with the string of another column"
            throw CompilationFault(.function(name, dialect: dialect.name), at: needlePath)
        }
        let (plain, isNeedle) = searched(try textValue(piece, needlePath))
        let needle = try folded(plain.form, mode, needlePath)
        if let function = SQLFunction(search, mode) {
            return .all([try call(function, text, needle, mode, path), isText, isNeedle])
        }
        let found = ConditionForm.search(search, text.form, .value(needle))
        try requireSearch(search, path)
        return .all([found, .compareText(needle, .notEqual, form(.text(""), .text)), isText, isNeedle])
    }

    /// `predicates2_begins(name, 'jo', 'cd')`: under a fold, a function finds where characters end.
    private func call(
        _ function: SQLFunction, _ text: TypedValue, _ needle: ValueForm, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let arguments = [text.form, needle, .word(mode.quotedLetters)]
        return .truth(try call(function, arguments, "[\(mode.letters)]", path))
    }

    /// A search for a constant, folded needle. A prefix of a column becomes a range, which is sargable.
    private func constantSearch(
        _ text: TypedValue, _ search: SQLPiece.Search, _ needle: String, _ mode: FoldMode, _ isText: ConditionForm,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if needle.isEmpty || beforeNUL(needle) != nil { return .never }
        if mode != .none, boundsFolds, needle.utf8.count > limits.patternLength {
            throw CompilationFault(.exceeds(.patternLength, limit: limits.patternLength), at: path)
        }
        if search == .beginsWith, let range = try range(text, mode, from: needle, isText, path) {
            guard let function = SQLFunction(search, mode) else { return .all(range.conditions) }
            return .all(range.conditions + [try call(function, text, range.start, mode, path)])
        }
        if let function = SQLFunction(search, mode) {
            let needle = try form(needle, path)
            let found = try call(function, text, needle, mode, path)
            return .all(try beginning(text, search, needle, mode, path) + [found, isText])
        }
        try check(needle, path)
        try requireSearch(search, path)
        return .all([self.search(text.form, search, needle), isText])
    }

    private func search(_ text: ValueForm, _ search: SQLPiece.Search, _ needle: String) -> ConditionForm {
        let template = dialect.templates.search(search, isConstant: true)
        if template == nil, dialect.features.contains(.nativeLike) {
            let pattern = search == .endsWith ? LikePattern.ending(needle) : LikePattern.containing(needle)
            return .like(text, form(.text(pattern), .text))
        }
        let isOfBytes = template?.takesOperand(2) ?? false
        let bytes = isOfBytes ? parameter(.blob(needle.bytes), .blob) : nil
        return .search(search, text, .constant(text: parameter(.text(needle), .text), bytes: bytes))
    }

    /// `instr(name, '34') > 0` before LIKE and MATCHES of patterns that contain `34`: the search is faster than the
    /// pattern, and few strings contain both. U+FFFD may stand for invalid bytes of the string.
    private func containing(_ literal: String?, _ text: ValueForm) -> ConditionForm {
        guard let literal, !literal.isEmpty, text.isPlain, !literal.unicodeScalars.contains("\u{FFFD}"),
            dialect.templates.search(.contains, isConstant: true) != nil
        else { return .always }
        return search(text, .contains, literal)
    }

    /// `starts_with(predicates2_fold_cd(name), 'jo')` in addition to BEGINSWITH[cd]: the fold of a string with the
    /// prefix begins with the folded prefix, and the database may have an index on the fold.
    private func beginning(
        _ text: TypedValue, _ search: SQLPiece.Search, _ needle: ValueForm, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> [ConditionForm] {
        guard search == .beginsWith, case .column = text.form, case .parameter(let needle) = needle,
            dialect.features.contains(.indexesFunctions), dialect.templates.search(search, isConstant: true) != nil
        else { return [] }
        let bytes = dialect.templates.search(search, isConstant: true)?.takesOperand(2) == true
        if bytes { return [] }
        return [.search(search, try folded(text.form, mode, path), .constant(text: needle, bytes: nil))]
    }

    /// Throws if the dialect lacks a search.
    private func requireSearch(_ search: SQLPiece.Search, _ path: TreePath) throws(CompilationFault) {
        guard dialect.templates.search(search, isConstant: false) == nil else { return }
        throw CompilationFault(.function("a search in strings", dialect: dialect.name), at: path)
    }

    /// `name >= "jo" AND name < "jp"`: a range of the bare column, or of a fold with an index.
    private struct PrefixRange {
        let start: ValueForm
        let conditions: [ConditionForm]
    }

    /// Every value between two strings is a string.
    private func range(
        _ text: TypedValue, _ mode: FoldMode, from prefix: String, _ isText: ConditionForm, _ path: TreePath
    ) throws(CompilationFault) -> PrefixRange? {
        guard case .column(let column) = text.form, dialect.features.contains(.textRanges),
            mode == .none || column.column.hasIndex(of: mode)
        else { return nil }
        let (value, start) = (try folded(text.form, mode, path), try form(prefix, path))
        var conditions = [ConditionForm.compareText(value, .greaterOrEqual, start)]
        if let end = prefix.codePointSuccessor {
            conditions.append(.compareText(value, .less, try form(end, path)))
            if mode != .none { conditions.append(isText) }
        } else {
            conditions.append(isText)
        }
        if mode == .none, dialect.templates.mayBegin != nil {
            conditions.insert(.mayBegin(value, form(.text(LikePattern.beginning(prefix)), .text)), at: 0)
        }
        return PrefixRange(start: start, conditions: conditions.filter { !$0.isAlways })
    }

    /// `name LIKE[c] "jo?n*"`: patterns that amount to a simpler operation are written as that operation.
    func like(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if side.isNil || pattern.isNil { return .never }
        let (text, isText) = searched(try textValue(side, paths.left))
        guard case .constant(.string(let pattern)) = pattern else {
            let (pattern, isPattern) = searched(try textValue(pattern, paths.right))
            let arguments = [text.form, pattern.form, .word(mode.quotedLetters)]
            return .all([.truth(try call(.like, arguments, "LIKE", paths.whole)), isText, isPattern])
        }
        switch LikePattern(pattern, mode).shape {
        case .constant(let fits): return fits ? .all([.not(.isNull(text.form)), isText]) : .never
        case .match(.equal, let needle):
            let whole = try form(needle.foldedText, paths.right)
            return .all([.compareText(try folded(text.form, mode, paths.left), .equal, whole), isText])
        case .match(let match, let needle):
            guard let search = SQLPiece.Search(match) else { return try like(text, pattern, mode, isText, paths) }
            return try constantSearch(text, search, needle.foldedText, mode, isText, paths.left)
        }
    }

    /// The greatest number of stars for a matcher that recurses for each.
    private static let mostStars = 200

    /// A pattern that needs LIKE. Its literal beginning becomes a range.
    private func like(
        _ text: TypedValue, _ pattern: String, _ mode: FoldMode, _ isText: ConditionForm, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let parts = LikePattern(pattern, mode)
        if mode == .none, dialect.features.contains(.nativeLike) {
            let stars = parts.tokens.count { $0 == .star }
            if let kind = dialect.base.regularExpressions, kind.backtracksInLike, stars > 1 {
                guard stars <= Self.mostStars, let fitting = kind.fitting(parts.tokens, .none) else {
                    throw CompilationFault(.function("LIKE with so many stars", dialect: dialect.name), at: paths.right)
                }
                return .all([.matches(text.form, try form(fitting, paths.right)), isText])
            }
            let fits = ConditionForm.like(text.form, try form(parts.sqlPattern, paths.right))
            guard case .text(let prefix)? = parts.tokens.first, case .column = text.form,
                dialect.templates.mayBegin != nil
            else { return .all([fits, isText]) }
            return .all([.mayBegin(text.form, form(.text(LikePattern.beginning(prefix)), .text)), fits, isText])
        }
        let arguments = [text.form, try form(pattern, paths.right), .word(mode.quotedLetters)]
        let fits = ConditionForm.truth(try call(.like, arguments, "LIKE", paths.whole))
        guard case .text(let prefix)? = parts.tokens.first,
            let range = try range(text, mode, from: prefix, isText, paths.right)
        else { return .all([mode == .none ? containing(parts.longestText, text.form) : .always, fits, isText]) }
        return .all(range.conditions + [fits])
    }

    /// `name MATCHES "j.*n"`
    func matches(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if side.isNil || pattern.isNil { return .never }
        let (text, isText) = searched(try textValue(side, paths.left))
        if case .constant(.string("")) = pattern { return .never }
        if dialect.templates.call[.matches] == nil, dialect.templates.matches != nil,
            let kind = dialect.base.regularExpressions, case .constant(.string(let pattern)) = pattern
        {
            let fits = ConditionForm.matches(text.form, try expression(pattern, kind, mode, paths.right))
            let needed = kind == .pcre2 && mode == .none ? try required(by: pattern, text, isText, paths.right) : []
            return .all(needed + [fits, isText])
        }
        let (expression, isExpression) = searched(try textValue(pattern, paths.right))
        let arguments = [text.form, expression.form, .word(mode.quotedLetters)]
        let fits = ConditionForm.truth(try call(.matches, arguments, "MATCHES", paths.whole))
        guard case .constant(.string(let pattern)) = pattern, mode == .none else {
            return .all([fits, isText, isExpression])
        }
        return .all(try required(by: pattern, text, isText, paths.right) + [fits, isText])
    }

    /// Returns conditions that every string which a regular expression matches satisfies: a prefix, for which there may be an
    /// index, and a contained string, which is faster to search for.
    private func required(
        by pattern: String, _ text: TypedValue, _ isText: ConditionForm, _ path: TreePath
    ) throws(CompilationFault) -> [ConditionForm] {
        let tree = PatternTree(pattern)
        let (literal, prefix) = (tree.requiredText, tree.requiredBeginning)
        guard let prefix, !prefix.unicodeScalars.contains("\u{FFFD}"),
            let range = try range(text, .none, from: prefix, isText, path)
        else { return [containing(literal, text.form)] }
        return range.conditions + (literal == prefix ? [] : [containing(literal, text.form)])
    }

    /// Returns a constant pattern in the database's syntax. Refuses a pattern that does more than describe a set of
    /// strings.
    private func expression(
        _ pattern: String, _ kind: SQLRegularExpressions, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        guard mode == .none || mode == .caseInsensitive else {
            throw CompilationFault(.function("MATCHES[\(mode.letters)]", dialect: dialect.name), at: path)
        }
        let parts: MatchPattern
        do throws(MatchPattern.Refusal) {
            parts = try MatchPattern(pattern, ignoringCase: mode == .caseInsensitive)
        } catch {
            switch error {
            case .malformed:
                throw CompilationFault(.expected(.regularExpression, found: .other("a malformed one")), at: path)
            case .unsupported(let part):
                throw CompilationFault(.function("MATCHES with \(part)", dialect: dialect.name), at: path)
            }
        }
        if kind.backtracks, limits.boundStatements, parts.backtracks(beyond: limits.patternSteps) {
            throw CompilationFault(excess(.patternSteps), at: path)
        }
        guard let text = kind.text(of: parts, steps: limits.boundStatements ? limits.patternSteps : nil) else {
            throw CompilationFault(.function("MATCHES with \(kind.refusedPart)", dialect: dialect.name), at: path)
        }
        return form(.text(text), .text)
    }

    /// `type UTI-EQUALS "public.png"`: ignores case; nil gives false.
    func typeEquality(
        _ left: Resolved, _ right: Resolved, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if left.isNil || right.isNil { return .never }
        _ = (try textValue(left, paths.left), try textValue(right, paths.right))
        return try equality(left.withoutNil, right.withoutNil, .caseInsensitive, paths)
    }
}

extension FoldMode {
    /// The option letters as a SQL literal.
    var quotedLetters: StaticString {
        switch self {
        case .none: "''"
        case .caseInsensitive: "'c'"
        case .diacriticInsensitive: "'d'"
        case .caseAndDiacriticInsensitive: "'cd'"
        }
    }
}

extension String {
    /// The UTF-8.
    var bytes: Data {
        utf8.withContiguousStorageIfAvailable { Data(buffer: $0) } ?? Data(utf8)
    }

    /// The least string above all strings that begin with this one; nil if there is none.
    var codePointSuccessor: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(scalars)
        }
        return nil
    }
}

/// Comparisons of strings with constants under a fold, in databases whose regular expressions are faster than
/// functions.
///
///     name CONTAINS[c] "oh"   t0.`name` REGEXP ? AND (t0.`name` REGEXP ? IS NOT TRUE OR predicates2_contains(t0.`name`, ?, 'c'))
///
/// The first expression matches the needle in any case; it also matches every string with marks. A string in which
/// the second expression finds no mark needs no function. A comparison that an index on the fold can serve has the
/// first expression only:
///
///     name ==[c] "oh"   t0."name" ~ $1 AND predicates2_fold_c(t0."name") = $2
extension Resolver {
    /// Returns the condition with regular expressions before each comparison or search that needs a fold.
    func findingByExpressions(_ condition: ConditionForm, _ mode: FoldMode) -> ConditionForm {
        guard mode != .none, dialect.templates.finds != nil, let kind = dialect.base.regularExpressions else {
            return condition
        }
        return findingByExpressions(condition, mode, kind)
    }

    private func findingByExpressions(
        _ condition: ConditionForm, _ mode: FoldMode, _ kind: SQLRegularExpressions
    ) -> ConditionForm {
        switch condition {
        case .and(let conditions):
            if case .finds? = conditions.first { return condition }
            return .all(conditions.map { findingByExpressions($0, mode, kind) })
        case .or(let conditions): return .any(conditions.map { findingByExpressions($0, mode, kind) })
        case .not(let inner): return findingByExpressions(inner, mode, kind).negated
        case .exists(let scope, let inner): return .exists(scope, findingByExpressions(inner, mode, kind))
        case .compareText(.call(let fold, let arguments), .equal, let needle):
            guard fold.foldMode == mode, let text = arguments.first, let needle = needle.constantText else { break }
            let start = beginning(text, needle, mode)
            return decided(text, kind.finding(nil, [needle], mode), others(beside: kind), condition, start)
        case .isIn(.call(let fold, let arguments), let elements, isText: true):
            let needles = elements.compactMap(\.constantText)
            guard fold.foldMode == mode, let text = arguments.first, needles.count == elements.count else { break }
            return decided(text, kind.finding(nil, needles, mode), others(beside: kind), condition)
        case .truth(.call(let function, let arguments)):
            guard let text = arguments.first, let needle = arguments.dropFirst().first?.constantText else { break }
            return found(text, function, needle, mode, condition, kind)
        case .constant, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .mayContain,
            .matches, .finds,
            .isStored,
            .bound, .isIn, .isInList, .isAmong, .isOnPage, .ifUnknown, .truth:
            break
        }
        return condition
    }

    /// Returns the expression for marks that require the fold; nil if an index may hold the fold, which then decides
    /// for every string.
    private func others(beside kind: SQLRegularExpressions) -> String? {
        dialect.features.contains(.indexesFunctions) ? nil : kind.marks
    }

    private func found(
        _ text: ValueForm, _ function: SQLFunction, _ needle: String, _ mode: FoldMode, _ condition: ConditionForm,
        _ kind: SQLRegularExpressions
    ) -> ConditionForm {
        if function == .like {
            return decided(text, kind.fitting(LikePattern(needle, mode).tokens, mode), kind.marksOrLength, condition)
        }
        guard let search = SQLPiece.Search.allCases.first(where: { SQLFunction($0, mode) == function }) else {
            return condition
        }
        let start = search == .beginsWith ? beginning(text, needle, mode) : .always
        return decided(text, kind.finding(search, [needle], mode), kind.marks, condition, start)
    }

    /// `name LIKE "jo%" OR name LIKE "jO%" OR …` in addition to BEGINSWITH[c] and `==[c]`, under the column's
    /// collation, so that an index of the column can be used. [NSP-443]
    private func beginning(_ text: ValueForm, _ needle: String, _ mode: FoldMode) -> ConditionForm {
        guard mode == .caseInsensitive, case .column = text, dialect.templates.mayBegin != nil else { return .always }
        let spellings = Folding.asciiBeginnings(ofCaseFolded: needle, atMost: 8)
        guard !spellings.isEmpty else { return .always }
        return .any(spellings.map { .mayBegin(text, form(.text(LikePattern.beginning($0)), .text)) })
    }

    /// Combines a condition with regular expressions: the first one finds candidates, and the condition decides about
    /// the candidates that the second one matches, or about all of them if there is no second one.
    ///
    /// Returns the condition alone if there is no first expression, or if the string is more than a column, which
    /// each expression would repeat.
    private func decided(
        _ text: ValueForm, _ pattern: String?, _ others: String?, _ condition: ConditionForm,
        _ beginning: ConditionForm = .always
    ) -> ConditionForm {
        guard text.isPlain, let pattern else { return condition }
        let isFound = finds(text, pattern)
        guard let others else { return .and([isFound, condition]) }
        let isSimple = finds(text, others).negated
        return .all([isFound, beginning, .any([isSimple, condition])])
    }

    private func finds(_ text: ValueForm, _ pattern: String) -> ConditionForm {
        let whole = dialect.templates.namesMarks ? pattern : dialect.base.regularExpressions?.namingNoMarks(pattern)
        return .finds(text, form(.text(whole ?? pattern), .text))
    }
}

extension ValueForm {
    /// The bound string.
    var constantText: String? {
        guard case .parameter(let parameter) = self, case .text(let text) = parameter.binding else { return nil }
        return text
    }
}
