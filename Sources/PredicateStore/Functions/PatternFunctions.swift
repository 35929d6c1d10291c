import PredicateEvaluation
import PredicateSyntax
import PredicateText

/// `predicates_matches(name, pattern, "c")`, `predicates_like(name, pattern, "cd")`: patterns against whole texts.
///
/// The third argument has the option letters, which may be none. The regular expressions are the evaluator's own, with
/// its bound on the work that a pattern may cause; a pattern that is none, or that causes too much, is an error.
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

    private static func body<Compiled>(
        _ patterns: Patterns<Compiled>, _ answer: @escaping (Compiled, String) throws(EvaluationError) -> Bool
    ) -> FunctionBody {
        { call in
            do throws(EvaluationError) {
                let pattern = try patterns.compiled(call.utf8(1), FoldMode(letters: call.utf8(2)))
                call.return(try answer(pattern, call.text(0)))
            } catch {
                // The predicate made of the pattern is none that anybody wrote: its text says nothing.
                call.fail(EvaluationError(error.code, node: error.node))
            }
        }
    }
}

/// The patterns that a function has compiled: the last one, which is the only one in most queries, and some more.
private final class Patterns<Compiled> {
    private struct Key: Hashable {
        let bytes: [UInt8]
        let mode: FoldMode
    }

    private let capacity = 64
    private let compile: (String, FoldMode) throws(EvaluationError) -> Compiled
    private var last: (key: Key, compiled: Compiled)?
    private var store: [Key: Compiled] = [:]

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

    /// A store that is full starts anew: no worse than compiling each time, and quick for a few patterns.
    private func compiled(_ key: Key, _ pattern: String) throws(EvaluationError) -> Compiled {
        if let compiled = store[key] { return compiled }
        let compiled = try compile(pattern, key.mode)
        if store.count >= capacity { store.removeAll(keepingCapacity: true) }
        store[key] = compiled
        return compiled
    }
}

extension FoldMode {
    /// The mode of option letters: `c`, `d`, `cd`, or none.
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
