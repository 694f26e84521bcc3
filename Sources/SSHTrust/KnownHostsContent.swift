/// The content of one known_hosts file.
///
/// Connections that are opened at once share it: see ``SharedReading``.
final class KnownHostsContent: Sendable {
    /// The lines that were understood.
    let entries: [KnownHostsEntry]
    /// The lines that could not be understood.
    let skippedLines: [KnownHostsLocation]

    static let shared = SharedReading<KnownHostsContent>()

    static func read(
        path: String, sharing shared: SharedReading<KnownHostsContent> = shared
    ) throws(KnownHostsProblem) -> KnownHostsContent {
        try shared.content(of: path) { () throws(KnownHostsProblem) in
            KnownHostsContent(try KnownHostsIO.read(path: path), file: path)
        }
    }

    init(_ contents: [UInt8], file: String) {
        var entries: [KnownHostsEntry] = []
        var skippedLines: [KnownHostsLocation] = []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let location = KnownHostsLocation(file: file, line: index + 1)
            switch KnownHostsLine(line, at: location) {
            case .blank: break
            case .entry(let entry): entries.append(entry)
            case .broken: skippedLines.append(location)
            }
        }
        self.entries = entries
        self.skippedLines = skippedLines
    }
}
