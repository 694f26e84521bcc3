import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// The options and the configuration that OpenSSH's ssh gets.
struct OpenSSHRouteTests {
    private static func route(mayAsk: Bool, _ change: (inout AccessRequest) -> Void = { _ in }) throws -> OpenSSHRoute {
        var request = AccessRequest()
        change(&request)
        return OpenSSHRoute(
            request, at: try SSHEndpoint(host: "web1", user: "alice"), SSHConnectionConfiguration(), home: "/home/alice",
            mayAsk: mayAsk)
    }

    private static func configuration(_ route: OpenSSHRoute) -> [Substring] {
        route.configuration.text(including: "/tmp/config").split(separator: "\n")
    }

    @Test("the variables of a command are one setting, each in quotes")
    func variables() {
        let request = OpenSSHRequest.command("x", [("A", #"a\b "c""#), ("B", "")])
        #expect(request.options == ["-o", #"SetEnv="A=a\\b \"c\"" "B=""#])
        #expect(OpenSSHRequest.command("x", []).options == [])
    }

    @Test("a path has its quotes, backslashes and percent signs escaped")
    func paths() throws {
        let route = try Self.route(mayAsk: false) { $0.knownHosts = [#"/k\"n %h"#] }
        #expect(Self.configuration(route).contains(#"UserKnownHostsFile="/k\\\"n %%h""#))
        #expect(route.options.contains(#"UserKnownHostsFile="/k\\\"n %%h""#))
    }

    @Test("no forwarding, no command and no shared connection of the configuration is used")
    func session() throws {
        let options = try Self.route(mayAsk: true).options
        for setting in ["ClearAllForwardings=yes", "ControlMaster=no", "RemoteCommand=none"] {
            #expect(options.contains(setting), "\(setting)")
        }
    }

    @Test("an ssh that may not ask asks for no jump host either", arguments: [false, true])
    func jumpHosts(mayAsk: Bool) throws {
        let lines = Self.configuration(try Self.route(mayAsk: mayAsk))
        for setting in ["PasswordAuthentication=no", "KbdInteractiveAuthentication=no", "StrictHostKeyChecking=yes"] {
            #expect(lines.contains(Substring(setting)) != mayAsk, "\(setting)")
        }
    }
}
