import PredicateEvaluation
import PredicateSyntax
import PredicateText

/// `predicates_matches(name, pattern, "c")`, `predicates2_like(name, pattern, "cd")`: patterns for whole texts;
/// `predicates2_contains(name, needle, "cd")`: searches for a folded needle.
///
/// The third argument has the option letters and may be empty. Regular expressions are those of the evaluator, with its
/// limit on backtracking; an invalid pattern, or one that exceeds the limit, is an error.
enum PatternFunctions {
    static func matches() -> FunctionBody {
        let patterns = Patterns { (pattern, mode) throws(EvaluationError) in
            let comparison = StringPredicate(
                .evaluatedObject, .matches, .constantValue(.string(pattern)), options: ComparisonOptions(mode))
            return try PredicateEvaluator(FormatPredicate(.string(comparison)))
        }
        return body(patterns) { (evaluator, text) throws(EvaluationError) in
            try evaluator.evaluate(.value(.string(text)))
        }
    }

    static func like() -> FunctionBody {
        let patterns = Patterns { (pattern, mode) throws(EvaluationError) in LikePattern(pattern, mode) }
        return body(patterns) { (pattern, text) throws(EvaluationError) in pattern.matches(text) }
    }

    /// An empty needle is never found.
    static func search(_ match: TextMatch) -> FunctionBody {
        let needles = Patterns { (needle, mode) throws(EvaluationError) in PreparedNeedle(needle, mode) }
        return body(needles) { (needle, text) throws(EvaluationError) in match.holds(text, needle) }
    }

    private static func body<Compiled>(
        _ patterns: Patterns<Compiled>, _ matches: @escaping (Compiled, String) throws(EvaluationError) -> Bool
    ) -> FunctionBody {
        { call in
            do throws(EvaluationError) {
                let pattern = try patterns.compiled(call.utf8(1), FoldMode(letters: call.utf8(2)))
                call.return(try matches(pattern, call.text(0)))
            } catch {
                // The text of the predicate made from the pattern is left out: it is not the text of the caller.
                call.fail(EvaluationError(error.code, node: error.node))
            }
        }
    }
}

/// A cache of compiled patterns: the last one, which is the only one in most queries, and some others.
private final class Patterns<Compiled> {
    private struct Key: Hashable {
        let bytes: [UInt8]
        let mode: FoldMode
    }

    private let capacity = 64
    private let compile: (String, FoldMode) throws(EvaluationError) -> Compiled
    private var last: (key: Key, compiled: Compiled)?
    private var cache: [Key: Compiled] = [:]

    init(_ compile: @escaping (String, FoldMode) throws(EvaluationError) -> Compiled) {
        self.compile = compile
    }

    func compiled(_ bytes: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) throws(EvaluationError) -> Compiled {
        if let last, last.key.mode == mode, last.key.bytes.elementsEqual(bytes) { return last.compiled }
        let key = Key(bytes: Array(bytes), mode: mode)
        let compiled = try compiled(key, String(decoding: bytes, as: UTF8.self))
        last = (key, compiled)
        return compiled
    }

    /// Looks the pattern up or compiles it. A full cache is emptied, which is simple, and fast for a few patterns.
    private func compiled(_ key: Key, _ pattern: String) throws(EvaluationError) -> Compiled {
        if let compiled = cache[key] { return compiled }
        let compiled = try compile(pattern, key.mode)
        if cache.count >= capacity { cache.removeAll(keepingCapacity: true) }
        cache[key] = compiled
        return compiled
    }
}

extension FoldMode {
    /// The mode of option letters: `c`, `d`, `cd`, or an empty text.
    fileprivate init(letters: UnsafeBufferPointer<UInt8>) {
        switch (letters.contains(UInt8(ascii: "c")), letters.contains(UInt8(ascii: "d"))) {
        case (false, false): self = .none
        case (true, false): self = .caseInsensitive
        case (false, true): self = .diacriticInsensitive
        case (true, true): self = .caseAndDiacriticInsensitive
        }
    }
}

extension ComparisonOptions {
    fileprivate init(_ mode: FoldMode) {
        switch mode {
        case .none: self = []
        case .caseInsensitive: self = .caseInsensitive
        case .diacriticInsensitive: self = .diacriticInsensitive
        case .caseAndDiacriticInsensitive: self = [.caseInsensitive, .diacriticInsensitive]
        }
    }
}
