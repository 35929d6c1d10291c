#if !canImport(Darwin)
    public import Foundation

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
#endif
