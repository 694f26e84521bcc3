internal import CLibSSH2

/// Authentication (RFC 4252).
extension LibrarySession {
    /// Whether the server has accepted the user.
    var isAuthenticated: Bool { libssh2_userauth_authenticated(raw) == 1 }

    /// Asks with method `none` for the methods that can continue (RFC 4252 section 5.2).
    ///
    /// - Parameter methods: called with their names, unless the server accepts the user without any credential.
    func authenticationMethods(user: String, _ methods: ([String]) -> Void) -> LibraryResult {
        let made = bridge_userauth_list(raw, user, UInt32(user.utf8.count))
        if let list = made.text { methods(String(cString: list).split(separator: ",").map(String.init)) }
        // There is no list either where no credential is needed, and then nothing is wrong.
        if made.text == nil, isAuthenticated { return .success(0) }
        return result(made.result)
    }

    /// Offers a password (RFC 4252 section 8).
    func authenticate(user: String, password: SSHSecret) -> LibraryResult {
        password.withBytes { bytes in
            result(
                bridge_userauth_password_ex(
                    raw, user, UInt32(user.utf8.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    UInt32(bytes.count), Self.noNewPassword))
        }
    }

    /// Has no new password to give. Without a callback libssh2 1.10 treats the request for one as a refusal.
    private static let noNewPassword:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeMutablePointer<Int32>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { _, _, _, _ in }

    /// A session for the thread that borrows it: see ``SessionLoan``.
    func loan(user: String) -> SessionLoan { SessionLoan(library: self, user: user) }
}
