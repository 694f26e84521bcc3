import BridgeSSH
import SSHTestSupport
import Testing

/// The whole matrix: every code of the catalogue is produced for real.
@Suite("Matrix: every code") struct EveryCodeTests {
    /// Codes that no test can produce, each with its reason.
    static let exceptions: [SSHError.Code: String] = [
        .sftpWriteFailed: "OpenSSH's sftp-server gives a reason, or one is found by asking further; a fake server gives none"
    ]

    /// The codes that the suites expect, from their tables.
    static let produced: Set<SSHError.Code> = Set(expected.compactMap(\.code)).union(codes)

    private static let expected: [Expected] = cases.map(\.expected) + scripted.map(\.expected) + others

    private static let cases =
        AuthenticationMatrix.refused + AuthenticationMatrix.accounts + CommandMatrix.cases + HostKeyMatrix.cases
        + KeyExchangeMatrix.disagreements

    private static let scripted =
        ChannelMatrix.openings + ChannelMatrix.requests + ChannelMatrix.endings + DisconnectMatrix.endings
        + LimitMatrix.greetings + ScriptedLoginMatrix.keyExchanges + ScriptedLoginMatrix.logins

    private static let others: [Expected] =
        CommandMatrix.endings.map(\.1) + KeyExchangeMatrix.broken.map(\.expected) + ScriptedLoginMatrix.keys.map(\.expected) + [
            AgentMatrix.empty, ChannelMatrix.missingSubsystem, LimitMatrix.noCipher, LimitMatrix.noDescriptor,
            LocalMatrix.badConfiguration, LocalMatrix.refusal, ReachMatrix.unanswered, WireMatrix.stopped,
        ]

    private static let codes: [SSHError.Code] =
        AgentMatrix.misbehaviours.map(\.code) + KeyFileMatrix.bad.map(\.code) + NamespaceMatrix.worlds.map(\.code)
        + ReachMatrix.places.map(\.code) + ReachMatrix.greetings.map(\.code) + ReachMatrix.broken.map(\.code)
        + WireMatrix.cuts.map(\.2) + CopyTests.failures.map(\.code) + HostileServerTests.verdicts.map(\.1) + [
            .localUnsupported, .channelPromptMissing, .commandRejected, CommandMatrix.tooMuch, JumpFailureTests.unreached,
            LocalMatrix.cancelled, LocalMatrix.misuse, UseAfterEndTests.misuse, PoolTests.late,
            ProxyCommandTests.failed, ReplacingTests.refused, .localOutputFailed,
        ]

    private static let document = FailureDocument.markdown

    @Test("every code is produced for real, or an exception says why not", arguments: SSHError.Code.known)
    func isProduced(_ code: SSHError.Code) {
        #expect(Self.produced.contains(code) || Self.exceptions[code] != nil, "no test produces \(code)")
    }

    @Test("every code is documented and has a rule", arguments: SSHError.Code.known)
    func isDocumented(_ code: SSHError.Code) throws {
        let explanation = try #require(CodeExplanation(code), "nothing explains \(code)")
        #expect(!explanation.rules.isEmpty, "no rule gives \(code)")
        #expect(!explanation.definition.meaning.isEmpty && !explanation.definition.remedy.isEmpty)
        #expect(Self.document.contains("`\(code)`"))
    }

    @Test("every exception is still needed, and no test expects an unknown code") func exceptionsHold() {
        for (code, reason) in Self.exceptions {
            #expect(!Self.produced.contains(code), "\(code) is produced now: \(reason)")
        }
        #expect(Self.produced.union(Self.exceptions.keys).isSubset(of: SSHError.Code.known))
    }
}
