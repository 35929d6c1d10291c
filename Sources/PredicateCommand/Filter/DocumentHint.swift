import PredicateData
import PredicateSyntax

/// Finds out that a file was one document around an array of records, read as one record.
///
/// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}`
struct DocumentHint {
    private var count = 0
    /// The first record.
    private var raw: [UInt8] = []

    /// Takes note of a record.
    mutating func see(_ record: SourceRecord) {
        count += 1
        if count == 1 { raw = record.raw }
    }

    /// Takes note of further records.
    mutating func see(_ more: Int) {
        count += more
    }

    /// The keys of the first record, where it is JSON.
    var keys: [String] { members?.keys.sorted() ?? [] }

    private var members: [String: PredicateValue]? {
        if case .dictionary(let members) = try? JSONReader.parse(raw) { members } else { nil }
    }

    /// What to do about it, nil when there was more than one record or no array in it.
    var text: String? {
        guard count == 1, let members else { return nil }
        let names = members.keys.sorted().filter { !$0.isEmpty && holdsRecords(members[$0]) }
        guard let name = names.first else { return nil }
        let what = names.count == 1 ? "records" : "array"
        return "this is one record; --path \(RecordsPath.text(of: name)) reads the \(what) in it"
    }

    private func holdsRecords(_ value: PredicateValue?) -> Bool {
        guard case .array(let elements) = value, case .dictionary = elements.first else { return false }
        return true
    }
}
