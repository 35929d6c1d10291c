/// An error as the client that sent the predicate may see it: codes, positions and allowed keys.
///
/// Unlike the full encoding of an error, it contains no values from rows and no hints for the server's author. For `adress.city
/// == "Oslo"` under a policy that lists `address.*`:
///
///     {"code": "refused.key", "place": {"utf8": [0, 11], …}, "replacements": ["address.city"], "keys": ["address.*", "age"]}
public struct PredicateClientError: Error, Hashable, Sendable, Codable {
    /// The name of the error's code (``PredicateDiagnostic/codeName``), or of the finding of a check: `refused.key`,
    /// `kind-mismatch`
    public var code: String
    /// The place in the format that the client sent; nil if the error is not about a part of it.
    public var place: PredicateErrorPlace?
    /// Replacements for the part at the place, best first: an allowed key of similar spelling, or the word in quotes if a
    /// string lacks its quotes.
    public var replacements: [String] = []
    /// If the error is about a key: the keys that the policy lists or, if it lists none, those of its types.
    public var keys: [String] = []

    /// Makes the form of an error that a client may see.
    ///
    /// ```swift
    /// catch let error as any PredicateDiagnostic {
    ///     return PredicateClientError(error, in: filter, policy: policy)
    /// }
    /// ```
    ///
    /// `format` is what the client sent. The place of an error about another text, such as a condition of the server, is
    /// left out.
    public init(_ error: some PredicateDiagnostic, in format: String, policy: PredicatePolicy) {
        code = error.codeName
        guard error.text.utf8.elementsEqual(format.utf8) else { return }
        place = error.place
        guard let refused = error as? PredicateFormatError, case .refused(let refusal) = refused.code else { return }
        switch refusal {
        case .mistake(let mistake):
            (code, replacements) = (mistake.code, mistake.replacements)
            if code == "unknown-key" { keys = policy.listedKeys }
        case .key(let key):
            let spelling = RefusedKey(key: key, error: refused)
            keys = policy.listedKeys
            replacements = spelling.nearKeys(among: keys) + spelling.quoted(policy.limits)
        case .unnamedKey, .allKeys: keys = policy.listedKeys
        case .feature, .function, .name, .castType, .collectionOperator, .variablePattern, .costlyPattern: break
        }
    }
}

extension PredicatePolicy {
    /// The paths that the policy lists or, if it lists none, the keys of its types; in alphabetical order.
    fileprivate var listedKeys: [String] {
        switch keys {
        case .any: types?.keys.sorted() ?? []
        case .only(let paths): paths.sorted()
        }
    }
}

/// A key that a policy refuses, and its spelling in the format.
private struct RefusedKey {
    /// The path from the object: `orders.totl`
    let key: String
    let format: String
    let range: Range<Int>
    /// The key as it is written: `totl` in `SUBQUERY(orders, $o, $o.totl > 1)`
    let written: String

    init(key: String, error: PredicateFormatError) {
        (self.key, format, range) = (key, error.text, error.range)
        let bytes = Array(format.utf8)
        written = String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// Returns the listed keys of similar spelling, written as the refused key is.
    func nearKeys(among paths: [String]) -> [String] {
        guard key.hasSuffix(written) else { return [] }
        let route = key.dropLast(written.count)
        return NearMiss.candidates(for: key, among: paths.map(completed)).compactMap { path in
            path.hasPrefix(route) ? KeyPathExpression(keys: String(path.dropFirst(route.count))).keysFormat : nil
        }
    }

    /// Returns a listed path; for `address.*`, the path with the rest of this key: `address.city` for `adress.city`.
    private func completed(_ path: String) -> String {
        guard path.hasSuffix(".*") else { return path }
        let known = path.dropLast(2)
        let rest = key.split(separator: ".").dropFirst(known.split(separator: ".").count)
        return ([known] + rest).joined(separator: ".")
    }

    /// Returns the word in quotes if it is the right side of a comparison: `"jo"` for `name CONTAINS jo`.
    func quoted(_ limits: PredicateLimits) -> [String] {
        guard !key.contains("."), key == written,
            let predicate = try? FormatPredicate(format, options: FormatOptions(limits: limits)),
            let number = predicate.source?.ranges.firstIndex(of: range),
            case .predicate(let parent)? = TreeNode.predicate(predicate.node).node(number: number + 1)
        else { return [] }
        // The node of the right side comes directly before that of the comparison.
        switch parent {
        case .comparison, .string: return [ExpressionNode.constantValue(.string(key)).expressionFormat]
        case .compound, .constant, .block: return []
        }
    }
}
