import BridgeSSH
import Glibc
import Testing

/// Remedies that fit the cause: a setting of the user's, an account, an address.
@Suite("Remedies that fit the cause")
struct SettingRuleTests {
    private static func setting(_ keyword: String, _ place: String, _ excluded: [String] = []) -> SSHSettingEvidence {
        SSHSettingEvidence(keyword: keyword, place: place, excluded: excluded)
    }

    private static func weakCipher(_ setting: SSHSettingEvidence?) -> SSHError {
        var evidence = Seen.algorithms { _ in }
        evidence.clientAlgorithms?.cipherToServer = ["3des-cbc"]
        evidence.setting = setting
        return SSHFailureClassifier.classify(evidence)
    }

    @Test("the user's setting is named, and the server is not asked for a weak algorithm")
    func algorithms() {
        let error = Self.weakCipher(Self.setting("Ciphers", "command-line", ["aes256-ctr"]))
        #expect(error.code == .kexNoCommonCipher)
        #expect(error.remedy == "Remove your setting Ciphers (given with -o), or add aes256-ctr to it: the server offers that.")
        let file = Self.weakCipher(Self.setting("Ciphers", "/home/alice/.ssh/config:3", ["aes256-ctr"]))
        #expect(file.remedy.contains("Ciphers (/home/alice/.ssh/config:3)"))
        #expect(!Self.weakCipher(nil).remedy.contains("3des"))
    }

