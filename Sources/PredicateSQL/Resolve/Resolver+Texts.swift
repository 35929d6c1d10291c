#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax
import PredicateText

extension Resolver {
    /// A side of a text operator; never nil itself.
    func textValue(_ side: Resolved, _ path: TreePath) throws(Fault) -> Value {
        switch side {
        case .value(let value) where value.kind == .string || value.kind == .any: return value
        case .constant(.string(let text)):
            return Value(form: try form(text, path), kind: .string, mayBeNil: false)
        case .collection(let collection): throw Fault(.toManyWithoutModifier(collection.name), at: path)
        case .value, .constant, .object, .list, .choice, .combined:
            throw Fault(.expected(.string, found: side.name), at: path)
        }
    }

    /// `name BEGINSWITH "jo"`: nil gives false, and so does an empty piece.
    func search(
        in side: Resolved, at path: TreePath, _ search: SQLPiece.Search, for piece: Resolved, at needlePath: TreePath,
        _ mode: FoldMode
    ) throws(Fault) -> ConditionForm {
        if side.isNil || piece.isNil { return .never }
        let (text, isText) = searched(try textValue(side, path))
        if case .constant(.string(let needle)) = piece {
            return try constantSearch(text, search, Folding.fold(needle, mode), mode, isText, path)
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

    /// `predicates2_begins(name, 'jo', 'cd')`: under a fold a function knows where characters end.
    private func call(
        _ function: SQLFunction, _ text: Value, _ needle: ValueForm, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        let arguments = [text.form, needle, .word(mode.quotedLetters)]
        return .truth(try call(function, arguments, "[\(mode.letters)]", path))
    }

    /// A search for a constant, folded needle; a prefix of a column becomes a range, which is sargable.
    private func constantSearch(
        _ text: Value, _ search: SQLPiece.Search, _ needle: String, _ mode: FoldMode, _ isText: ConditionForm,
        _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if needle.isEmpty || beforeNUL(needle) != nil { return .never }
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
        let isOfBytes = dialect.templates.search(search, isConstant: true)?.takesOperand(2) ?? false
        let bytes = isOfBytes ? parameter(.blob(needle.bytes), .blob) : nil
        let constant = Needle.constant(text: parameter(.text(needle), .text), bytes: bytes)
        try requireSearch(search, path)
        return .all([.search(search, text.form, constant), isText])
    }

    /// `starts_with(predicates2_fold_cd(name), 'jo')` beside BEGINSWITH[cd]: what begins with a text has a fold that does, of which the
    /// database may have an index.
    private func beginning(
        _ text: Value, _ search: SQLPiece.Search, _ needle: ValueForm, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> [ConditionForm] {
        guard search == .beginsWith, case .column = text.form, case .parameter(let needle) = needle,
            dialect.features.contains(.indexesFunctions), dialect.templates.search(search, isConstant: true) != nil
        else { return [] }
        let bytes = dialect.templates.search(search, isConstant: true)?.takesOperand(2) == true
        if bytes { return [] }
        return [.search(search, try folded(text.form, mode, path), .constant(text: needle, bytes: nil))]
    }

    /// Throws for a search that the dialect lacks.
    private func requireSearch(_ search: SQLPiece.Search, _ path: TreePath) throws(Fault) {
        guard dialect.templates.search(search, isConstant: false) == nil else { return }
        throw Fault(.function("a search in texts", dialect: dialect.name), at: path)
    }

    /// `name >= "jo" AND name < "jp"`: a range of a bare column, or of a fold that has an index.
    private struct PrefixRange {
        let start: ValueForm
        let conditions: [ConditionForm]
    }

    /// All values between two texts are texts.
    private func range(
        _ text: Value, _ mode: FoldMode, from prefix: String, _ isText: ConditionForm, _ path: TreePath
    ) throws(Fault) -> PrefixRange? {
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

    /// `name LIKE[c] "jo?n*"`: the shapes that amount to a simpler operation are written as that.
    func like(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
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

    /// A pattern that needs LIKE; the literal text that it begins with is a range.
    private func like(
        _ text: Value, _ pattern: String, _ mode: FoldMode, _ isText: ConditionForm, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let parts = LikePattern(pattern, mode)
        if mode == .none, dialect.features.contains(.nativeLike) {
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
        else { return .all([fits, isText]) }
        return .all(range.conditions + [fits])
    }

    /// `name MATCHES "j.*n"`
    func matches(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if side.isNil || pattern.isNil { return .never }
        let (text, isText) = searched(try textValue(side, paths.left))
        if case .constant(.string("")) = pattern { return .never }
        if dialect.templates.call(.matches) == nil, dialect.templates.matches != nil,
            let kind = dialect.base.regularExpressions, case .constant(.string(let pattern)) = pattern
        {
            return .all([.matches(text.form, try expression(pattern, kind, mode, paths.right)), isText])
        }
        let (expression, isExpression) = searched(try textValue(pattern, paths.right))
        let arguments = [text.form, expression.form, .word(mode.quotedLetters)]
        return .all([.truth(try call(.matches, arguments, "MATCHES", paths.whole)), isText, isExpression])
    }

    /// A constant pattern as the database writes it, refused where it is more than a set of texts.
    private func expression(
        _ pattern: String, _ kind: SQLRegularExpressions, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ValueForm {
        guard mode == .none || mode == .caseInsensitive else {
            throw Fault(.function("MATCHES[\(mode.letters)]", dialect: dialect.name), at: path)
        }
        let parts: MatchPattern
        do throws(MatchPattern.Obstacle) {
            parts = try MatchPattern(pattern, ignoringCase: mode == .caseInsensitive)
        } catch {
            throw Fault(.function("MATCHES with \(error.part)", dialect: dialect.name), at: path)
        }
        if kind.backtracks, limits.boundStatements, parts.overlappingRepetitions > 2 {
            throw Fault(excess(.patternSteps), at: path)
        }
        guard let text = kind.text(of: parts) else {
            throw Fault(.function("MATCHES with \(kind.refusedPart)", dialect: dialect.name), at: path)
        }
        return form(.text(text), .text)
    }

    /// `type UTI-EQUALS "public.png"`: without regard to case; nil gives false.
    func typeEquality(
        _ left: Resolved, _ right: Resolved, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if left.isNil || right.isNil { return .never }
        _ = (try textValue(left, paths.left), try textValue(right, paths.right))
        return try equality(left.withoutNil, right.withoutNil, .caseInsensitive, paths)
    }
}

extension FoldMode {
    /// The option letters as a word of SQL.
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

    /// The least text above all that begin with this one; nil when there is none.
    var codePointSuccessor: String? {
        // Most texts end in ASCII, where the next byte is the next code point.
        if let last = utf8.last, last < 0x7F { return raisingLastByte }
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(scalars)
        }
        return nil
    }

    private var raisingLastByte: String {
        var copy = self
        return copy.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { buffer in
                _ = buffer.initialize(from: bytes)
                buffer[bytes.count - 1] += 1
                return bytes.count
            }
        }
    }
}
