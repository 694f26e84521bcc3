/// The exit status of `bridge-ssh run`. A remote command's own status, 0–255, is passed on unchanged.
public struct SSHExitStatus: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The status, 0–255.
    public let rawValue: Int32

    /// A status of this value.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The number.
    public var description: String { "\(rawValue)" }

    /// Status 0 and the end of the output came.
    public static let success = Self(rawValue: 0)
    /// Several hosts, with different outcomes.
    public static let mixed = Self(rawValue: 1)
    /// The remote command failed, where its own status is not passed on.
    public static let commandFailure = Self(rawValue: 1)
    /// Of a copy: a file could not be copied, while the connection was sound; cp(1) and scp(1) exit with it too.
    public static let fileFailure = Self(rawValue: 1)
    /// Killed by SIGHUP: 128 + 1.
    public static let hungUp = Self(rawValue: 129)
    /// Cancelled: 128 + SIGINT.
    public static let cancelled = Self(rawValue: 130)
    /// Killed by SIGQUIT: 128 + 3.
    public static let quit = Self(rawValue: 131)
    /// The reader of standard output closed it: 128 + SIGPIPE, as of any filter.
    public static let outputClosed = Self(rawValue: 141)
    /// Killed by SIGTERM: 128 + 15.
    public static let terminated = Self(rawValue: 143)
    /// A fleet run was stopped before all its hosts had their turn.
    public static let stopped = Self(rawValue: 192)
    /// Could not be reached: resolve, connect, banner closed, busy or penalised.
    public static let unreachable = Self(rawValue: 193)
    /// Timed out, in any stage.
    public static let timedOut = Self(rawValue: 194)
    /// Not SSH, negotiation, protocol.
    public static let protocolFailure = Self(rawValue: 195)
    /// Host key.
    public static let hostKeyFailure = Self(rawValue: 196)
    /// Authentication, agent, account.
    public static let authenticationFailure = Self(rawValue: 197)
    /// Session refused or lost, or its outcome is unknown.
    public static let sessionFailure = Self(rawValue: 198)
    /// Usage, configuration, key file.
    public static let localFailure = Self(rawValue: 199)
    /// Unclassified (a bug; please report it).
    public static let unclassified = Self(rawValue: 255)

    /// The convention for the status of a failure that is not the remote command's.
    public enum Convention: String, Sendable, Hashable, CaseIterable {
        /// 193–199, by the kind of failure.
        case bridge
        /// 255 for all of them, as OpenSSH's `ssh` does.
        case ssh
    }

    /// What becomes of the status of a remote command that failed.
    public enum CommandStatus: String, Sendable, Hashable, CaseIterable {
        /// It is passed on, so that 193–199 may be the command's too.
        case remote
        /// It becomes 1, so that every other status is known to be of another kind.
        case strict
    }

    /// The status of a run whose reader has gone.
    package static func outputClosed(_ convention: Convention) -> Self { convention == .ssh ? .unclassified : .outputClosed }

    /// The status of a remote command that exited: its own. One outside 0–255 (a Windows server's) keeps its low byte,
    /// but never becomes a success by that.
    public static func remote(_ status: Int) -> Self {
        let low = Int32(UInt8(truncatingIfNeeded: status))
        return Self(rawValue: low == 0 && status != 0 ? 255 : low)
    }

    /// The status of a remote command that a signal killed: 128 + its number, 128 where the number is not known.
    public static func killed(by signal: SSHExitSignal) -> Self {
        Self(rawValue: 128 + Int32(signal.number ?? 0))
    }

    /// One status for several hosts: 0 if all succeeded, the common one if all ended alike, otherwise 1.
    public static func overall(_ statuses: some Sequence<SSHExitStatus>) -> Self {
        let distinct = Set(statuses)
        guard let first = distinct.first else { return .success }
        return distinct.count == 1 ? first : .mixed
    }

    /// The status of a process that a signal ends in order: 128 and its number.
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
