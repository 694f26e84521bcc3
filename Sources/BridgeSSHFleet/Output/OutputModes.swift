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
