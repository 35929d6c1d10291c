// What stands for everything of a program that a call site names and a snippet does not show.
import Foundation

/// A value of unknown type: it has every member, may be called with anything, and is an object, as most arguments are.
///
/// A member has the type Unknown, or where the context asks for another one, that.
@dynamicCallable
open class Unknown: UnknownHost, Sequence, IteratorProtocol, Comparable {
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> Unknown { fatalError() }
    @_disfavoredOverload
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> Unknown? {
        fatalError()
    }
    @_disfavoredOverload
    public func dynamicallyCall<Value>(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> Value {
        fatalError()
    }

    public subscript(_ index: Any?) -> Unknown {
        get { fatalError() }
        set {}
    }
    @_disfavoredOverload public subscript<Value>(_ index: Any?) -> Value {
        get { fatalError() }
        set {}
    }

    public func next() -> Unknown? { fatalError() }
    public static func < (left: Unknown, right: Unknown) -> Bool { fatalError() }
}

/// The type around a call site: `self` has every member. Its own members are few, since a bare name would mean them.
@dynamicMemberLookup
open class UnknownHost: NSObject {
    public override init() {}

    public subscript(dynamicMember name: String) -> Unknown {
        get { fatalError() }
        set {}
    }
    @_disfavoredOverload public subscript(dynamicMember name: String) -> Unknown? {
        get { fatalError() }
        set {}
    }
    @_disfavoredOverload public subscript<Value>(dynamicMember name: String) -> Value {
        get { fatalError() }
        set {}
    }
}

extension NSNumber {
    public convenience init(value: Unknown) { fatalError() }
}
