import BridgeSSH

/// The expected outcome of a run. The catalogue has the facts that are the same for every failure of a code.
struct Expected: Sendable {
    /// Nil for a success.
    var code: SSHError.Code?
    /// The executable's exit status.
    var status: Int32
    var commandMayHaveRun = SSHError.CommandMayHaveRun.no
    /// The expectation if the server's text decides; otherwise the catalogue does.
    var retry: String?
    /// The command's standard output, if it matters.
    var output: String?
    /// The exit status in the JSON, if one came.
    var remoteStatus: Int?
    /// A part of the message or the hint.
    var words: [String] = []

    /// Exit status 0.
    static let success = Expected(code: nil, status: 0, remoteStatus: 0)

    /// Exit status 0, and this on standard output.
    static func success(_ output: String) -> Expected { Expected(code: nil, status: 0, output: output, remoteStatus: 0) }

    /// A failure before any command was sent.
    static func failure(
        _ code: SSHError.Code, _ status: Int32? = nil, retry: String? = nil, saying words: String...
    ) -> Expected {
        Expected(
            code: code, status: status ?? FailureCatalogue.definition(of: code).exitStatus.rawValue, retry: retry, words: words)
    }

    /// A command that was sent and returned no status.
    static func unknown(_ code: SSHError.Code, output: String? = nil, retry: String? = nil) -> Expected {
        Expected(
            code: code, status: FailureCatalogue.definition(of: code).exitStatus.rawValue, commandMayHaveRun: .unknown,
            retry: retry,
            output: output)
    }

    /// A command that ended with this status.
    static func remote(_ code: SSHError.Code, _ status: Int, output: String? = nil) -> Expected {
        Expected(code: code, status: Int32(status), commandMayHaveRun: .yes, output: output, remoteStatus: status)
    }

    /// The result when sshd without PAM prints /etc/nologin in place of running the command: the status is sshd's.
    static let closed = Expected(code: .authLoginsClosed, status: 193, remoteStatus: 254)

    /// A command that this signal ended.
    static func signal(_ number: Int32) -> Expected {
        Expected(code: .commandKilledBySignal, status: 128 + number, commandMayHaveRun: .yes)
    }
}
