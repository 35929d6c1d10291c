#if !canImport(Darwin)
    public import Foundation

    // What is passed `as CVarArg` in code for Apple's platforms, where these types bridge to classes that conform. Foundation prints no
    // object but a string for `%@` here, so that each stands for its description: `String(format: "%@", …)` prints it.

    /// The encoding of a description, which is never released: lists of arguments ask for `_cVarArgObject`, and do not come here.
    private func encoding(of object: any _CVarArgObject) -> [Int] {
        let text = NSString(string: "\(object)")
        return [Int(bitPattern: Unmanaged.passRetained(text).toOpaque())]
    }

    /// The description as the object of an argument.
    private func text(of object: NSObject) -> any CVarArg { NSString(string: object.description) }

    #if compiler(<6.4)
        extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
            /// The description as a string of Foundation's.
            public var _cVarArgObject: any CVarArg { text(of: self) }
            /// A reference to the description.
            public var _cVarArgEncoding: [Int] { encoding(of: self) }
        }
    #endif

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: self as NSUUID) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDate) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: self as NSData) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: self as NSURL) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDecimalNumber) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: NSArray(array: map { $0 as Any })) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: NSDictionary(dictionary: self)) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string of Foundation's.
        public var _cVarArgObject: any CVarArg { text(of: NSSet(array: map { $0 as Any })) }
        /// A reference to the description.
        public var _cVarArgEncoding: [Int] { encoding(of: self) }
    }
#endif
