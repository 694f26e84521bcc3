import BridgeSSH
import SSHRun

/// One side of a copy, as scp(1) writes it: a local path, `[user@]host:path`, or a URL.
enum CopyPlace: Equatable {
    case local(String)
    /// The host with its user and port as `run` takes them; an empty path is where the server starts, the home directory.
    case remote(host: String, path: String)

    /// A colon before the first slash makes it remote; `./a:b` is local.
    ///
    /// - Throws: `UsageProblem`.
    init(_ text: String) throws {
        for scheme in ["sftp://", "scp://"] where text.lowercased().hasPrefix(scheme) {
            self = try Self.url(text.dropFirst(scheme.count), text)
            return
        }
        guard let colon = Self.separator(in: text) else {
            guard !text.isEmpty else { throw UsageProblem(field: "path", problem: "it is empty; write . for this directory") }
            self = .local(text)
            return
        }
        self = .remote(host: String(text[..<colon]), path: try RemotePath.typed(text[text.index(after: colon)...]))
    }

    /// The colon behind the host; an IPv6 address has its own inside of brackets.
    private static func separator(in text: String) -> String.Index? {
        var isBracketed = false
        for index in text.indices {
            switch text[index] {
            case "[" where index == text.startIndex || text[text.index(before: index)] == "@": isBracketed = true
            case "]": isBracketed = false
            case "/": return nil
            case ":" where !isBracketed: return index == text.startIndex ? nil : index
            default: break
            }
        }
        return nil
    }

    /// As with scp(1), the path of a URL starts in the home directory; a second slash makes it absolute.
    private static func url(_ rest: Substring, _ text: String) throws -> CopyPlace {
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = String(rest[..<slash])
        guard !host.isEmpty else { throw UsageProblem(field: "URL", problem: "\(PathText.shown(text)) names no host") }
        // No file's name has a NUL in it.
        guard let path = PercentEncoding.bytes(of: rest[slash...].dropFirst()), !path.contains(0) else {
            throw UsageProblem(field: "URL", problem: "its path is not well encoded; write % as %25")
        }
        // What is encoded in it is decoded, and judged, where a destination is read.
        return .remote(host: host.contains("%") ? "ssh://\(host)" : host, path: try RemotePath.typed(PathText.text(path)[...]))
    }
}
