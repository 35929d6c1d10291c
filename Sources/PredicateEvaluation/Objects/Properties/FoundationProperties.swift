import Foundation
import PredicateSyntax

extension DateKey {
    func value(of date: Date) -> PredicateValue {
        switch self {
        case .timeIntervalSince1970: .double(date.timeIntervalSince1970)
        case .timeIntervalSinceReferenceDate: .double(date.timeIntervalSinceReferenceDate)
        case .timeIntervalSinceNow: .double(date.timeIntervalSinceNow)
        }
    }
}

extension DataKey {
    func value(of data: Data) -> PredicateValue {
        switch self {
        case .length: .integer(Int64(data.count))
        }
    }
}

extension UUIDKey {
    func value(of uuid: UUID) -> PredicateValue {
        switch self {
        case .uuidString: .string(uuid.uuidString)
        }
    }
}

extension URLKey {
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
