#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    extension KeyedValue {
        /// The value as `expressionValue(with:context:)` returns it: numbers as NSNumber, `<null>` as NSNull,
        /// everything else as a Swift value, which casts to the type of Foundation; nil for nil.
        var foundationObject: Any? {
            switch self {
            case .value(let value): value.foundationObject
            case .object: hostObject
            case .collection(let collection):
                collection.elements.map(\.foundationElement).foundationCollection(collection.kind)
            }
        }

        /// The value as an element of a collection, where nil is represented by an object.
        fileprivate var foundationElement: Any { foundationObject ?? NSNull() }
    }

    extension PredicateValue {
        fileprivate var foundationObject: Any? {
            switch self {
            case .null: nil
            case .nullObject: NSNull()
            case .bool(let value): NSNumber(value: value)
            case .integer(let value): NSNumber(value: value)
            case .double(let value): NSNumber(value: value)
            case .decimal(let value): NSDecimalNumber(decimal: value)
            case .string(let value): value
            case .date(let value): value
            case .data(let value): value
            case .uuid(let value): value
            case .url(let value): value
            case .type(let name): name
            case .array(let values): values.foundationElements.foundationCollection(.array)
            case .set(let values): Array(values).foundationElements.foundationCollection(.set)
            case .orderedSet(let values): values.foundationElements.foundationCollection(.orderedSet)
            case .dictionary(let values): values.mapValues { $0.foundationObject ?? NSNull() }
            case .object: keyedValue.hostObject
            case .expression(let node): FoundationExpression.object(of: FormatExpression(node))
            case .predicate(let node): FoundationPredicate.object(of: FormatPredicate(node))
            }
        }

        /// Makes the value that a program passes for `%@`, as a constant or for a variable. An object of the program
        /// stays that object.
        init(argument value: Any?) {
            self = KeyedValue(bridging: value).argument
        }
    }

    extension [PredicateValue] {
        fileprivate var foundationElements: [Any] { map { $0.foundationObject ?? NSNull() } }
    }

    extension [Any] {
        fileprivate func foundationCollection(_ kind: KeyedCollection.Kind) -> Any {
            switch kind {
            case .array: self
            case .set: NSSet(array: self)
            case .orderedSet: NSOrderedSet(array: self)
            }
        }
    }

    extension PredicateVariables {
        /// The values as a block of Foundation receives them; nil if there are none.
        var foundationBindings: [String: Any]? {
            var bindings: [String: Any] = [:]
            for name in names { bindings[name] = self[name]?.foundationObject ?? NSNull() }
            return bindings.isEmpty ? nil : bindings
        }

        /// Makes the variables of a context: the entries whose keys are strings.
        init(context: NSMutableDictionary?) {
            var values: [String: Any?] = [:]
            for case let name as String in context?.allKeys ?? [] { values[name] = context?.object(forKey: name) }
            self.init(bridging: values)
        }

        /// Copies the values that an evaluation has assigned to a context. [NSP-180]
        func copy(_ assigned: [String], to context: NSMutableDictionary?) {
            for name in assigned {
                context?.setObject(self[name]?.foundationObject ?? NSNull(), forKey: name as NSString)
            }
        }
    }

    // Types that code for Apple's platforms passes `as CVarArg`; there they bridge to classes that conform.
    // Foundation prints only strings for `%@` here, so each type is represented by its description: `String(format:
    // "%@", …)` prints it.

    /// The encoding of a description, which is never released. Argument lists use `_cVarArgObject` and do not get
    /// here.
    private func encoding(of object: any _CVarArgObject) -> [Int] {
        let text = NSString(string: "\(object)")
        return [Int(bitPattern: Unmanaged.passRetained(text).toOpaque())]
    }

    /// Returns the description as the object of an argument.
    private func text(of object: NSObject) -> any CVarArg { NSString(string: object.description) }

    #if compiler(<6.4)
        extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
            /// The description as a Foundation string.
            public var _cVarArgObject: any CVarArg { text(of: self) }
            /// A reference to the description.
            public var _cVarArgEncoding: [Int] { encoding(of: self) }
        }
    #endif

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSUUID) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDate) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSData) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSURL) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDecimalNumber) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSArray(array: map { $0 as Any })) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSDictionary(dictionary: self)) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSSet(array: map { $0 as Any })) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

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
        /// Reports an error to the coder. A coder for which an error would stop the program gets nil instead.
        func note(_ error: any Error) {
            if decodingFailurePolicy == .setErrorAndReturn { failWithError(error) }
        }
    }

    /// A class whose convenience initializers may return an existing object.
    ///
    /// `NSPredicate(format: "a == 1")` is a comparison, an object of a subclass. An initializer of a class cannot
    /// assign `self`, but one of a protocol can.
    protocol Replaceable {}

    extension Replaceable {
        init(replacing object: Self) { self = object }
    }

    extension Foundation.NSPredicate: Replaceable {}
    extension Foundation.NSSortDescriptor: Replaceable {}
#endif
