/// The failures of a test over many texts: the shortest are shown.
struct Findings: CustomStringConvertible {
    private var texts: [String] = []

    var isEmpty: Bool { texts.isEmpty }

    /// Notes a text for which something does not hold, or throws.
    mutating func check(_ text: String, _ isSound: () throws -> Bool) {
        do {
            let isSound = try isSound()
            if !isSound { texts.append(text.debugDescription) }
        } catch {
            texts.append("\(text.debugDescription): \(error)")
        }
    }

    var description: String {
        let shortest = texts.sorted { $0.count < $1.count }.prefix(8).map { $0.prefix(300) }
        return "\(texts.count) in all:\n" + shortest.joined(separator: "\n")
    }
}
