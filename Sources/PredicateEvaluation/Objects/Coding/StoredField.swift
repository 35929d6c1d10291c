#if !canImport(Darwin)
    @_spi(Reflection) import Swift
#endif

/// A stored property as the metadata of its type has it.
struct StoredField {
    /// The name of the storage: `age`, `_name` of a property wrapper, `$__lazy_storage_$_cost`.
    let name: String
    /// The offset in bytes: in a value of a struct, or in an instance of a class.
    let offset: Int
    let type: any Any.Type
    /// False for `weak` and `unowned` references, whose storage is no plain reference.
    let isStrong: Bool
}

extension StoredField {
    /// The stored properties of a struct or a class, those of its superclasses first; nil where the runtime does not tell.
    ///
    /// The one place that asks the reflection of the standard library, which is not public: on Apple's platforms its interface
    /// lacks it, and everything is read by `Mirror`.
    static func all(of type: any Any.Type) -> [StoredField]? {
        #if canImport(Darwin)
            nil
        #else
            let isClass = type is AnyClass
            guard isClass || isStruct(type), let isStrong = FieldOwnership.reader else { return nil }
            var fields: [StoredField] = []
            _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: isClass ? 1 : 0)) {
                name, offset, fieldType, _ in
                let field = StoredField(
                    name: String(cString: name), offset: offset, type: fieldType,
                    isStrong: isStrong(type, fields.count))
                fields.append(field)
                return true
            }
            return fields
        #endif
    }

    #if !canImport(Darwin)
        /// Metadata begin with their kind.
        private static func isStruct(_ type: any Any.Type) -> Bool {
            unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self) == _MetadataKind.struct.rawValue
        }
    #endif
}

#if !canImport(Darwin)
    /// The ownership of stored properties, which `_forEachField` leaves out.
    private enum FieldOwnership {
        /// Tells whether the field of a type at an index is neither weak nor unowned; nil if the runtime answers wrongly for
        /// fields that are known, as one of another version may.
        static let reader: (@Sendable (any Any.Type, Int) -> Bool)? = {
            let known = (0..<3).map { isStrong(Known.self, $0) }
            return known == [true, false, false] ? isStrong : nil
        }()

        private final class Known {
            let strong: AnyObject? = nil
            weak var weak: AnyObject?
            unowned let unowned: AnyObject

            init(_ object: AnyObject) {
                unowned = object
            }
        }

        /// What the standard library's `_FieldReflectionMetadata` begins with.
        private struct Metadata {
            var name: UnsafePointer<CChar>?
            var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
            var isStrong: Bool
            var isVariable: Bool
        }

        @Sendable private static func isStrong(_ type: any Any.Type, _ index: Int) -> Bool {
            // More room than the runtime needs, should it come to fill more.
            withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { room in
                room.initializeMemory(as: UInt8.self, repeating: 0)
                guard let start = room.baseAddress else { return false }
                _ = metadata(ofChild: type, index: index, start)
                let found = start.load(as: Metadata.self)
                found.free?(found.name)
                return found.isStrong
            }
        }
    }

    /// The entry point of `_forEachField` itself.
    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private func metadata(
        ofChild type: any Any.Type, index: Int, _ metadata: UnsafeMutableRawPointer
    ) -> any Any.Type
#endif
