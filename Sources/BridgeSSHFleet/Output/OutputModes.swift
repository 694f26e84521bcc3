package import ErrorCore

/// The forms of output that were asked for, as `--output MODE[,MODE…]` names them.
package struct OutputModes: Sendable, Equatable {
    package enum Mode: Sendable, Hashable {
        case live
        case fold
        case diff
        case jsonl
        case files(String)
        case quiet

        /// Whether it writes to standard output for a person.
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

    /// Why modes cannot be.
    package struct Problem: Error, Equatable {
        package let text: String
    }

    /// In the order in which they were named, each once.
    package let modes: [Mode]

    /// `live`, which is what is shown where nothing is asked for.
    package static let standard = OutputModes(checked: [.live])

    /// Nothing of what hosts print.
    package static let quiet = OutputModes(checked: [.quiet])

    private init(checked modes: [Mode]) { self.modes = modes }

    /// - Parameters:
    ///   - text: modes, separated by commas.
    ///   - isFolded: whether `-b` stands beside them.
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
            throw Problem(text: "\"\(word)\" is no output mode; the modes are live, fold, diff, jsonl, files=DIRECTORY and quiet")
        }
    }
}

/// What the two outputs of this process are, as far as it changes what is written to them.
package struct OutputForm: Sendable {
    /// Whether standard output is a terminal: then control sequences of hosts are escaped.
    package var isOutputTerminal = false
    /// Whether standard error is a terminal: then a progress line is drawn there.
    package var isErrorTerminal = false
    /// Whether both lead to the same place, so that a heading on one is read with text on the other.
    package var isShared = false
    /// Columns of the terminal.
    package var width = 80
    /// Whether colours are used at a terminal.
    package var color = false
    package var glyphs = TerminalBanner.Glyphs.unicode

    package init() {}

    /// Whether a stream is a terminal.
    package func isTerminal(_ stream: SSHEvidence.OutputStream) -> Bool {
        stream == .standardOutput ? isOutputTerminal : isErrorTerminal
    }

    /// A text of bridge-ssh's own.
    package func own(_ text: String) -> String { glyphs == .ascii ? TerminalText.ascii(text) : text }

    /// The begin of a text of bridge-ssh's own, as much of it as fits, with an ellipsis where something is missing.
    func own(_ text: String, cutToColumns width: Int) -> String {
        // The replacements take more room than what they stand for.
        let (text, ellipsis) = (own(text), glyphs == .ascii ? "..." : "…")
        guard TerminalText.columns(text) > width else { return text }
        let room = width - TerminalText.columns(ellipsis)
        guard room > 0 else { return String(ellipsis.prefix(max(0, width))) }
        var (begin, used) = ("", 0)
        for character in text {
            used += TerminalText.columns(String(character))
            guard used <= room else { break }
            begin.append(character)
        }
        return begin + ellipsis
    }

    /// A text in a colour, where there are colours.
    func painted(_ text: String, _ color: Int, on stream: SSHEvidence.OutputStream) -> String {
        self.color && isTerminal(stream) ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}

/// A piece of what is shown of a run, in the order in which it is written.
package struct RenderedPiece: Sendable {
    /// Where it goes: what hosts say to either, what bridge-ssh says to standard error.
    package let stream: SSHEvidence.OutputStream
    /// Makes the bytes when they are written, so that long ones are not in memory at once.
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

/// Makes one form of output of a run's events. It writes nothing itself: its pieces are written in order before the next event.
package protocol FleetRenderer: Sendable {
    /// Whether it shows output as it comes, and so needs the events `output`.
    var needsPieces: Bool { get }
    /// Whether nothing more is shown once it has thrown.
    var endsWithFailure: Bool { get }

    /// Takes the next event.
    ///
    /// - Throws: `SSHError` if what it keeps on disk cannot be written.
    mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws
}

extension FleetRenderer {
    package var endsWithFailure: Bool { true }
}

/// Where rendered pieces are written.
package protocol FleetSink: Sendable {
    /// Takes all bytes; returns when the next may come.
    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws
}
