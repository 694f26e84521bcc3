import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Options as one column has them.
enum ArgumentList {
    static func text(_ arguments: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
    }

    static func read(_ text: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }
}

extension [UInt8] {
    /// As a column of type BLOB.
    var data: Data { Data(self) }
}

extension Row {
    /// The bytes of a column of type BLOB.
    func bytes(_ column: String) -> [UInt8]? { (self[column] as Data?).map { [UInt8]($0) } }
}
