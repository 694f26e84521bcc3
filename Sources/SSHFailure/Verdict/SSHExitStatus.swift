/// The exit status of `bridge-ssh run`. A remote command's own status, 0 to 255, is passed on unchanged.
public struct SSHExitStatus: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The status, 0 to 255.
    public let rawValue: Int32

    /// A status with this value.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The number.
    public var description: String { "\(rawValue)" }

    /// The command exited with status 0, and the end of its output came.
    public static let success = Self(rawValue: 0)
    /// Several hosts with different outcomes.
    public static let mixed = Self(rawValue: 1)
    /// The remote command failed, and its own status is not passed on.
    public static let commandFailure = Self(rawValue: 1)
    /// A file could not be copied, but the connection worked. cp(1) and scp(1) exit with 1 too.
    public static let fileFailure = Self(rawValue: 1)
    /// Killed by SIGHUP: 128 + 1.
    public static let hungUp = Self(rawValue: 129)
    /// Cancelled: 128 + SIGINT.
    public static let cancelled = Self(rawValue: 130)
    /// Killed by SIGQUIT: 128 + 3.
    public static let quit = Self(rawValue: 131)
    /// The reader of standard output closed it: 128 + SIGPIPE, as for any filter.
    public static let outputClosed = Self(rawValue: 141)
    /// Killed by SIGTERM: 128 + 15.
    public static let terminated = Self(rawValue: 143)
    /// A fleet run was stopped before all its hosts were started.
    public static let stopped = Self(rawValue: 192)
    /// The host could not be reached: resolve, connect, banner closed, busy or penalised.
    public static let unreachable = Self(rawValue: 193)
    /// A deadline passed, in any stage.
    public static let timedOut = Self(rawValue: 194)
    /// Not an SSH server, negotiation failed, or the protocol was violated.
    public static let protocolFailure = Self(rawValue: 195)
    /// The host key was not accepted.
    public static let hostKeyFailure = Self(rawValue: 196)
    /// Authentication failed: credentials, agent or account.
    public static let authenticationFailure = Self(rawValue: 197)
    /// The session was refused or lost, or its outcome is unknown.
    public static let sessionFailure = Self(rawValue: 198)
    /// Usage, configuration or key file error.
    public static let localFailure = Self(rawValue: 199)
    /// Unclassified failure (a bug; please report it).
    public static let unclassified = Self(rawValue: 255)

    /// The convention for failures other than the remote command's.
    public enum Convention: String, Sendable, Hashable, CaseIterable {
        /// 193 to 199, by the kind of failure.
        case bridge
        /// 255 for all of them, as OpenSSH's `ssh` does.
        case ssh
    }

    /// The treatment of the exit status of a remote command that failed.
    public enum CommandStatus: String, Sendable, Hashable, CaseIterable {
        /// Pass it on. A status from 193 to 199 may then be the command's.
        case remote
        /// Replace it with 1, so that no other status is the command's.
        case strict
    }

    /// The status of a run whose standard output was closed by its reader.
    package static func outputClosed(_ convention: Convention) -> Self { convention == .ssh ? .unclassified : .outputClosed }

    /// The status for a remote command that exited: its own. A status outside 0 to 255, as from a Windows server, keeps its low
    /// byte, but never becomes 0.
    public static func remote(_ status: Int) -> Self {
        let low = Int32(UInt8(truncatingIfNeeded: status))
        return Self(rawValue: low == 0 && status != 0 ? 255 : low)
    }

    /// The status for a remote command that a signal killed: 128 + the signal's number, or 128 if the number is unknown.
    public static func killed(by signal: SSHExitSignal) -> Self {
        Self(rawValue: 128 + Int32(signal.number ?? 0))
    }

    /// The status for a remote command that ended by itself; nil if it is not known how.
    package static func ended(_ termination: SSHTermination, commands: CommandStatus) -> Self? {
        switch termination {
        case .exited(let status): commands == .strict ? .commandFailure : .remote(status)
        case .signalled(let signal): commands == .strict ? .commandFailure : .killed(by: signal)
        case .unknown: nil
        }
    }

    /// One status for several hosts: 0 if all succeeded, the common one if all are equal, otherwise 1.
    public static func overall(_ statuses: some Sequence<SSHExitStatus>) -> Self {
        let distinct = Set(statuses)
        guard let first = distinct.first else { return .success }
        return distinct.count == 1 ? first : .mixed
    }

    /// The status of a process that a signal ends in order: 128 + the signal's number.
    ///
    /// - Parameter name: without SIG; nil for a cancellation without a signal, which counts as SIGINT.
    package static func ended(by name: String?) -> Self {
        switch name {
        case "TERM": .terminated
        case "HUP": .hungUp
        case "QUIT": .quit
        default: .cancelled
        }
    }
}

/// ``SSHExitStatus``.
@available(*, deprecated, renamed: "SSHExitStatus")
public typealias ExitStatus = SSHExitStatus
