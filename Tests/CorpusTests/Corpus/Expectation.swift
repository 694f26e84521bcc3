import BridgeSSH
import ErrorCore

/// The right cause of a failure, as far as the command's output shows it.
enum Expectation: Sendable {
    /// No cause: a success, or output that does not say why.
    case nothing
    /// One cause.
    case cause(Wanted)

    /// The cause's code, its case, and the parameter that matters to a person.
    struct Wanted: Sendable {
        let code: String
        let cases: Set<String>
        /// The path, host, tool, URL or seconds; nil if the case has none. A final `*` stands for a random ending.
        var parameter: String?
        /// The code of the underlying cause.
        var reason: String?
    }

    private static func cause(_ code: String, _ cases: Set<String>, _ parameter: String? = nil) -> Expectation {
        .cause(Wanted(code: "remote.\(code)", cases: cases, parameter: parameter))
    }

    /// A file could not be read or written. The output seldom shows which of the two.
    private static func trouble(_ code: String, _ path: String) -> Expectation {
        cause(code, ["fileReadError", "fileWriteError"], path)
    }

    static func missing(_ path: String) -> Expectation { cause("file-not-found", ["fileNotFound"], path) }
    static func denied(_ path: String) -> Expectation { cause("permission-denied", ["filePermissionDenied"], path) }
    static let full = cause("no-space", ["insufficientDiskSpace"])
    static let quota = cause("quota-exceeded", ["insufficientDiskSpace"])
    static func readOnly(_ path: String) -> Expectation { cause("read-only", ["fileWriteError"], path) }
    static func exists(_ path: String) -> Expectation { cause("file-exists", ["fileWriteError"], path) }
    static func busy(_ path: String) -> Expectation { cause("file-busy", ["fileWriteError"], path) }
    static func tooLarge(_ path: String) -> Expectation { cause("file-too-large", ["fileWriteError"], path) }
    static func isDirectory(_ path: String) -> Expectation { trouble("is-a-directory", path) }
    static func notDirectory(_ path: String) -> Expectation { trouble("not-a-directory", path) }
    static func badPath(_ path: String) -> Expectation { trouble("bad-path", path) }
    static func inputOutput(_ path: String) -> Expectation { trouble("input-output-error", path) }
    /// The output names the file but gives no reason.
    static func cannotOpen(_ path: String) -> Expectation { trouble("cannot-open", path) }
    /// The output names neither the file nor the reason.
    static let cannotWrite = cause("cannot-write", ["fileWriteError"], "")

    static func nameUnknown(_ host: String) -> Expectation { cause("name-unknown", ["dnsError"], host) }
    /// A connection failed. The output gives no reason.
    static let notConnected = cause("connection-failed", ["networkUnavailable"])
    static let refused = cause("connection-refused", ["networkUnavailable"])
    static let unreachable = cause("unreachable", ["networkUnavailable"])
    static let reset = cause("connection-reset", ["networkUnavailable"])
    static let unanswered = cause("network-timed-out", ["timeout"])
    static let tls = cause("tls-failed", ["sslError"])

    /// The system or a program denies permission to this user.
    static func notAllowed(_ tool: String) -> Expectation {
        cause(tool == "sudo" ? "sudo-refused" : "privilege-required", ["permissionDenied"], tool)
    }
    static func timeLimit(_ seconds: Int) -> Expectation { cause("time-limit", ["timeout"], "\(seconds)") }
    static func clone(_ url: String, _ reason: String? = nil) -> Expectation {
        .cause(
            Wanted(
                code: "remote.clone-failed", cases: ["projectCloneFailed"], parameter: url, reason: reason.map { "remote.\($0)" })
        )
    }
    /// A failure of an `ssh` inside the command; `host` if the output names one.
    static func ssh(_ code: String, _ caseName: String, _ host: String? = nil) -> Expectation {
        cause("ssh-\(code)", [caseName], host)
    }
}

extension Expectation.Wanted {
    /// Whether a cause is this one.
    func agrees(with found: SSHRemoteCause) -> Bool {
        found.code == code && cases.contains(found.appError.caseName) && hasParameter(found.appError.corpusParameter)
            && (reason == nil || found.reason?.code == reason)
    }

    private func hasParameter(_ found: String?) -> Bool {
        guard let parameter else { return true }
        guard parameter.hasSuffix("*") else { return found == parameter }
        return found?.hasPrefix(parameter.dropLast()) == true
    }
}

extension AppError {
    /// The value that is compared with the expectation's `parameter`.
    var corpusParameter: String? {
        switch self {
        case .fileNotFound(let path), .filePermissionDenied(let path): path
        case .fileReadError(let path, _), .fileWriteError(let path, _): path
        case .dnsError(let host), .sshHostKeyMismatch(let host), .sshConnectionFailed(let host, _): host
        case .permissionDenied(let tool): tool
        case .projectCloneFailed(let url, _): url
        case .timeout(let seconds): "\(seconds)"
        default: nil
        }
    }
}
