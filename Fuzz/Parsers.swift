@testable import SSHFailure

/// All parsers of foreign input, by the names that scripts/fuzz accepts.
///
/// A parser may throw. It must not trap, read outside of its input, or leak.
enum Parsers {
    static let all: [String: @Sendable ([UInt8]) -> Void] = [
        "agent": agent, "configuration": configuration, "fields": fields, "identification": identification,
        "key-exchange": keyExchange, "key-file": keyFile, "known-hosts": knownHosts, "payload": payload,
        "public-key": publicKey, "session": FuzzedSession.run, "sftp": sftp, "transcript": transcript,
    ]

    /// The text and the JSON of a failure contain no terminal escapes.
    static func check(_ evidence: SSHEvidence) {
        let error = SSHFailureClassifier.classify(evidence)
        precondition(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        error.json.write { piece in precondition(piece.allSatisfy { $0 >= 0x20 && $0 != 0x7f }) }
    }
}
