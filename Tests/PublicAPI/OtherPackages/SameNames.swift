// Types as GRDB, SwiftUI, SwiftData, SQLiteNIO and others declare them, by name. A file of tests imports this module beside
// the products, so that a name that both have does not compile there.

public struct FetchRequest<Result> { public init() {} }
public struct FetchedResults<Result> { public init() {} }
public struct SQLSelection { public init() {} }
public struct SQLExpression { public init() {} }
public struct SQLRequest<RowDecoder> { public init() {} }
public typealias SQLiteConnection = OpaquePointer
public protocol FetchableRecord {}
public struct QueryInterfaceRequest<RowDecoder> { public init() {} }
public struct Row { public init() {} }
public struct Column { public init() {} }
public struct Table<RowDecoder> { public init() {} }
public struct Configuration { public init() {} }

public struct Query<Element> { public init() {} }
public struct Attribute { public init() {} }
public struct Relationship { public init() {} }
public struct Model { public init() {} }
public struct Schema { public init() {} }
public protocol SchemaProperty {}
public struct ModelConfiguration { public init() {} }
public struct ModelContext { public init() {} }
public struct FetchDescriptor<Model> { public init() {} }
public enum MigrationStage { case custom }

public struct Request { public init() {} }
public struct Response { public init() {} }
public struct Router<Context> { public init() {} }
public struct Logger { public init() {} }
