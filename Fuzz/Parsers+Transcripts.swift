@testable import SSHTranscripts

extension Parsers {
    /// Output of another client.
    @Sendable static func transcript(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        _ = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: Int(bytes.first ?? 0)))
        var log = SSHTranscriptLog()
        _ = log.take(text)
        _ = log.finish()
    }
}
