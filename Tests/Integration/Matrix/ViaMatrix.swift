import BridgeSSH
import SSHTestSupport
import Testing

/// The same faults with OpenSSH's ssh as the carrier: a sample of them, or all in a thorough run.
@Suite("Matrix: via ssh") struct ViaMatrix {
    private static func some<Case>(_ cases: [Case]) -> [Case] { TestExtent.cases(of: cases, oneOf: 7) }

    /// Cases with options that `--via ssh` refuses are left out.
    private static let onServers =
        (AuthenticationMatrix.refused + AuthenticationMatrix.accounts + CommandMatrix.cases + HostKeyMatrix.cases
        + KeyExchangeMatrix.disagreements + SuccessMatrix.logins).filter {
            !$0.name.hasPrefix("drained") && !$0.name.contains("terminal")
        }

    private static let onScripts =
        (ChannelMatrix.openings + ChannelMatrix.requests + ChannelMatrix.endings + DisconnectMatrix.endings
        + LimitMatrix.greetings + ScriptedLoginMatrix.keyExchanges + ScriptedLoginMatrix.logins).filter {
            !$0.name.contains("terminal") && !$0.name.contains("pty")
        }

    @Test("each known difference belongs to a case") func differencesHaveCases() {
        let names = Set(Self.onServers.map(\.name) + Self.onScripts.map(\.name))
        #expect(Set(ViaDifferences.all.keys).subtracting(names) == [])
    }

    @Test("on a real server", arguments: some(onServers))
    func onServer(_ test: SSHDCase) async throws {
        try await TestWay.$current.withValue(.ssh) { try await test.check() }
    }

    @Test("on a scripted server", arguments: some(onScripts))
    func onScripted(_ test: ScriptedCase) async throws {
        try await TestWay.$current.withValue(.ssh) { try await test.check() }
    }

    private func viaSSH(_ name: String, _ body: () async throws -> Void) async throws {
        try await TestWay.$current.withValue(.ssh) { try await TestWay.$name.withValue(name) { try await body() } }
    }

    @Test("an address without a server", arguments: some(ReachMatrix.places))
    func place(_ place: ReachMatrix.Place) async throws {
        try await viaSSH("place \(place.testDescription)") { try await ReachMatrix().place(place) }
    }

    @Test("another service", arguments: some(ReachMatrix.greetings))
    func greeting(_ greeting: ReachMatrix.Greeting) async throws {
        try await viaSSH("greeting \(greeting.name), closed") { try await ReachMatrix().closes(greeting) }
        try await viaSSH("greeting \(greeting.name), waits") { try await ReachMatrix().waits(greeting) }
    }

    @Test("a server that breaks", arguments: some(ReachMatrix.broken))
    func broken(_ broken: ReachMatrix.Broken) async throws {
        try await viaSSH("broken \(broken.name)") { try await ReachMatrix().breaks(broken) }
    }

    @Test("a connect without an answer, and too many connections") func others() async throws {
        try await viaSSH("no answer") { try await ReachMatrix().blackhole() }
        try await viaSSH("MaxStartups of sshd") { try await ReachMatrix().maxStartups() }
    }
}
