import PredicateText

/// The fold table as SQL literals, in which functions look up a code point with two substrings.
///
/// `blocks` has, for each 128 code points, the number of their block in `records`. `records` has the record of each
/// code point, and each record has a row in `decompositions`, `caseFolds` and `kinds`. Record 0 is for code points
/// that do not change.
struct MySQLFoldTable {
    /// A two-byte number for each 128 code points, in `ucs2`.
    let blocks: String
    /// A two-byte number for each code point of a block, in `ucs2`.
    let records: String
    /// Sixteen bytes for each record: up to four code points, padded with zeros.
    let decompositions: String
    /// Twelve bytes for each record: up to three code points, padded with zeros.
    let caseFolds: String
    /// A two-byte number for each record, in `ucs2`.
    let kinds: String
    /// 48 bytes for each record: the folds of its code point alone under `[c]`, `[d]` and `[cd]`, each of up to four
    /// code points, padded with zeros; only zeros if it does not change, and ``far`` if it folds together with its
    /// neighbours.
    let folds: String
    /// Twelve bytes for each composition: a base, a mark, and the composed code point.
    let compositions = Folding.compositions.map { composition in
        Hexadecimal.row([composition.base.value, composition.mark.value, composition.result.value], count: 3)
    }.joined()

    static let whole = MySQLFoldTable()

    private init() {
        var entries = Numbering([Folding.CodePointFold.plain])
        var folds = [Self.folds(of: 0, .plain)]
        let numbers = (0..<Folding.entryLimit).map { value in
            let entry = Folding.entry(of: value)
            let number = entries.number(of: entry)
            if number == folds.count { folds.append(Self.folds(of: value, entry)) }
            return number
        }
        self.folds = folds.joined()
        (blocks, records) = Hexadecimal.table(numbers)
        decompositions = entries.values.map { Hexadecimal.row($0.decomposition, count: 4) }.joined()
        caseFolds = entries.values.map { Hexadecimal.row($0.caseFold, count: 3) }.joined()
        kinds = entries.values.map { Hexadecimal.text(UInt32($0.kind), 4) }.joined()
    }

    /// A marker in ``folds`` for a code point that is a mark, or whose decomposition begins with one. No code point
    /// folds to it.
    static let far: UInt32 = 0xFFFF

    private static func folds(of value: UInt32, _ entry: Folding.CodePointFold) -> String {
        let kinds = entry.decomposition.map { Folding.entry(of: $0).kind }
        let isCharacter = kinds.first ?? 0 == 0 && kinds.dropFirst().allSatisfy { $0 & 1 != 0 }
        return FoldMode.near.map { mode in
            if entry.kind != 0 || !isCharacter { return Hexadecimal.row([far], count: 4) }
            let folded = Folding.fold(Unicode.Scalar(value).map { String($0) } ?? "", mode).unicodeScalars.map(\.value)
            return Hexadecimal.row(folded == [value] ? [] : folded, count: 4)
        }.joined()
    }
}

/// Numbers and bytes as digits of a binary literal.
enum Hexadecimal {
    /// Returns code points in four bytes each, padded with zeros up to a count.
    static func row(_ codePoints: [UInt32], count: Int) -> String {
        (0..<count).map { text($0 < codePoints.count ? codePoints[$0] : 0, 8) }.joined()
    }

