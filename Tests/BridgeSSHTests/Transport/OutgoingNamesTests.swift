import BridgeSSH
import CPayloadTap
import Testing

/// Requests for authentication with an RSA key, which libssh2 1.10 can only make under the algorithm's name (RFC 8332).
@Suite("The names in outgoing requests") struct OutgoingNamesTests {
    private func request(_ algorithm: String, key: String, method: String = "publickey", signature: [UInt8]? = nil) -> [UInt8] {
        var blob = SSHWireWriter()
        blob.string(key)
        blob.mpint([1, 0, 1])
        blob.mpint([UInt8](repeating: 0x77, count: 256))
        var message = SSHWireWriter()
        message.byte(50)
        message.string("alice")
        message.string("ssh-connection")
        message.string(method)
        message.boolean(signature != nil)
        message.string(algorithm)
        message.string(blob.bytes)
        if let signature { message.string(signature) }
        return message.bytes
    }

    private func named(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        let length = bytes.withUnsafeMutableBufferPointer { bridge_tap_name_rsa_key($0.baseAddress, $0.count) }
        return Array(bytes.prefix(length))
    }

    @Test("an RSA key gets its own name back, with and without a signature", arguments: ["rsa-sha2-512", "rsa-sha2-256"])
    func restored(_ algorithm: String) {
        for signature in [nil, [UInt8](repeating: 9, count: 300)] {
            #expect(
                named(request(algorithm, key: algorithm, signature: signature))
                    == request(algorithm, key: "ssh-rsa", signature: signature))
        }
    }

    @Test("other requests and other messages are unchanged")
    func untouched() {
        let others = [
            request("rsa-sha2-512", key: "ssh-rsa"), request("ssh-rsa", key: "ssh-rsa"),
            request("ssh-ed25519", key: "ssh-ed25519"),
            request("rsa-sha2-512", key: "rsa-sha2-256"), request("rsa-sha2-512", key: "rsa-sha2-512", method: "password"),
            request("rsa-sha2-512-cert-v01@openssh.com", key: "ssh-rsa-cert-v01@openssh.com"), [50], [], [94, 0, 0, 0, 1],
        ]
        for message in others { #expect(named(message) == message) }
    }

    @Test("a message that is cut off anywhere is not read past its end")
    func cut() {
        let whole = request("rsa-sha2-512", key: "rsa-sha2-512")
        for count in 0..<whole.count { #expect(named(Array(whole.prefix(count))) == Array(whole.prefix(count))) }
    }
}
