import ErrorCore

extension SSHRemoteCause {
    /// Whether the cause is about a file or host but does not name it.
    var isNameless: Bool {
        switch appError {
        case .fileNotFound(""), .filePermissionDenied(""), .fileReadError("", _), .fileWriteError("", _), .dnsError(""): true
        default: false
        }
    }
}

/// Makes the remote cause for a problem with a file or the network.
enum RemoteTroubleCause {
    /// - Parameter name: The file or host, and whether the line can mean no other.
    static func make(_ trouble: RemoteTrouble, _ name: (path: String, isSure: Bool)?, reason: String) -> SSHRemoteCause {
        let path = (name?.path ?? "").oneLine(1024)
        let place = path.isEmpty ? "" : " \(path)"
        let sure: SSHError.Confidence = name?.isSure == true ? .likely : .guess
        switch trouble {
        case .fileNotFound:
            return SSHRemoteCause(
                "file-not-found", .fileNotFound(path: path), "The file\(place) does not exist on the server", sure)
        case .permissionDenied:
            return SSHRemoteCause(
                "permission-denied", .filePermissionDenied(path: path),
                "The server does not allow access\(path.isEmpty ? "" : " to \(path)")", sure)
        case .noSpace:
            return SSHRemoteCause(
                "no-space", .insufficientDiskSpace(required: 0, available: 0),
                "The server's disk is full\(path.isEmpty ? "" : ": writing \(path) failed")", .likely)
        case .quotaExceeded:
            return SSHRemoteCause(
                "quota-exceeded", .insufficientDiskSpace(required: 0, available: 0),
                "The account's disk quota on the server is used up\(path.isEmpty ? "" : ": writing \(path) failed")", .likely)
        case .readOnly, .busy, .tooLarge, .exists:
            return SSHRemoteCause(
                code(trouble), .fileWriteError(path: path, reason: reason), "Writing\(place) failed: \(reason)", sure)
        case .inputOutput:
            let writing = reason.lowercased().contains("writ")
            return SSHRemoteCause(
                "input-output-error",
                writing ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "\(writing ? "Writing" : "Reading")\(place) failed: the server's disk or another device reports an error", sure)
        case .isDirectory, .notDirectory, .badPath:
            return SSHRemoteCause(
                code(trouble), .fileReadError(path: path, reason: reason), "Reading\(place) failed: \(reason)", sure)
        case .refused, .unreachable, .reset, .notConnected:
            return SSHRemoteCause(
                code(trouble), .networkUnavailable, "The command could not reach something from the server: \(reason)", .likely)
        case .timedOut:
            return SSHRemoteCause(
                "network-timed-out", .timeout(seconds: 0), "The command got no answer from something that it called: \(reason)",
                .likely)
        case .nameUnknown:
            return SSHRemoteCause("name-unknown", .dnsError(host: path), "The server could not resolve the name\(place)", sure)
        }
    }

    private static func code(_ trouble: RemoteTrouble) -> String {
        switch trouble {
        case .readOnly: "read-only"
        case .busy: "file-busy"
        case .tooLarge: "file-too-large"
        case .exists: "file-exists"
        case .isDirectory: "is-a-directory"
        case .notDirectory: "not-a-directory"
        case .badPath: "bad-path"
        case .refused: "connection-refused"
        case .unreachable: "unreachable"
        case .reset: "connection-reset"
        case .notConnected: "connection-failed"
        case .fileNotFound, .permissionDenied, .noSpace, .quotaExceeded, .inputOutput, .timedOut, .nameUnknown: trouble.rawValue
        }
    }
}
