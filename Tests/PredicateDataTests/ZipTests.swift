import Foundation
import PredicateData
import Testing

/// Zip archives of one data file, made by `zipfile` of Python.
struct ZipTests {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private static let archives: [String: [UInt8]] = [
        "deflated": bytes(
            "UEsDBBQAAAAIAAAAIVyczEVjGAAAABwAAAAFAAAAYS5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMgBgBQSwECFAMU"
                + "AAAACAAAACFcnMxFYxgAAAAcAAAABQAAAAAAAAAAAAAAgAEAAAAAYS5jc3ZQSwUGAAAAAAEAAQAzAAAAOwAAAAAA"),
        "streamed": bytes(
            "UEsDBBQACAAIAAAAIVwAAAAAAAAAAAAAAAAFAAAAYS5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMgBgBQSwcInMxF"
                + "YxgAAAAcAAAAUEsBAhQDFAAIAAgAAAAhXJzMRWMYAAAAHAAAAAUAAAAAAAAAAAAAAIABAAAAAGEuY3N2UEsFBgAA"
                + "AAABAAEAMwAAAEsAAAAAAA=="),
        "stored": bytes(
            "UEsDBBQAAAAAAAAAIVyczEVjHAAAABwAAAAFAAAAYS5jc3ZpZCxuYW1lCjEsbgoyLG4KMyxuCjQsbgo1LG4KUEsB"
                + "AhQDFAAAAAAAAAAhXJzMRWMcAAAAHAAAAAUAAAAAAAAAAAAAAIABAAAAAGEuY3N2UEsFBgAAAAABAAEAMwAAAD8A"
                + "AAAAAA=="),
        "macOS": bytes(
            "UEsDBBQACAAIAAAAIVwAAAAAAAAAAAAAAAAFAAAAYS5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMgBgBQSwcInMxF"
                + "YxgAAAAcAAAAUEsDBBQACAAIAAAAIVwAAAAAAAAAAAAAAAAQAAAAX19NQUNPU1gvLl9hLmNzdqsAAFBLBwiDFtyM"
                + "AwAAAAEAAABQSwECFAMUAAgACAAAACFcnMxFYxgAAAAcAAAABQAAAAAAAAAAAAAAgAEAAAAAYS5jc3ZQSwECFAMU"
                + "AAgACAAAACFcgxbcjAMAAAABAAAAEAAAAAAAAAAAAAAAgAFLAAAAX19NQUNPU1gvLl9hLmNzdlBLBQYAAAAAAgAC"
                + "AHEAAACMAAAAAAA="),
        "several": bytes(
            "UEsDBBQAAAAIAAAAIVyczEVjGAAAABwAAAAFAAAAYS5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMgBgBQSwMEFAAA"
                + "AAgAAAAhXJzMRWMYAAAAHAAAAAUAAABiLmNzdstM0clLzE3lMtTJ4zICYmMgNgFiUyAGAFBLAQIUAxQAAAAIAAAA"
                + "IVyczEVjGAAAABwAAAAFAAAAAAAAAAAAAACAAQAAAABhLmNzdlBLAQIUAxQAAAAIAAAAIVyczEVjGAAAABwAAAAF"
                + "AAAAAAAAAAAAAACAATsAAABiLmNzdlBLBQYAAAAAAgACAGYAAAB2AAAAAAA="),
        "severalStreamed": bytes(
            "UEsDBBQACAAIAAAAIVwAAAAAAAAAAAAAAAAFAAAAYS5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMgBgBQSwcInMxF"
                + "YxgAAAAcAAAAUEsDBBQACAAIAAAAIVwAAAAAAAAAAAAAAAAFAAAAYi5jc3bLTNHJS8xN5TLUyeMyAmJjIDYBYlMg"
                + "BgBQSwcInMxFYxgAAAAcAAAAUEsBAhQDFAAIAAgAAAAhXJzMRWMYAAAAHAAAAAUAAAAAAAAAAAAAAIABAAAAAGEu"
                + "Y3N2UEsBAhQDFAAIAAgAAAAhXJzMRWMYAAAAHAAAAAUAAAAAAAAAAAAAAIABSwAAAGIuY3N2UEsFBgAAAAACAAIA"
                + "ZgAAAJYAAAAAAA=="),
        "workbook": bytes(
            "UEsDBBQAAAAIAAAAIVwrhCYSBgAAAAQAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbLOp0LcDAFBLAQIUAxQAAAAI"
                + "AAAAIVwrhCYSBgAAAAQAAAATAAAAAAAAAAAAAACAAQAAAABbQ29udGVudF9UeXBlc10ueG1sUEsFBgAAAAABAAEA"
                + "QQAAADcAAAAAAA=="),
    ]

    @Test(arguments: [1, 2, 7, 64, Int.max])
    func oneFileIsUnpacked(piece: Int) throws {
        for name in ["deflated", "streamed", "stored", "macOS"] {
            let rows = read(try #require(Self.archives[name]), piece: piece)
            #expect(rows.map(\.text) == (1...5).map { "\($0),n" }, "\(name)")
        }
    }

    @Test(arguments: [1, 7, Int.max])
    func otherArchivesAreRefused(piece: Int) throws {
        for name in ["several", "severalStreamed", "workbook"] {
            let last = read(try #require(Self.archives[name]), piece: piece).last
            #expect(last?.code == .foreignFile(.zip), "\(name)")
        }
        var encrypted = try #require(Self.archives["deflated"])
        encrypted[6] |= 1
        #expect(read(encrypted, piece: piece).last?.code == .foreignFile(.zip))
    }

    /// Every archive ends with an error or its records, also if it is cut or damaged.
    @Test func damagedArchivesAreErrors() throws {
        for name in ["deflated", "streamed", "stored"] {
            let archive = try #require(Self.archives[name])
            for length in 4..<59 {
                #expect(read(Array(archive[..<length])).last?.code == .truncatedCompression(.zip), "\(name) \(length)")
            }
            var damaged = archive
            damaged[name == "streamed" ? 64 : 14] ^= 1
            #expect(read(damaged).last?.code == .invalidCompression(.zip, "incorrect data check"), "\(name)")
            for index in archive.indices {
                damaged = archive
                damaged[index] ^= 0xFF
                #expect(read(damaged).count < 8)
            }
        }
    }
}
