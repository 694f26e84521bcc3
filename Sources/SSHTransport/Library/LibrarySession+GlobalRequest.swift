internal import CLibSSH2
internal import CPayloadTap

/// Global requests (RFC 4254 section 4) and the session identifier, for which libssh2 has no functions.
extension LibrarySession {
    /// Sends a global request in the place of a keepalive of libssh2's.
    ///
    /// - Parameter payload: the message, with its number.
    /// - Returns: whether it was sent. libssh2 sends nothing during a key re-exchange, and its keepalive if the message is too long
    ///   for a packet, or if the way out is not watched (`guard_watch_outgoing`).
    func send(globalRequest payload: [UInt8]) -> Bool {
        assert(!isFreed)
        configureKeepalives()
        return payload.withUnsafeBufferPointer { bytes in
            tap.pointee.substitute = bytes.baseAddress
            tap.pointee.substitute_length = bytes.count
            sendKeepalive()
            defer { tap.pointee.substitute = nil }
            return tap.pointee.substitute == nil
        }
    }

    /// Notes the server's answers to global requests, which libssh2 keeps for the session's lifetime.
    func noteHeldAnswers() {
        assert(!isFreed)
        bridge_tap_show_held(tap, 81)
        bridge_tap_show_held(tap, 82)
    }

    /// The session identifier (RFC 4253 section 7.2): the first exchange's hash; nil if it is not found.
    ///
    /// - Parameter method: the first exchange's method, whose name ends in its hash.
    func sessionIdentifier(of method: String) -> [UInt8]? {
        assert(!isFreed)
        guard let length = Self.hashLength(of: method) else { return nil }
        var identifier = [UInt8](repeating: 0, count: length)
        return bridge_tap_session_identifier(tap, length, &identifier) == 1 ? identifier : nil
    }

    /// RFC 4253 section 8.1, RFC 5656 section 6.2.1, RFC 8268, RFC 8731.
    private static func hashLength(of method: String) -> Int? {
        let hashes = ["sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64]
        let curves = ["ecdh-sha2-nistp256": 32, "ecdh-sha2-nistp384": 48, "ecdh-sha2-nistp521": 64]
        if let length = curves[method] { return length }
        let name = method.split(separator: "@").first ?? ""
        return name.split(separator: "-").last.flatMap { hashes[String($0)] }
    }
}
