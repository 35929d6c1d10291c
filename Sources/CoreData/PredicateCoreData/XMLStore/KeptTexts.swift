import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The texts of numbers and dates that the value in the column cannot reproduce: `0.50`, decimals of 38 digits, `nan`. They are
/// written again as long as the value is the same.
struct KeptTexts {
    /// The table of the texts, which only the database of an XML store has.
    static let name = "PREDICATES_TEXT"
    static let table: SQLText = "\(name: name)"
    static let creation: SQLText = """
        CREATE TABLE \(table) (Z_TABLE TEXT, Z_PK INTEGER, Z_KEY TEXT, Z_VALUE, Z_TEXT TEXT,
        PRIMARY KEY (Z_TABLE, Z_PK, Z_KEY)) WITHOUT ROWID
        """

    /// The statement that keeps a text. Its values are the table, the key, the name in the file, the value and the text.
    static let keep = SQLFragment(
        "INSERT OR REPLACE INTO \(table) (Z_TABLE, Z_PK, Z_KEY, Z_VALUE, Z_TEXT) VALUES (?1, ?2, ?3, ?4, ?5)")

    /// The statement that drops the text of an older value.
    static func drop(_ table: String, _ key: Int64, _ attribute: String) -> SQLFragment {
        let name = attribute.lowercased()
        return SQLFragment(
            """
            DELETE FROM \(Self.table) WHERE Z_TABLE = \(bind: .text(table)) AND Z_PK = \(bind: .integer(key))
            AND Z_KEY = \(bind: .text(name))
            """)
    }

    private struct Place: Hashable {
        let table: String
        let key: Int64
        let name: String
    }

    private var texts: [Place: (value: SQLBinding, text: String)] = [:]

    init() {}

    /// Reads the texts of an XML store.
    init(_ connection: StoreConnection) throws(CoreDataError) {
        let query: SQLText = "SELECT Z_TABLE, Z_PK, Z_KEY, Z_VALUE, Z_TEXT FROM \(Self.table)"
        let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            guard let table = row[0].string, let key = row[1].number, let name = row[2].string, let text = row[4].string
            else { continue }
            texts[Place(table: table, key: key, name: name)] = (row[3], text)
        }
    }

    static func isKept(_ text: String, _ value: SQLBinding, _ attribute: AttributeDescription) -> Bool {
        guard case .double(let number) = value else { return false }
        // SQLite stores NaN as NULL.
        if number.isNaN { return true }
        let own = attribute.type == .date ? XMLStoreValues.date(number) : XMLStoreValues.number(number)
        return own != text
    }

    /// The text of a value that has not changed.
    func text(_ table: String, _ key: Int64, _ name: String, value: SQLBinding) -> String? {
        guard !texts.isEmpty, let kept = texts[Place(table: table, key: key, name: name)],
            Self.isSame(kept.value, value)
        else { return nil }
        return kept.text
    }

    private static func isSame(_ kept: SQLBinding, _ value: SQLBinding) -> Bool {
        switch (kept, value) {
        case (.integer(let one), .double(let other)), (.double(let other), .integer(let one)): Double(one) == other
        default: kept == value
        }
    }

    /// The texts for the new store of an inferred migration, in which the values may have other keys and names.
    func migrated(_ match: VersionMatch, _ transfers: [KeyMap.EntityTransfer]) -> KeptTexts {
        var new = KeptTexts()
        var names: [String: [(old: String, new: String, transfer: KeyMap.EntityTransfer)]] = [:]
        for transfer in transfers {
            for attribute in match.destination.storedAttributes(of: transfer.destination.name) {
                guard let old = match.sourceAttribute(attribute, of: transfer.destination.name) else { continue }
                names[transfer.source.table, default: []].append(
                    (old.name.lowercased(), attribute.name.lowercased(), transfer))
            }
        }
        for (place, kept) in texts {
            for name in names[place.table] ?? [] where name.old == place.name {
                let transfer = name.transfer
                let key = place.key + transfer.offset
                new.texts[Place(table: transfer.destination.table, key: key, name: name.new)] = kept
            }
        }
        return new
    }
}

extension ObjectWriter {
    /// Keeps the digits of decimal numbers that a double cannot hold, for the file of an XML store. The texts that were
    /// kept for older values are dropped.
    func keepDigits(_ values: [String: PredicateValue], of entity: String, _ keys: [Int64]) throws(CoreDataError) {
        guard store.isXML, let table = store.layout.entities[entity]?.table else { return }
        for attribute in store.model.storedAttributes(of: entity) where attribute.type.keepsText {
            guard let new = values[attribute.name] else { continue }
            for key in keys { try run(KeptTexts.drop(table, key, attribute.name)) }
            guard attribute.type == .decimal, case .decimal(let number) = new else { continue }
            let (text, value) = ("\(number)", SQLBinding.double(number.nearestDouble))
            guard KeptTexts.isKept(text, value, attribute) else { continue }
            for key in keys {
                var row = KeptTexts.keep
                row.bindings = [.text(table), .integer(key), .text(attribute.name.lowercased()), value, .text(text)]
                try run(row)
            }
        }
    }
}

extension AttributeType {
    /// True for the types whose texts may be kept.
    fileprivate var keepsText: Bool {
        self == .date || (isNumber && integerRange == nil)
    }
}

extension SQLObjectID {
    /// The primary key, if it is an integer.
    var integerKey: Int64? { if case .integer(let key) = key { key } else { nil } }
}
