import ErrorCore

/// Causes read from lines of standard error, the last telling one first.
enum RemoteLines {
    static let cause: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        for line in failure.lines.reversed() {
            if let cause = cause(of: line) { return cause }
        }
        return nil
    }

    /// What one line says.
    static func cause(of line: String) -> RemoteCause? {
        let lower = line.lowercased()
        if tls.contains(where: { lower.contains($0) }) {
            return RemoteCause(
                "tls-failed", .sslError(description: line.oneLine()), "TLS failed on the remote side: \(line.oneLine())", .likely)
        }
        for wording in RemoteTrouble.wordings {
            guard let range = lower.firstRange(of: wording.text) else { continue }
            // Lower-casing keeps the number of characters in every language of the table, so that offsets carry over.
            let start = line.index(line.startIndex, offsetBy: lower.distance(from: lower.startIndex, to: range.lowerBound))
            let end = line.index(
                start, offsetBy: lower.distance(from: range.lowerBound, to: range.upperBound), limitedBy: line.endIndex)
            guard let end else { continue }
            return cause(wording.trouble, named: RemotePath.named(in: line, around: start..<end), line: line)
        }
        return nil
    }

    private static let tls = [
        "ssl certificate problem", "certificate verify failed", "certificate has expired", "self-signed certificate",
        "self signed certificate", "unable to get local issuer certificate", "tls handshake", "ssl handshake", "x509: ",
        "server certificate verification failed", "ssl_error", "ssl routines", "gnutls_handshake", "certificate is not trusted",
    ]

    private static func cause(_ trouble: RemoteTrouble, named name: String?, line: String) -> RemoteCause {
        let path = (name ?? "").oneLine(1024)
        let place = path.isEmpty ? "" : " \(path)"
        let reason = line.oneLine()
        let sure: SSHError.Confidence = path.isEmpty ? .guess : .likely
        switch trouble {
        case .fileNotFound:
            return RemoteCause("file-not-found", .fileNotFound(path: path), "The file\(place) does not exist on the server", sure)
        case .permissionDenied:
            return RemoteCause(
                "permission-denied", .filePermissionDenied(path: path),
                "The server does not allow access\(path.isEmpty ? "" : " to \(path)")", sure)
        case .noSpace:
            return RemoteCause(
                "no-space", .insufficientDiskSpace(required: 0, available: 0),
                "The server's disk is full\(path.isEmpty ? "" : ": writing \(path) failed")",
                .likely)
        case .quotaExceeded:
            return RemoteCause(
                "quota-exceeded", .insufficientDiskSpace(required: 0, available: 0),
                "The account's disk quota on the server is used up\(path.isEmpty ? "" : ": writing \(path) failed")", .likely)
        case .readOnly, .busy, .tooLarge, .exists:
            return RemoteCause(
                code(trouble), .fileWriteError(path: path, reason: reason), "Writing\(place) failed: \(reason)", sure)
        case .inputOutput:
            let writing = reason.lowercased().contains("writ")
            return RemoteCause(
                "input-output-error",
                writing ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "\(writing ? "Writing" : "Reading")\(place) failed: the server's disk or another device reports an error", sure)
        case .isDirectory, .notDirectory, .badPath:
            return RemoteCause(
                code(trouble), .fileReadError(path: path, reason: reason), "Reading\(place) failed: \(reason)", sure)
        case .refused, .unreachable, .reset:
            return RemoteCause(
                code(trouble), .networkUnavailable, "The command could not reach something from the server: \(reason)", .likely)
        case .timedOut:
            return RemoteCause(
                "network-timed-out", .timeout(seconds: 0), "The command got no answer from something that it called: \(reason)",
                .likely)
        case .nameUnknown:
            return RemoteCause("name-unknown", .dnsError(host: path), "The server could not resolve the name\(place)", .likely)
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
        case .fileNotFound, .permissionDenied, .noSpace, .quotaExceeded, .inputOutput, .timedOut, .nameUnknown: trouble.rawValue
        }
    }
}
