internal import ErrorCore
internal import Synchronization

/// The result of a copy.
public struct SFTPCopyResult: Sendable, Equatable {
    /// Files that are complete.
    public var files = 0
    /// Directories, including those that existed already.
    public var directories = 0
    /// Symbolic links.
    public var symbolicLinks = 0
    /// Bytes that were moved.
    public var bytes: UInt64 = 0
    /// Bytes that an earlier copy had moved.
    public var resumedBytes: UInt64 = 0
    /// Files whose checksums were compared and found equal.
    public var verifiedFiles = 0
    /// Files whose requested checksum comparison was not possible; a notice gives the reason.
    public var unverifiedFiles = 0
    /// Entries of directories that were left out: neither files, directories nor links, or links that lead out of the tree.
    public var leftOut = 0
    /// Notices about files that were omitted, not verified, or written in another way: the first 1,000, and then one with the
    /// number of the others.
    public var notices: [String] = []
    /// The failures of single files in a copy that continued: the first 1,000; a notice gives the number of the others.
    public var failures: [SSHError] = []
    /// The number of failures, including those that are not in ``failures``.
    public var failureCount = 0
    /// Partial copies that are left: with ``SFTPCopyOptions/resumes`` a later copy resumes them, otherwise they could not be
    /// removed. In no particular order, and at most 1,000; a notice gives the number of the others.
    public var partialFiles: [String] = []

    /// Nothing yet.
    public init() {}
}

/// The end of a copy, before it is reported.
package struct CopyOutcome: Sendable {
    package var result: SFTPCopyResult?
    /// The error that ended it before everything was tried.
    package var error: SSHError?
    package var progress = SFTPProgress()
    package var timings = SSHStageTimings()
    /// The duration of all attempts, including the waits between them.
    package var durationSeconds = 0.0
    /// The duration since the first connection was established.
    package var copySeconds = 0.0
    package var attempts = 1

    package init(error: SSHError? = nil) { self.error = error }

    /// Whether everything was copied, and verified if requested.
    package var isComplete: Bool { error == nil && (result?.isComplete ?? true) }
}

extension SFTPCopyResult {
    /// Whether everything was copied, and verified if requested.
    package var isComplete: Bool { failureCount + leftOut + unverifiedFiles == 0 }
}

/// The JSON object of a copy, `bridge-ssh-copy/1`: see docs/json-schema-copy.json.
package struct CopyReport: Sendable {
    /// The direction of the copy.
    package enum Direction: String, Sendable {
        case upload, download
        /// From one host to another, through this one.
        case relay
    }

    /// Nil if the arguments did not name it.
    package var direction: Direction?
    /// Of a relay.
    package var sourceHost: String?
    package var endpoint = SSHEndpoint(unchecked: "", user: "")
    /// The host as it was typed.
    package var named = ""
    /// The SSH client that made the connection: `libssh2`, or `ssh` of OpenSSH.
    package var via = "libssh2"
    package var sources: [String] = []
    package var target = ""
    private let outcome: CopyOutcome

    package init(_ outcome: CopyOutcome) { self.outcome = outcome }

    /// The report on a copy that never started.
    package init(error: SSHError) { self.init(CopyOutcome(error: error)) }

    /// The object.
    package var json: JSONValue {
        let (result, progress) = (outcome.result, outcome.progress)
        let failures = result?.failures ?? []
        let error = outcome.error ?? failures.first
        return .members([
            "schema": .string("bridge-ssh-copy/1"),
            "direction": direction.map { .string($0.rawValue) } ?? .null,
            "destination": .string(named), "host": .string(endpoint.host), "user": .string(endpoint.user),
            "port": .integer(endpoint.port), "via": .string(via),
            "sources": .array(sources.map(Self.path)), "target": Self.path(target),
            "sourceHost": sourceHost.map { .string($0) } ?? .null,
            "outcome": .string(error != nil ? "failed" : outcome.isComplete ? "succeeded" : "incomplete"),
            "files": .integer(result?.files ?? progress.files),
            "directories": .integer(result?.directories ?? 0),
            "symbolicLinks": .integer(result?.symbolicLinks ?? 0),
            "bytes": .integer(Int(clamping: result?.bytes ?? progress.bytes)),
            "resumedBytes": .integer(Int(clamping: result?.resumedBytes ?? 0)),
            "verifiedFiles": .integer(result?.verifiedFiles ?? 0),
            "unverifiedFiles": .integer(result?.unverifiedFiles ?? 0),
            "leftOut": .integer(result?.leftOut ?? 0),
            "failureCount": .integer(result?.failureCount ?? 0),
            "attempts": .integer(outcome.attempts),
            "partialFiles": .array((result?.partialFiles ?? []).sorted().map(Self.path)),
            "notices": .array((result?.notices ?? []).map { .string(TerminalText.inert($0, limit: 4096)) }),
            "durationSeconds": .number(outcome.durationSeconds),
            "timings": outcome.timings.json,
            "error": error?.json ?? .null,
            "failures": .array(failures.map(\.json)),
        ])
    }

    private static func path(_ path: String) -> JSONValue { .string(PathText.shown(path)) }
}
