import BridgeSSH
import ErrorCore
import Testing

@Suite("Failure catalogue")
struct CatalogueTests {
    /// The codes of the first release, written a second time: AppError case, retry, exit status. Programs rely on them, so a
    /// change must be meant.
    static let promised: [(codes: String, appCase: String, retry: RetryAdvice, exit: Int32)] = [
        ("resolve.host-not-found", "dnsError", .afterFix, 193),
        ("resolve.temporary-failure resolve.failed", "dnsError", .backoff(), 193),
        ("resolve.host-name-invalid", "validationError", .never, 193),
        (
            "connect.refused connect.host-unreachable connect.local-resources connect.failed", "sshConnectionFailed", .backoff(),
            193
        ),
        ("connect.timed-out", "sshTimeout", .backoff(), 194),
        ("connect.network-unreachable", "networkUnavailable", .backoff(), 193),
        ("connect.blocked-locally connect.proxy-failed", "sshConnectionFailed", .afterFix, 193),
        ("banner.timed-out kex.timed-out auth.timed-out channel.timed-out", "sshTimeout", .backoff(), 194),
        ("banner.closed banner.server-busy", "sshConnectionFailed", .backoff(), 193),
        ("banner.source-penalised", "sshConnectionFailed", .backoff(minimumWait: .seconds(15)), 193),
        ("banner.not-ssh banner.unsupported-version banner.library-limit", "sshConnectionFailed", .never, 195),
        (
            "kex.no-common-kex kex.no-common-host-key-algorithm kex.no-common-cipher kex.no-common-mac kex.no-common-compression",
            "sshConnectionFailed", .never, 195
        ),
        ("kex.closed-early kex.closed kex.disconnected kex.protocol-error", "sshConnectionFailed", .backoff(), 195),
        ("kex.host-key-signature-invalid host-key.changed host-key.revoked", "sshHostKeyMismatch", .never, 196),
        ("host-key.unknown host-key.other-type-known", "sshHostKeyMismatch", .afterFix, 196),
        ("host-key.known-hosts-unreadable", "fileReadError", .afterFix, 199),
        (
            "key.not-found key.unreadable key.is-public-key key.format-unsupported key.format-invalid key.passphrase-required "
                + "key.passphrase-wrong key.cipher-unsupported key.type-unsupported key.public-key-mismatch "
                + "key.permissions-too-open", "sshKeyInvalid", .afterFix, 199
        ),
        (
            "agent.unavailable agent.empty agent.refused auth.no-credentials auth.more-factors-required "
                + "auth.interaction-required", "sshAuthenticationFailed", .afterFix, 197
        ),
        (
            "auth.password-rejected auth.key-rejected auth.keyboard-interactive-rejected auth.rsa-sha1-rejected "
                + "auth.method-not-offered auth.too-many-attempts auth.account-denied auth.password-expired",
            "sshAuthenticationFailed", .never, 197
        ),
        ("auth.connection-dropped", "sshAuthenticationFailed", .backoff(), 197),
        ("channel.session-limit", "sshConnectionFailed", .backoff(), 198),
        // The same as for a host that refuses a direct connection.
        ("channel.jump-target-unreachable", "sshConnectionFailed", .backoff(), 193),
        (
            "channel.prohibited channel.exec-denied channel.pty-denied channel.subsystem-missing", "sshConnectionFailed", .never,
            198
        ),
        ("session.connection-lost session.disconnected session.protocol-error", "sshConnectionFailed", .backoff(), 198),
        ("session.keepalive-timed-out command.timed-out command.idle-timed-out", "sshTimeout", .backoff(), 194),
        (
            "command.exit-nonzero command.not-found command.not-executable command.killed-by-signal "
                + "command.output-limit-exceeded", "sshCommandFailed", .afterFix, 198
        ),
        ("command.outcome-unknown command.login-shell-denied", "sshCommandFailed", .never, 198),
        ("sftp.no-such-file sftp.local-no-such-file", "fileNotFound", .afterFix, 1),
        ("sftp.permission-denied sftp.local-permission-denied", "filePermissionDenied", .afterFix, 1),
        ("sftp.disk-full sftp.local-disk-full", "insufficientDiskSpace", .afterFix, 1),
        ("sftp.read-failed sftp.is-a-directory sftp.limit-exceeded sftp.local-read-failed", "fileReadError", .afterFix, 1),
        (
            "sftp.write-failed sftp.already-exists sftp.bad-message sftp.checksum-mismatch sftp.local-write-failed",
            "fileWriteError", .afterFix, 1
        ),
        ("sftp.unsupported", "featureUnavailable", .afterFix, 1),
        ("sftp.unsafe-name sftp.protocol-error sftp.version-unsupported", "sshConnectionFailed", .never, 195),
        ("sftp.no-connection sftp.connection-lost", "sshConnectionFailed", .backoff(), 198),
        ("local.cancelled", "cancelled", .never, 130),
        ("local.usage local.config-invalid", "validationError", .never, 199),
        ("local.output-failed", "fileWriteError", .afterFix, 199),
        ("local.library-failure", "internalError", .never, 199),
    ]

