@testable import BridgeSSH
@testable import SSHModel

extension Parsers {
    /// The fields of messages between a run and the helper that keeps its connection.
    @Sendable static func fields(_ bytes: [UInt8]) {
        guard let value = try? FieldCoder.value(of: SSHConnectionConfiguration.self, from: bytes) else { return }
        let written = FieldCoder.bytes(of: value)
        guard let again = try? FieldCoder.value(of: SSHConnectionConfiguration.self, from: written) else {
            preconditionFailure("what was written cannot be read")
        }
        precondition(FieldCoder.bytes(of: again) == written)
    }
}
