import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Logins that a real sshd refuses, and those that it must accept.
@Suite("Matrix: authentication") struct AuthenticationMatrix {
    static let refused: [SSHDCase] = [
        SSHDCase("stranger's key", .failure(.authKeyRejected)) { box, testRun in
            testRun.identities = [try box.identityFile(try await TestKey.make(name: "stranger"))]
        },
        SSHDCase("stranger's RSA key", .failure(.authKeyRejected)) { box, testRun in
            testRun.identities = [try box.identityFile(try await TestKey.make(.rsa, name: "stranger"))]
        },
        SSHDCase("wrong password", .failure(.authPasswordRejected)) { $1.use(password: "wr0ng-pw") },
        SSHDCase("wrong password, PAM", .failure(.authPasswordRejected), pam: true) { $1.use(password: "wr0ng-pw") },
        SSHDCase(
            "wrong password, keyboard-interactive only", .failure(.authKeyboardInteractiveRejected),
            server: "PasswordAuthentication no", pam: true
        ) { $1.use(password: "wr0ng-pw") },
        SSHDCase("unknown user, key", .failure(.authKeyRejected)) { $1.user = "nobody-here" },
        SSHDCase("unknown user, password", .failure(.authPasswordRejected)) {
            $1.user = "nobody-here"
            $1.use(password: "wr0ng-pw")
        },
        SSHDCase("AllowUsers, key", .failure(.authKeyRejected), server: "AllowUsers bob"),
        SSHDCase("AllowUsers, password", .failure(.authPasswordRejected), server: "AllowUsers bob") {
            $1.use(password: "alice-pw")
        },
        SSHDCase("DenyGroups", .failure(.authKeyRejected), server: "DenyGroups alice"),
        SSHDCase("locked, key", .failure(.authKeyRejected), as: .locked),
        SSHDCase("locked, password", .failure(.authPasswordRejected), as: .locked) { $1.use(password: "any-pw") },
        SSHDCase("missing shell, key", .failure(.authKeyRejected), as: .ghostshell),
        SSHDCase("missing shell, password", .failure(.authPasswordRejected), as: .ghostshell) {
            $1.use(password: "ghostshell-pw")
        },
        SSHDCase("authorized_keys open to others", .failure(.authKeyRejected), as: .loosekeys),
        SSHDCase("home open to others", .failure(.authKeyRejected), as: .loosehome),
        SSHDCase("from= another address", .failure(.authKeyRejected)) { box, _ in
            try box.authorize(keyOptions: "from=\"192.0.2.1\"")
        },
        SSHDCase("expired in authorized_keys", .failure(.authKeyRejected)) { box, _ in
            try box.authorize(keyOptions: "expiry-time=\"20200101\"")
        },
        SSHDCase("root not permitted", .failure(.authPasswordRejected), server: "PermitRootLogin no") {
            $1.user = "root"
            $1.use(password: "root-pw")
        },
        SSHDCase(
            "only keys, and the client has a password", .failure(.authMethodNotOffered),
            server: "PasswordAuthentication no"
        ) {
            $1.use(password: "alice-pw")
        },
        SSHDCase(
            "only passwords, and the client has a key", .failure(.authMethodNotOffered),
            server: "PubkeyAuthentication no"),
        SSHDCase("algorithm not accepted", .failure(.authKeyRejected), server: "PubkeyAcceptedAlgorithms ecdsa-sha2-nistp256"),
        SSHDCase("nothing to offer", .failure(.authNoCredentials)) { $1.identities = [] },
        SSHDCase("second factor missing", .failure(.authMoreFactorsRequired), server: "AuthenticationMethods publickey,password"),
        SSHDCase("second key missing", .failure(.authMoreFactorsRequired), server: "AuthenticationMethods publickey,publickey"),
        SSHDCase(
            "key missing as second factor", .failure(.authMoreFactorsRequired),
            server: "AuthenticationMethods password,publickey"
        ) { $1.use(password: "alice-pw") },
        SSHDCase(
            "second factor wrong", .failure(.authPasswordRejected), server: "AuthenticationMethods publickey,password"
        ) { $1.password = "wr0ng-pw" },
        SSHDCase(
            "second factor wrong, keyboard-interactive", .failure(.authKeyboardInteractiveRejected),
            server: "AuthenticationMethods publickey,keyboard-interactive", pam: true
        ) { $1.password = "wr0ng-pw" },
        SSHDCase(
            "second factor missing, keyboard-interactive", .failure(.authMoreFactorsRequired),
            server: "AuthenticationMethods publickey,keyboard-interactive", pam: true),
        SSHDCase(
            "only questions, and the client has a key", .failure(.authMethodNotOffered),
            server: "PubkeyAuthentication no\nPasswordAuthentication no", pam: true),
        SSHDCase(
            "the server's patience ends", .failure(.authTimedOut), server: "LoginGraceTime 8", pam: true,
            options: { $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.slow) }
        ) { $1.use(password: "alice-pw") },
        SSHDCase("too many keys", .failure(.authTooManyAttempts), server: "MaxAuthTries 2") { box, testRun in
            testRun.identities = []
            for number in 0..<4 {
                testRun.identities.append(try box.identityFile(try await TestKey.make(name: "extra\(number)")))
            }
        },
        SSHDCase("one try, wrong password", .failure(.authTooManyAttempts), server: "MaxAuthTries 1") {
            $1.use(password: "wr0ng-pw")
        },
    ]

    @Test("refused logins", arguments: refused)
    func isRefused(_ test: SSHDCase) async throws { try await test.check() }

    static let accounts: [SSHDCase] = [
        // Without PAM, sshd examines the age of the password only if it checks the password.
        SSHDCase("expired password, key, no PAM", .success, as: .expired),
        SSHDCase("expired password, key, PAM", .remote(.authPasswordExpired, 1), as: .expired, pam: true),
        SSHDCase("expired password, password, no PAM", .remote(.authPasswordExpired, 1), as: .expired) {
            $1.use(password: "expired-pw")
        },
        SSHDCase("expired password, password, PAM", .remote(.authPasswordExpired, 1), as: .expired, pam: true) {
            $1.use(password: "expired-pw")
        },
        SSHDCase(
            "expired password, keyboard-interactive", .failure(.authPasswordExpired), as: .expired,
            server: "PasswordAuthentication no", pam: true
        ) { $1.use(password: "expired-pw") },
        SSHDCase("ended account, key, no PAM", .failure(.authKeyRejected), as: .gone),
        SSHDCase("ended account, key, PAM", .failure(.authAccountDenied), as: .gone, pam: true),
        SSHDCase("ended account, password, no PAM", .failure(.authPasswordRejected), as: .gone) { $1.use(password: "gone-pw") },
        SSHDCase("ended account, password, PAM", .failure(.authAccountDenied), as: .gone, pam: true) {
            $1.use(password: "gone-pw")
        },
        SSHDCase(
            "ended account, keyboard-interactive", .failure(.authAccountDenied), as: .gone, server: "PasswordAuthentication no",
            pam: true
        ) { $1.use(password: "gone-pw") },
        SSHDCase("nologin file, no PAM", .closed) { box, _ in
            try box.put("Closed for maintenance until noon.\n", at: "/etc/nologin")
        },
        SSHDCase(
            "nologin file, PAM, key", .failure(.authLoginsClosed, saying: "Closed for maintenance"), pam: true,
            options: { $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.nologin) }
        ) { box, _ in try box.put("Closed for maintenance until noon.\n", at: "/etc/nologin") },
        SSHDCase(
            "nologin file, PAM, password", .failure(.authLoginsClosed, saying: "Closed for maintenance"), pam: true,
            options: { $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.nologin) }
        ) { box, testRun in
            try box.put("Closed for maintenance until noon.\n", at: "/etc/nologin")
            testRun.use(password: "alice-pw")
        },
        SSHDCase(
            "account denied without a word, key", .failure(.authConnectionDropped), pam: true,
            options: { $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.deniedAccount) }),
        SSHDCase(
            "account denied without a word, password", .failure(.authConnectionDropped), pam: true,
            options: { $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.deniedAccount) }
        ) { $1.use(password: "alice-pw") },
    ]

    @Test("accounts that must not log in", arguments: accounts)
    func account(_ test: SSHDCase) async throws { try await test.check() }
}

/// PAM services.
enum Services {
    static let nologin = """
        auth required pam_unix.so
        account required pam_nologin.so
        account required pam_unix.so
        password required pam_unix.so
        session required pam_unix.so

        """
    static let slow = """
        auth required pam_exec.so quiet /bin/sleep 60
        auth required pam_unix.so
        account required pam_unix.so
        session required pam_unix.so

        """
    /// A session may hold as many processes as sshd itself needs.
    static let oneProcess = """
        auth required pam_unix.so
        account required pam_unix.so
        session required pam_limits.so

        """
    static let deniedAccount = """
        auth required pam_unix.so
        account required pam_deny.so
        password required pam_unix.so
        session required pam_unix.so

        """
}

extension SSHDSandbox {
    /// Lets alice in with the client key under these options of authorized_keys, see sshd(8).
    func authorize(keyOptions: String) throws {
        try put("\(keyOptions) \(clientKey.publicKey)\n", at: "/home/alice/.ssh/authorized_keys")
    }

    /// Overwrites a file and keeps its owner; a new one belongs to root and is readable.
    func put(_ text: String, at path: String) throws {
        let handle = try FileHandle(forWritingTo: created(path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func created(_ path: String) throws -> URL {
        let url = url(of: path)
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        return url
    }
}