    /// Returns the number of the block of each 128 numbers, and the numbers of the distinct blocks, two bytes each.
    static func table(_ numbers: [Int]) -> (blocks: String, records: String) {
        let shared = SharedBlocks(numbers, size: 128)
        func text(_ numbers: [Int]) -> String { numbers.map { Self.text(UInt32($0), 4) }.joined() }
        return (text(shared.numbers), text(shared.elements))
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String { bytes.map { text(UInt32($0), 2) }.joined() }

    static func text(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

/// Values in the order in which they first occurred.
struct Numbering<Value: Hashable> {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    init(_ first: [Value]) {
        for value in first { _ = number(of: value) }
    }

    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

/// Case mapping for MariaDB and MySQL, whose own functions follow the collation: a table in which a function looks up
/// code points.
///
/// `blocks` has, for each 128 code points, the number of their block in `records`. Record 0 is for code points that
/// do not change. Then follow the records of code points that become several letters, in `several`, and of code
/// points to which a number is added, in `sums`.
struct MySQLCaseMapping {
    /// A two-byte number for each 128 code points, in `ucs2`.
    private let blocks: String
    /// A two-byte number for each code point of a block, in `ucs2`.
    private let records: String
    /// Up to three code points for each record, padded with zeros, in `utf32`.
    private let several: String
    /// For each record, the number to add plus ``offset``, as a code point in `utf32`.
    private let sums: String
    private let severalCount: Int

    /// Makes all sums nonnegative.
    private static let offset: Int64 = 0x20000

    init(_ mapping: CaseMapping) {
        let changes = mapping.changes
        var letters = Numbering<[UInt32]>([[]])
        for change in changes where change.to.count > 1 { _ = letters.number(of: change.to.map(\.value)) }
        severalCount = letters.values.count - 1
        var sums = Numbering<Int64>([])
        var numbers: [UInt32: Int] = [:]
        for (from, to) in changes {
            numbers[from.value] =
                to.count > 1
                ? letters.number(of: to.map(\.value))
                : severalCount + 1 + sums.number(of: Int64(to[0].value) - Int64(from.value) + Self.offset)
        }
        (blocks, records) = Hexadecimal.table((0..<CaseMapping.limit).map { numbers[$0] ?? 0 })
        several = letters.values.dropFirst().map { Hexadecimal.row($0, count: 3) }.joined()
        self.sums = sums.values.map { Hexadecimal.text(UInt32($0), 8) }.joined()
    }

    /// `predicates2_upper`
    static let upper = MySQLCaseMapping(.upper)
    /// `predicates2_lower`
    static let lower = MySQLCaseMapping(.lower)

    /// Assigns the mapping of the code point `code` to `part`, which until then holds the code point itself. Each table literal
    /// occurs once.
    var mapPart: String {
        """
        SET record = ORD(SUBSTRING(_ucs2 x'\(records)', \
        128 * ORD(SUBSTRING(_ucs2 x'\(blocks)', code DIV 128 + 1, 1)) + code % 128 + 1, 1));
        IF record > \(severalCount) THEN
        SET part = CHAR(code + ORD(SUBSTRING(_utf32 x'\(sums)', record - \(severalCount), 1)) - \(Self.offset) USING utf32);
        ELSEIF record > 0 THEN
        SET part = TRIM(TRAILING _utf32 x'00000000' FROM SUBSTRING(_utf32 x'\(several)', 3 * record - 2, 3));
        END IF;
        """
    }
}

extension MySQLPrelude {
    /// `predicates2_lower(s)`
    func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping) -> String {
        let table = mapping == .upper ? MySQLCaseMapping.upper : .lower
        return create(
            function.name, "s \(text)", text,
            """
            DECLARE source, run, result LONGTEXT CHARACTER SET utf32 COLLATE utf32_bin DEFAULT '';
            DECLARE part VARCHAR(3) CHARACTER SET utf32;
            DECLARE place, stop, size, code, record INT DEFAULT 0;
            IF s IS NULL THEN RETURN NULL; END IF;
            IF LENGTH(s) = CHAR_LENGTH(s) THEN RETURN \(mapping == .upper ? "UPPER(s)" : "LOWER(s)"); END IF;
            \(mapping == .upper ? "" : finalSigmas)
            SET source = CONVERT(s USING utf32), size = CHAR_LENGTH(s);
            WHILE place < size DO
            SET run = '', stop = LEAST(place + 1024, size);
            WHILE place < stop DO
            SET place = place + 1, part = SUBSTRING(source, place, 1), code = ORD(part);
            IF code BETWEEN 65 AND \(CaseMapping.limit - 1) THEN
            \(table.mapPart)
            END IF;
            SET run = CONCAT(run, part);
            END WHILE;
            SET result = CONCAT(result, run);
            END WHILE;
            RETURN CONVERT(result USING utf8mb4);
            """)
    }

    /// The pattern and the replacement are binary literals, so that no setting affects backslashes.
    private var finalSigmas: String {
        let sigma = Self.literal("\(CaseMapping.sigma)", collation)
        let pattern = Self.literal(Self.sigmaAtEnd, collation)
        let groups = server == .mariaDB ? ("\\1", "\\2") : ("$1", "$2")
        let replacement = Self.literal("\(groups.0)\(CaseMapping.finalSigma)\(groups.1)", collation)
        return "IF LOCATE(\(sigma), s) > 0 THEN SET s = REGEXP_REPLACE(s, \(pattern), \(replacement)); END IF;"
    }

    private static let sigmaAtEnd = SQLRegularExpressions.java.sigmaAtEnd

    static func literal(_ text: String, _ collation: String) -> String {
        "\(literal(text)) COLLATE \(collation)"
    }
}

/// The fold of a string without marks, for MariaDB and MySQL: each code point is looked up once. [NSP-379]
extension MySQLPrelude {
    static let nearName = helperName("near")

    /// `predicates2_near(s, 'cd')`: the folded string, or NULL if a code point folds together with its neighbours.
    ///
    /// The tables are literals instead of variables, which would be initialized for each call.
    var near: String {
        create(
            Self.nearName, "s \(text), letters VARCHAR(2) CHARACTER SET utf8mb4", text,
            """
            DECLARE source, run, result LONGTEXT CHARACTER SET utf32 COLLATE utf32_bin DEFAULT '';
            DECLARE piece, folded VARCHAR(4) CHARACTER SET utf32;
            DECLARE place, stop, size, code, record, mode INT DEFAULT 0;
            IF s IS NULL THEN RETURN NULL; END IF;
            SET source = CONVERT(s USING utf32), size = CHAR_LENGTH(s), mode = FIELD(letters, \(Self.modes));
            WHILE place < size DO
            SET run = '', stop = LEAST(place + 1024, size);
            WHILE place < stop DO
            SET place = place + 1, code = ORD(SUBSTRING(source, place, 1));
            IF code < 65 OR code BETWEEN 91 AND 127 THEN
            SET run = CONCAT(run, SUBSTRING(source, place, 1));
            ELSE
            \(Self.foldPiece)
            SET run = CONCAT(run, piece);
            END IF;
            END WHILE;
            SET result = CONCAT(result, run);
            END WHILE;
            IF LOCATE(CHAR(\(MySQLFoldTable.far) USING utf32), result) > 0 THEN RETURN NULL; END IF;
            RETURN CONVERT(result USING utf8mb4);
            """)
    }

    /// Assigns the fold of the code point `code` to `piece`.
    private static let foldPiece: String = {
        let table = MySQLFoldTable.whole
        return """
            SET piece = SUBSTRING(source, place, 1);
            IF code BETWEEN 44032 AND 55203 THEN
            SET piece = \(syllable);
            ELSEIF code < \(Folding.entryLimit) THEN
            SET record = ORD(SUBSTRING(_ucs2 x'\(table.records)', \
            128 * ORD(SUBSTRING(_ucs2 x'\(table.blocks)', code DIV 128 + 1, 1)) + code % 128 + 1, 1));
            IF record > 0 THEN
            SET folded = TRIM(TRAILING _utf32 x'00000000' FROM \
            SUBSTRING(_utf32 x'\(table.folds)', 12 * record + 4 * mode - 3, 4));
            IF LENGTH(folded) > 0 THEN SET piece = folded; END IF;
            END IF;
            END IF;
            """
    }()

    private static let modes = FoldMode.near.map { "'\($0.letters)'" }.joined(separator: ", ")

    /// The conjoining jamo of a Hangul syllable.
    private static let syllable = """
        CONCAT(CHAR(4352 + (code - 44032) DIV 588 USING utf32), CHAR(4449 + (code - 44032) % 588 DIV 28 USING utf32), \
        IF((code - 44032) % 28 = 0, '', CHAR(4519 + (code - 44032) % 28 USING utf32)))
        """
}

extension FoldMode {
    /// The folds in the order of their columns in ``MySQLFoldTable/folds``.
    static let near: [FoldMode] = [.caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive]
}
