package import BridgeSSHFleet

/// The requested forms of output, as in `--output MODE[,MODE…]`.
package struct OutputModes: Sendable, Equatable {
    package enum Mode: Sendable, Hashable {
        case live
        case fold
        case diff
        case jsonl
        case files(String)
        case quiet

        /// Whether the mode writes to standard output for people.
        fileprivate var isForPersons: Bool {
            switch self {
            case .live, .fold, .diff: true
            case .jsonl, .files, .quiet: false
            }
        }

        fileprivate var name: String {
            switch self {
            case .live: "live"
            case .fold: "fold"
            case .diff: "diff"
            case .jsonl: "jsonl"
            case .files: "files=DIRECTORY"
            case .quiet: "quiet"
            }
        }
    }

    /// Why a combination of modes is invalid.
    package struct Problem: Error, Equatable {
        package let text: String
    }

    /// The modes in the order in which they were named, each once.
    package let modes: [Mode]

    /// `live`, the default.
    package static let standard = OutputModes(checked: [.live])

    /// Suppresses all output of the hosts.
    package static let quiet = OutputModes(checked: [.quiet])

    private init(checked modes: [Mode]) { self.modes = modes }

    /// - Parameters:
    ///   - text: modes, separated by commas.
    ///   - isFolded: whether `-b` was given, too.
    package init(_ text: String?, isFolded: Bool = false) throws(Problem) {
        var modes: [Mode] = isFolded ? [.fold] : []
        for word in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let mode = try Self.mode(String(word))
            if !modes.contains(mode) { modes.append(mode) }
        }
        if modes.isEmpty { modes = [.live] }
        if modes.contains(.jsonl), let other = modes.first(where: \.isForPersons) {
            throw Problem(
                text: "jsonl and \(other.name) cannot both write to standard output; send one of them to files=DIRECTORY")
        }
        if modes.contains(.quiet), let other = modes.first(where: { $0.isForPersons || $0 == .jsonl }) {
            throw Problem(text: "quiet shows no output, and \(other.name) does; name one of them")
        }
        self.modes = modes
    }

    /// Makes the directories that are missing.
    ///
    /// - Throws: `SSHError` if one cannot be used.
    package func makeDirectories() throws {
        for case .files(let directory) in modes { _ = try FilesRenderer(directory: directory) }
    }

    private static func mode(_ word: String) throws(Problem) -> Mode {
        switch word {
        case "live": return .live
        case "fold": return .fold
        case "diff": return .diff
        case "jsonl": return .jsonl
        case "quiet": return .quiet
        case _ where word.hasPrefix("files="):
            let directory = String(word.dropFirst("files=".count))
            guard !directory.isEmpty else { throw Problem(text: "files= needs a directory, as in files=results") }
            return .files(directory)
        default:
            throw Problem(
                text: "\"\(word)\" is not an output mode; the modes are live, fold, diff, jsonl, files=DIRECTORY and quiet")
        }
    }
}

/// A piece of output. Pieces are written in order.
package struct RenderedPiece: Sendable {
    /// The stream it goes to: a host's output to either, bridge-ssh's own messages to standard error.
    package let stream: SSHEvidence.OutputStream
    /// Makes the bytes when they are written, so that long ones are not in memory at the same time.
    package let make: @Sendable () throws -> [UInt8]

    package init(_ stream: SSHEvidence.OutputStream, make: @escaping @Sendable () throws -> [UInt8]) {
        self.stream = stream
        self.make = make
    }

    package init(_ stream: SSHEvidence.OutputStream, _ bytes: [UInt8]) {
        self.init(stream) { bytes }
    }

    package init(_ stream: SSHEvidence.OutputStream, _ text: String) {
        self.init(stream, Array(text.utf8))
    }
}

/// Renders the events of a run in one form of output. It writes nothing itself: its pieces are written in order before the next
/// event.
package protocol FleetRenderer: Sendable {
    /// Whether it shows output as it arrives, and so needs `output` events.
    var needsPieces: Bool { get }
    /// Whether it shows nothing more after it has thrown.
    var endsWithFailure: Bool { get }
    /// The hosts whose output it could not keep whole.
    var incompleteHosts: Set<String> { get }

    /// Handles the next event.
    ///
    /// - Throws: `SSHError` if it cannot write what it keeps on disk.
    mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws
}

extension FleetRenderer {
    package var endsWithFailure: Bool { true }
    package var incompleteHosts: Set<String> { [] }
}

/// The target of rendered pieces.
package protocol FleetSink: Sendable {
    /// Writes all bytes, and returns when the next ones may come.
    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws
}
