import Foundation
import PredicateSyntax

/// `distanceToLocation:fromLocation:(here, home) < 1000`: the way along a great circle, in metres.
///
/// A location is an object with the keys `latitude` and `longitude`, in degrees, or with a `coordinate` that has them,
/// or an array `{latitude, longitude}`. The earth is a sphere of 6,371,008.8 m, its mean radius; ellipsoids
/// differ from that by up to half a percent. nil gives nil; other values throw `argumentKind`.
enum Location {
    static let distance: FunctionBody = { (arguments) throws(Fault) in
        let (first, second) = (arguments.argument(0), arguments.argument(1))
        if first.isNull || second.isNull { return .null }
        let (here, there) = (try position(of: first, operand: 0), try position(of: second, operand: 1))
        return .value(.double(distance(here, there)))
    }

    private struct Position {
        var latitude: Double
        var longitude: Double
    }

    private static let radius = 6_371_008.8

    /// The haversine formula, which is exact for short distances too.
    private static func distance(_ here: Position, _ there: Position) -> Double {
        let latitudes = Foundation.sin(radians(there.latitude - here.latitude) / 2)
        let longitudes = Foundation.sin(radians(there.longitude - here.longitude) / 2)
        let cosines = Foundation.cos(radians(here.latitude)) * Foundation.cos(radians(there.latitude))
        let square = latitudes * latitudes + cosines * longitudes * longitudes
        return 2 * radius * Foundation.asin(min(1, square.squareRoot()))
    }

    private static func radians(_ degrees: Double) -> Double {
        degrees * .pi / 180
    }

    private static func position(of value: KeyedValue, operand: Int) throws(Fault) -> Position {
        if let pair = value.isOrderedCollection ? value.elements : nil, pair.count == 2,
            let latitude = pair[0].number, let longitude = pair[1].number
        {
            return Position(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
        }
        for keys in [[], ["coordinate"]] {
            if let latitude = degrees(value, keys + ["latitude"]), let longitude = degrees(value, keys + ["longitude"])
            {
                return Position(latitude: latitude, longitude: longitude)
            }
        }
        throw Fault(
            .argumentKind(
                function: FunctionExpression.Predefined.distance.rawValue, expected: "a location", found: value.found),
            operand: operand)
    }

    /// The number at the end of a path; nil if there is no such key.
    private static func degrees(_ value: KeyedValue, _ keys: [String]) -> Double? {
        let number = try? ResolvedKeyPath(components: keys).value(from: value).number
        return number?.doubleValue
    }
}
