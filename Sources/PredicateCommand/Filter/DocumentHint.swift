import PredicateData
import PredicateSyntax

/// Detects a file that is one document around an array of records but was read as one record.
///
/// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}`
struct DocumentHint {
    private var count = 0
    /// The first record.
    private var raw: [UInt8] = []

    /// Notes a record.
    mutating func see(_ record: SourceRecord) {
        count += 1
        if count == 1 { raw = record.raw }
    }

    /// Notes further records.
    mutating func see(_ more: Int) {
        count += more
    }

    /// The keys of the first record, if it is JSON.
    var keys: [String] { members?.keys.sorted() ?? [] }

    private var members: [String: PredicateValue]? {
        if case .dictionary(let members) = try? JSONReader.parse(raw) { members } else { nil }
    }

    /// The hint; nil if there was more than one record, or no array in it.
    var text: String? {
        guard count == 1, let members else { return nil }
        let names = RecordsPath.candidates(in: members)
        guard let name = names.first else { return nil }
        let what = names.count == 1 ? "records" : "array"
        return "this is one record; --path \(RecordsPath.text(of: name)) reads the \(what) in it"
    }
}
