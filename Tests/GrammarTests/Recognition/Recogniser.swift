/// The input of rules: characters, or the tokens made of them.
protocol RecogniserInput {
    var count: Int { get }
    /// The end of a terminal at a position; nil if it does not match there.
    func end(ofTerminal number: Int, at place: Int) -> Int?
    func matches(_ set: CharacterSet, at place: Int) -> Bool
    func isAdjacent(at place: Int) -> Bool
    /// The end of a production that the input matches itself; nil if the rules are needed.
    func ends(ofProduction number: Int, at place: Int) -> [Int]?
}

/// Finds every position where a production that begins at a position can end: all parses at once, memoized.
///
/// A class, so that what is known is never copied.
final class Recogniser<Input: RecogniserInput> {
    private let rules: [Rule]
    private let input: Input
    private var known: [[Int]?]

    init(_ rules: [Rule], _ input: Input) {
        self.rules = rules
        self.input = input
        known = Array(repeating: nil, count: rules.count * (input.count + 1))
    }

    func ends(ofProduction number: Int, at place: Int) -> [Int] {
        let index = number * (input.count + 1) + place
        if let ends = known[index] { return ends }
        let ends = input.ends(ofProduction: number, at: place) ?? self.ends(rules[number], at: place)
        known[index] = ends
        return ends
    }

    private func ends(_ rule: Rule, at place: Int) -> [Int] {
        switch rule {
        case .sequence(let parts): return ends(ofSequence: parts, at: place)
        case .choice(let alternatives):
            var found: [Int] = []
            for alternative in alternatives where input.matches(alternative.first, at: place) {
                merge(ends(alternative.rule, at: place), into: &found)
            }
            return found
        case .optional(let part):
            var found = [place]
            merge(ends(part, at: place), into: &found)
            return found
        case .repetition(let part): return ends(ofRepeated: part, at: place)
        case .exception(let part, let excluded):
            let found = ends(part, at: place)
            let unwanted = found.isEmpty ? [] : ends(excluded, at: place)
            return unwanted.isEmpty ? found : found.filter { !unwanted.contains($0) }
        case .terminal(let number): return input.end(ofTerminal: number, at: place).map { [$0] } ?? []
        case .reference(let number): return ends(ofProduction: number, at: place)
        case .character(let set): return place < input.count && input.matches(set, at: place) ? [place + 1] : []
        case .not(let number): return ends(ofProduction: number, at: place).isEmpty ? [place] : []
        case .adjacent: return input.isAdjacent(at: place) ? [place] : []
        }
    }

    private func ends(ofSequence parts: [Rule], at place: Int) -> [Int] {
        var places = [place]
        for part in parts {
            var next: [Int] = []
            for place in places { merge(ends(part, at: place), into: &next) }
            guard !next.isEmpty else { return [] }
            places = next
        }
        return places
    }

    private func ends(ofRepeated part: Rule, at place: Int) -> [Int] {
        var found = [place]
        var next = 0
        while next < found.count {
            merge(ends(part, at: found[next]), into: &found)
            next += 1
        }
        return found
    }

    private func merge(_ places: [Int], into found: inout [Int]) {
        for place in places where !found.contains(place) { found.append(place) }
    }
}
