import Foundation
import PredicateSyntax

/// Properties of dates, by the names of NSDate, in seconds.
enum DateProperty: String, CaseIterable {
    /// `born.timeIntervalSince1970 > 0`
    case timeIntervalSince1970
    /// `born.timeIntervalSinceReferenceDate > 0`: since 2001-01-01 00:00 UTC
    case timeIntervalSinceReferenceDate
    /// `due.timeIntervalSinceNow < 3600`: read when the predicate is evaluated
    case timeIntervalSinceNow

    func value(of date: Date) -> PredicateValue {
        switch self {
        case .timeIntervalSince1970: .double(date.timeIntervalSince1970)
        case .timeIntervalSinceReferenceDate: .double(date.timeIntervalSinceReferenceDate)
        case .timeIntervalSinceNow: .double(date.timeIntervalSinceNow)
        }
    }
}

/// Properties of data, by the names of NSData.
enum DataProperty: String, CaseIterable {
    /// `blob.length > 0`: in bytes
    case length

    func value(of data: Data) -> PredicateValue {
        switch self {
        case .length: .integer(Int64(data.count))
        }
    }
}

/// Properties of UUIDs, by the names of NSUUID.
enum UUIDProperty: String, CaseIterable {
    /// `id.UUIDString BEGINSWITH "137"`: in upper case
    case uuidString = "UUIDString"

    func value(of uuid: UUID) -> PredicateValue {
        switch self {
        case .uuidString: .string(uuid.uuidString)
        }
    }
}

/// Properties of URLs, by the names of NSURL; a missing part is nil.
enum URLProperty: String, CaseIterable {
    /// `link.absoluteString`
    case absoluteString
    /// `link.relativeString`
    case relativeString
    /// `link.path == "/docs"`
    case path
    /// `link.relativePath`
    case relativePath
    /// `link.lastPathComponent`
    case lastPathComponent
    /// `link.pathExtension`
    case pathExtension
    /// `"docs" IN link.pathComponents`
    case pathComponents
    /// `link.host == "swift.org"`
    case host
    /// `link.scheme == "https"`
    case scheme
    /// `link.query`
    case query
    /// `link.fragment`
    case fragment
    /// `link.port == 8080`
    case port
    /// `link.isFileURL == YES`
    case isFileURL

    func value(of url: URL) -> PredicateValue {
        switch self {
        case .absoluteString: .string(url.absoluteString)
        case .relativeString: .string(url.relativeString)
        case .path: .string(url.path)
        case .relativePath: .string(url.relativePath)
        case .lastPathComponent: .string(url.lastPathComponent)
        case .pathExtension: .string(url.pathExtension)
        case .pathComponents: url.pathComponents.predicateValue
        case .host: url.host.predicateValue
        case .scheme: url.scheme.predicateValue
        case .query: url.query.predicateValue
        case .fragment: url.fragment.predicateValue
        case .port: url.port.predicateValue
        case .isFileURL: .bool(url.isFileURL)
        }
    }
}
