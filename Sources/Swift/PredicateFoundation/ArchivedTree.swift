#if !canImport(Darwin)
    import Foundation
    import PredicateSyntax

    /// The archived form of a tree: its canonical format and the constants without a literal, as a JSON string under
    /// one key.
    ///
    /// `{"format": "age >= 21 AND id IN %@", "arguments": [{"set": [{"int": 1}]}]}`
    enum ArchivedTree {
        private static let key = "tree"

        /// Writes a tree. Nothing is written for a tree without an archived form, such as a closure.
        static func encode(_ tree: some Encodable, with coder: NSCoder) {
            do {
                let text = String(decoding: try JSONEncoder().encode(tree), as: UTF8.self)
                coder.encode(text as NSString, forKey: key)
            } catch {
                coder.note(error)
            }
        }

        /// Reads a tree; nil if the archive contains none that parses.
        static func decode<Tree: Decodable>(_ type: Tree.Type, with coder: NSCoder) -> Tree? {
            guard let text = coder.decodeObject(of: NSString.self, forKey: key) else { return nil }
            do {
                let decoder = JSONDecoder()
                // Secure coding restricts the classes in an archive, and the program decides which archives it reads.
                decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted
                return try decoder.decode(type, from: Data(String(describing: text).utf8))
            } catch {
                coder.note(error)
                return nil
            }
        }
    }

    extension NSCoder {
        /// Reports an error to the coder, unless the coder's policy would then stop the program; in that case decoding yields
        /// nil.
        func note(_ error: any Error) {
            if decodingFailurePolicy == .setErrorAndReturn { failWithError(error) }
        }
    }
#endif
