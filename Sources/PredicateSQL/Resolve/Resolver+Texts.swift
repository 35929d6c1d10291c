#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax
import PredicateText

extension Resolver {
    /// A side of a text operator; never nil itself.
    func textValue(_ side: Resolved, _ place: Place) throws(Fault) -> Value {
        switch side {
        case .value(let value) where value.kind == .string: return value
        case .constant(.string(let text)):
            return Value(form: try form(text, place), kind: .string, mayBeNil: false)
        case .collection(let collection): throw Fault(.toManyWithoutModifier(collection.name), at: place)
        case .value, .constant, .object, .list, .choice, .combined:
            throw Fault(.expected("a string", found: side.name), at: place)
        }
    }

    /// `name BEGINSWITH "jo"`: nil gives false, and so does an empty piece.
    func text(
        _ side: Resolved, _ relation: SQLTextRelation, _ piece: Resolved, _ mode: FoldMode, _ place: Place,
        _ piecePlace: Place
    ) throws(Fault) -> ConditionForm {
        if side.isNil || piece.isNil { return .never }
        let text = try textValue(side, place)
        if case .constant(.string(let needle)) = piece {
            return try self.text(text, relation, Folding.fold(needle, mode), mode, place)
        }
        let needle = try folded(try textValue(piece, piecePlace).form, mode, piecePlace)
        let found = ConditionForm.text(relation, try folded(text.form, mode, place), .value(needle))
        return .all([try known(found, place), .compareText(needle, .notEqual, form(.text(""), .text))])
    }

    /// A piece that is known and folded; a range of a bare column can use an index.
    private func text(
        _ text: Value, _ relation: SQLTextRelation, _ needle: String, _ mode: FoldMode, _ place: Place
    ) throws(Fault) -> ConditionForm {
        if needle.isEmpty { return .never }
        if relation == .begins, mode == .none, let range = try range(text, from: needle, place) { return range }
        try check(needle, place)
        let isOfBytes = dialect.templates.search(relation, isKnown: true)?.takesOperand(2) ?? false
        let bytes = isOfBytes ? parameter(.blob(needle.bytes), .blob) : nil
        let known = Needle.known(text: parameter(.text(needle), .text), bytes: bytes)
        return try self.known(.text(relation, try folded(text.form, mode, place), known), place)
    }

    /// Refuses what the dialect has no words for.
    private func known(_ condition: ConditionForm, _ place: Place) throws(Fault) -> ConditionForm {
        guard case .text(let relation, _, _) = condition, dialect.templates.search(relation, isKnown: false) != nil
        else {
            throw Fault(.function("a search in texts", dialect: dialect.name), at: place)
        }
        return condition
    }

    /// `name >= "jo" AND name < "jp"`
    private func range(_ text: Value, from prefix: String, _ place: Place) throws(Fault) -> ConditionForm? {
        guard case .column = text.form, dialect.features.contains(.textRanges) else { return nil }
        let lower = ConditionForm.compareText(text.form, .greaterOrEqual, try form(prefix, place))
        guard let end = prefix.codePointSuccessor else { return lower }
        return .all([lower, .compareText(text.form, .less, try form(end, place))])
    }

    /// `name LIKE[c] "jo?n*"`: the shapes that need no pattern are said without one.
    func like(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        if side.isNil || pattern.isNil { return .never }
        let text = try textValue(side, places.left)
        guard case .constant(.string(let pattern)) = pattern else {
            let pattern = try textValue(pattern, places.right)
            return .truth(try call(.like, [text.form, pattern.form, .word(mode.quotedLetters)], "LIKE", places.whole))
        }
        let tokens = SQLLikePattern(pattern, mode)
        switch tokens.shape {
        case .empty: return .never
        case .anything: return .not(.isNull(text.form))
        case .whole(let whole):
            return .compareText(try folded(text.form, mode, places.left), .equal, try form(whole, places.right))
        case .piece(let relation, let piece): return try self.text(text, relation, piece, mode, places.left)
        case .general: return try like(text, pattern, tokens, mode, places)
        }
    }

    private func like(
        _ text: Value, _ pattern: String, _ tokens: SQLLikePattern, _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        if let native = dialect.likePattern(tokens) {
            return .like(try folded(text.form, mode, places.left), try form(native, places.right))
        }
        let arguments = [text.form, try form(pattern, places.right), .word(mode.quotedLetters)]
        let fits = ConditionForm.truth(try call(.like, arguments, "LIKE", places.whole))
        guard mode == .none, case .text(let prefix)? = tokens.tokens.first,
            let range = try range(text, from: prefix, places.right)
        else { return fits }
        return .all([range, fits])
    }

    /// `name MATCHES "j.*n"`
    func matches(
        _ side: Resolved, _ pattern: Resolved, _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        if side.isNil || pattern.isNil { return .never }
        let text = try textValue(side, places.left)
        if case .constant(.string("")) = pattern { return .never }
        let expression = try textValue(pattern, places.right)
        let arguments = [text.form, expression.form, .word(mode.quotedLetters)]
        return .truth(try call(.matches, arguments, "MATCHES", places.whole))
    }

    /// `type UTI-EQUALS "public.png"`: without regard to case; nil gives false.
    func typeEquality(
        _ left: Resolved, _ right: Resolved, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        if left.isNil || right.isNil { return .never }
        _ = (try textValue(left, places.left), try textValue(right, places.right))
        return try equality(left.withoutNil, right.withoutNil, .caseInsensitive, places)
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