    @Test("released codes keep their promises")
    func codesKeepWhatTheyPromised() {
        var seen: Set<String> = []
        for (codes, appCase, retry, exit) in Self.promised {
            for name in codes.split(separator: " ") {
                let code = SSHError.Code(rawValue: "ssh.\(name)")
                #expect(seen.insert(code.rawValue).inserted)
                let definition = FailureCatalogue.definition(of: code)
                #expect(definition.appCase.caseName == appCase, "\(code)")
                #expect(definition.retry == retry, "\(code)")
                #expect(definition.exitStatus.rawValue == exit, "\(code)")
            }
        }
        #expect(seen.isSubset(of: SSHError.Code.known.map(\.rawValue)))
    }

    private static func severity(_ code: SSHError.Code) -> ErrorSeverity { FailureCatalogue.definition(of: code).severity }

    @Test("severities are as promised")
    func severities() {
        let critical = SSHError.Code.known.filter { Self.severity($0) == .critical }
        #expect(Set(critical) == [.hostKeyChanged, .hostKeyRevoked, .kexHostKeySignatureInvalid])
        let warnings = SSHError.Code.known.filter { Self.severity($0) == .warning }
        #expect(
            Set(warnings) == [
                .hostKeyUnknown, .bannerServerBusy, .authLoginsClosed, .bannerSourcePenalised, .resolveTemporaryFailure,
                .channelSessionLimit,
                .keyPassphraseRequired,
            ])
        #expect(!SSHError.Code.known.contains { Self.severity($0) == .info })
    }

    @Test("titles are one to four words, and no two alike", arguments: SSHError.Code.known)
    func titles(code: SSHError.Code) {
        #expect((1...4).contains(code.title.split(separator: " ").count))
        #expect(SSHError.Code.known.count { $0.title == code.title } == 1)
        #expect(code.meaning.hasSuffix("."))
    }

    @Test("a code of another version promises nothing")
    func unknownCode() {
        let definition = FailureCatalogue.definition(of: SSHError.Code(rawValue: "ssh.telepathy.unclear"))
        #expect(definition.retry == .never)
        #expect(definition.exitStatus == .unclassified)
    }

    @Test("a decoded code equals the defined one", arguments: SSHError.Code.known)
    func readFromElsewhere(code: SSHError.Code) {
        let read = SSHError.Code(rawValue: code.rawValue)
        #expect(read == code)
        #expect(read.hashValue == code.hashValue)
        #expect(read.title == code.title)
        #expect(read.stage == code.stage)
    }

    @Test("codes are in the order of a run's stages")
    func order() throws {
        let stages = SSHError.Code.known.map(\.stage)
        let places = try stages.map { try #require(SSHStage.allCases.firstIndex(of: $0)) }
        #expect(places == places.sorted())
        #expect(Set(stages) == Set(SSHStage.allCases))
    }

    @Test("a catch matches by code")
    func catching() {
        let error: any Error = SSHFailureClassifier.classify(Seen.hostKey(.revoked(ClassifierTable.place)))
        do {
            throw error
        } catch SSHError.hostKeyChanged {
            Issue.record("another code")
        } catch SSHError.hostKeyRevoked {
        } catch {
            Issue.record("not matched: \(error)")
        }
    }
}
