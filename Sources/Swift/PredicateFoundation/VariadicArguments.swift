#if !canImport(Darwin)
    public import Foundation

    // Types that code for Apple's platforms passes `as CVarArg`; there they bridge to classes that conform.
    // Foundation prints only strings for `%@` here, so each type is represented by its description: `String(format:
    // "%@", …)` prints it.

    extension _CVarArgObject {
        /// A reference to the description, which is never released. Argument lists use `_cVarArgObject` and do not get here.
        public var _cVarArgEncoding: [Int] {
            [Int(bitPattern: Unmanaged.passRetained(NSString(string: "\(self)")).toOpaque())]
        }
    }

    /// Returns the description as the object of an argument.
    private func text(of object: NSObject) -> any CVarArg { NSString(string: object.description) }

    #if compiler(<6.4)
        extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
            /// The description as a Foundation string.
            public var _cVarArgObject: any CVarArg { text(of: self) }
        }
    #endif

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSUUID) }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDate) }
    }

    extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSData) }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSURL) }
    }

    extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: self as NSDecimalNumber) }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSArray(array: map { $0 as Any })) }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSDictionary(dictionary: self)) }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a Foundation string.
        public var _cVarArgObject: any CVarArg { text(of: NSSet(array: map { $0 as Any })) }
    }
#endif
