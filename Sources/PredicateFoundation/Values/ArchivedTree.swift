#if !canImport(Darwin)
    import Foundation
    import PredicateSyntax

    /// The archived form of a tree: its canonical format and the constants that no format says, as JSON text under one key.
    ///
    /// `{"format": "age >= 21 AND id IN %@", "arguments": [{"set": [{"int": 1}]}]}`
    enum ArchivedTree {
        private static let key = "tree"

        /// Writes a tree. One that has no archived form, as a closure, is left out: nothing is written.
        static func encode(_ tree: some Encodable, with coder: NSCoder) {
            do {
                let text = String(decoding: try JSONEncoder().encode(tree), as: UTF8.self)
                coder.encode(text as NSString, forKey: key)
            } catch {
                coder.note(error)
            }
        }

        /// Reads a tree; nil for an archive that holds none that parses.
        static func decode<Tree: Decodable>(_ type: Tree.Type, with coder: NSCoder) -> Tree? {
            guard let text = coder.decodeObject(of: NSString.self, forKey: key) else { return nil }
            do {
                let decoder = JSONDecoder()
                // Secure coding says which classes an archive may hold, and the program what it takes from where.
                decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted
                return try decoder.decode(type, from: Data(String(describing: text).utf8))
            } catch {
                coder.note(error)
                return nil
            }
        }
    }

    extension NSCoder {
        /// Tells the coder of an error. One that would stop the program for it is told nothing: it gets nil instead.
        func note(_ error: any Error) {
            if decodingFailurePolicy == .setErrorAndReturn { failWithError(error) }
        }
    }
#endif
