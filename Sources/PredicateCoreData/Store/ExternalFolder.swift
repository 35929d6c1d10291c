import Foundation

/// The folder of the files that hold large data of a store: `.Photos_SUPPORT/_EXTERNAL_DATA` beside `Photos.sqlite`.
enum ExternalFolder {
    static func path(ofStore path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
            .appendingPathComponent("_EXTERNAL_DATA").path
    }
}