    @Test("methods missing in libssh2 are blamed on the setting, and --via ssh is named")
    func foreignMethods() {
        var evidence = Seen.login { $0.methodsHeld = [] }
        evidence.setting = Self.setting("PreferredAuthentications", "/home/alice/.ssh/config:4", ["gssapi-with-mic"])
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .authNoCredentials)
        #expect(error.message.contains("PreferredAuthentications (/home/alice/.ssh/config:4) allows only gssapi-with-mic"))
        #expect(error.remedy.contains("`--via ssh`") && !error.message.contains("turns publickey"))
    }

    @Test("a source address that this machine lacks is the setting's fault, not a route's")
    func ownAddress() {
        var evidence = Seen.addresses(EADDRNOTAVAIL, EADDRNOTAVAIL)
        evidence.setting = Self.setting("BindAddress", "-o BindAddress=192.0.2.9")
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .connectFailed)
        #expect(error.message.contains("your setting BindAddress (`-o BindAddress=192.0.2.9`)"))
        #expect(!error.message.contains("route"))
    }

    @Test("an algorithm that the installed libssh2 lacks is not proposed")
    func lackingLibrary() {
        let error = Self.weakCipher(Self.setting("Ciphers", "command-line", ["aes128-gcm@openssh.com"]))
        let own = "Remove your setting Ciphers (given with -o), or update libssh2; here it is 1.10.0."
        #expect(error.remedy.hasPrefix(own) && error.remedy.dropFirst(own.count).contains("`--via ssh`"), "\(error.remedy)")
    }

    @Test("the setting with a key file's path is named")
    func identity() {
        var evidence = Seen.that(.keyUnusable(SSHKeyProblem(reason: .notFound, path: "/k", detail: "")), at: .key)
        #expect(SSHFailureClassifier.classify(evidence).remedy.contains("with --identity"))
        evidence.setting = Self.setting("IdentityFile", "/home/alice/.ssh/config:7")
        let hint = SSHFailureClassifier.classify(evidence).remedy
        #expect(hint.contains("IdentityFile (/home/alice/.ssh/config:7)") && !hint.contains("--identity"))
    }

    @Test("no key is created if there is no directory")
    func noDirectory() {
        let problem = SSHKeyProblem(reason: .notFound, path: "/d/k", detail: SSHKeyProblem.lacksDirectory, systemError: ENOENT)
        let remedy = SSHFailureClassifier.classify(Seen.that(.keyUnusable(problem), at: .key)).remedy
        #expect(remedy == "Check the path given with --identity: its directory does not exist.")
    }

    @Test("a directory in the place of a key")
    func directory() {
        let problem = SSHKeyProblem(reason: .unreadable, path: "/d", detail: "It is a directory.", systemError: EISDIR)
        #expect(
            SSHFailureClassifier.classify(Seen.that(.keyUnusable(problem), at: .key)).remedy == "Name the key file in it: `ls /d`"
        )
    }

    @Test("an encrypted and an exposed key are described once")
    func onceOnly() {
        let encrypted = SSHKeyProblem(
            reason: .passphraseRequired, path: "/k", detail: "It is encrypted with aes256-ctr and no passphrase was given.")
        let message = SSHFailureClassifier.classify(Seen.that(.keyUnusable(encrypted), at: .key)).message
        #expect(message == "The key /k is encrypted, and no passphrase was given for it.")
        let exposed = SSHKeyProblem(reason: .permissionsTooOpen, path: "/k", detail: "Its mode is 0644.")
        let error = SSHFailureClassifier.classify(Seen.that(.keyUnusable(exposed), at: .key))
        #expect(error.message == "Other users can read the private key /k. Its mode is 0644.")
        #expect(error.remedy == "Make it private: `chmod 600 /k`")
    }

    @Test("a key that was offered with two algorithms is one key")
    func oneKey() {
        func message(_ fingerprints: [String], _ second: String) -> String {
            let seen = Seen.login(.credentialsExhausted, [("publickey", .refused), ("publickey", .refused)]) {
                for index in 0...1 {
                    $0.attempts[index].fingerprint = fingerprints[index]
                    $0.attempts[index].keyType = "ssh-rsa"
                    $0.attempts[index].signatureAlgorithm = ["rsa-sha2-512", second][index]
                }
            }
            return SSHFailureClassifier.classify(seen).message
        }
        #expect(!message(["SHA256:a", "SHA256:a"], "ssh-rsa").contains("keys"))
        #expect(message(["SHA256:a", "SHA256:b"], "rsa-sha2-512").contains("the last of 2 keys"))
    }

    @Test("a setting that leaves out every key")
    func leavesOutAll() {
        var evidence = Seen.that(.credentialsExhausted, at: .authentication)
        evidence.authentication = SSHAuthenticationEvidence()
        evidence.authentication?.keyProblems = [.notAccepted("/k", "ssh-ed25519")]
        evidence.setting = Self.setting("PubkeyAcceptedAlgorithms", "command-line")
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .authNoCredentials)
        #expect(error.message.contains("PubkeyAcceptedAlgorithms (given with -o) leaves out /k"))
        #expect(!error.message.contains("turns publickey"))
        evidence.authentication?.methodsOffered = ["publickey"]
        evidence.authentication?.methodsHeld = ["password"]
        let other = SSHFailureClassifier.classify(evidence)
        #expect(other.code == .authMethodNotOffered && other.remedy.contains("Give a key that your setting"))
    }

    @Test("a setting that turns off publickey authentication")
    func turnedOff() {
        var evidence = Seen.that(.credentialsExhausted, at: .authentication)
        evidence.authentication = SSHAuthenticationEvidence()
        evidence.setting = Self.setting("PubkeyAuthentication", "command-line")
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .authNoCredentials)
        #expect(error.message.contains("PubkeyAuthentication (given with -o) turns publickey authentication off"))
        #expect(!error.message.contains("no usable key"))
        evidence.authentication?.methodsOffered = ["publickey"]
        evidence.authentication?.methodsHeld = ["password"]
        let other = SSHFailureClassifier.classify(evidence)
        #expect(other.code == .authMethodNotOffered)
        #expect(other.remedy.contains("Remove your setting PubkeyAuthentication") && !other.remedy.contains("--identity"))
    }

    @Test(
        "ssh-copy-id is suggested only if the server accepts a password", arguments: [["publickey"], ["publickey", "password"]])
    func copyID(offered: [String]) {
        var evidence = Seen.login(.credentialsExhausted, [("publickey", .refused)])
        evidence.authentication?.methodsOffered = offered
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .authKeyRejected)
        #expect(
            error.remedy.contains("ssh-copy-id -") || error.remedy.contains("ssh-copy-id alice") == offered.contains("password"))
        #expect(error.remedy.contains("accepts no password") != offered.contains("password"))
        #expect(error.alternatives.contains { $0.contains("login shell does not exist") })
    }

    @Test("an SFTP-only account gets a hint to copy")
    func sftpOnly() {
        let evidence = Seen.that(.commandEnded, at: .command) {
            var command = SSHCommandEvidence(command: "uptime")
            command.progress = .accepted
            command.exitStatus = 1
            command.endOfOutput = true
            command.channelClosed = true
            command.standardOutputTail = "This service allows sftp connections only.\n"
            $0.command = command
        }
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .commandLoginShellDenied)
        #expect(error.remedy.contains("`bridge-ssh copy`") && !error.remedy.contains("chsh"))
    }

    @Test("a link-local address needs its interface")
    func zones() {
        var evidence = Seen.addresses(EINVAL)
        evidence.host = "fe80::1"
        #expect(SSHFailureClassifier.classify(evidence).remedy.contains("fe80::1%eth0"))
        var unknown = Seen.that(.resolutionFailed(code: -2, name: .notFound, message: "x"), at: .resolve)
        unknown.host = "fe80::1%nope"
        #expect(SSHFailureClassifier.classify(unknown).message == "This machine has no network interface named nope.")
    }

    @Test("an unknown time limit has no seconds", arguments: [SSHStage.connect, .banner, .keyExchange, .authentication])
    func unknownLimit(stage: SSHStage) {
        let error = SSHFailureClassifier.classify(Seen.that(.deadlinePassed(SSHDeadline(kind: .connect, seconds: 0)), at: stage))
        #expect(error.message.contains("the time limit") && !error.message.contains("0 seconds"))
    }

    @Test("a closed port has the same status directly and behind a jump host")
    func closedPort() {
        let behind = Seen.that(.channelRefused(reason: 2, description: "Connection refused"), at: .channel) {
            $0.hop = Seen.jumpHost
        }
        #expect(
            SSHFailureClassifier.classify(behind).exitStatus
                == SSHFailureClassifier.classify(Seen.addresses(ECONNREFUSED)).exitStatus)
    }

    @Test("a declined host key")
    func declined() {
        var evidence = Seen.hostKey(.unknown(skippedLines: 0, certificateAuthority: nil))
        evidence.hostKey?.declined = true
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.message.hasPrefix("You answered no") && error.message.contains("No credential was sent"))
        #expect(error.remedy.contains("`bridge-ssh trust web1`"))
    }
}
