import BridgeSSH
import SSHTestSupport
import Synchronization
import Testing

/// Names that must not reach a shell, whichever way a destination is made.
@Suite("User and host names with shell syntax") struct UserNameTests {
    /// The user names that ssh(1) refuses (OpenSSH 9.6, CVE-2023-51385), according to its manual and release notes.
    private static func isRefusedByOpenSSH(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        if bytes.first == UInt8(ascii: "-") || bytes.last == UInt8(ascii: "\\") { return true }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || "'`\";&<>|(){}".utf8.contains($0) }) { return true }
        return zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: " ") && $1 == UInt8(ascii: "-") }
    }

    private static func isTaken(_ user: String) -> Bool { (try? SSHDestination(user: user, host: "web1")) != nil }

    private static let everyByte = (UInt8(0)..<128).flatMap { byte -> [String] in
        let character = String(Character(Unicode.Scalar(byte)))
        return [character + "ab", "a" + character + "b", "ab" + character, character]
    }

    @Test("every byte at every position is judged as by ssh(1)") func everyByte() {
        for name in Self.everyByte {
            #expect(Self.isTaken(name) == !Self.isRefusedByOpenSSH(name), "\(name.debugDescription)")
        }
    }

    @Test(
        "a harmless but unusual name is accepted",
        arguments: [
            "DOMAIN\\john", "DOMAIN\\john smith", "WEB1$", "a$b", "jürgen", "山田", "a@b", "a b", "a-b", "a:b", "a%b", "~a", "a=b",
            "*",
            "x\\y-z", "a, b", "#a", "!a",
        ])
    func taken(name: String) throws {
        #expect(try SSHDestination(user: name, host: "web1").user == name)
        #expect(try SSHDestination(parsing: "\(name)@web1").user == name)
    }

    @Test(
        "a name that a shell would take for an option or a command is refused",
        arguments: [
            "-oProxyCommand=x", "a -oProxyCommand=x", "\\-oProxyCommand=x", "a \\-o", "a$IFS-o", "$UNSET-o", "$1-o", "$@-o",
            "$--o", "$$-o",
            "a$IFS\\-o", "a$IFS$UNSET-o", "a;b", "`id`", "$(id)", "${IFS}", "a|b", "a>b", "a\\", "'a'", "\"a\"", "a&b",
        ])
    func refused(name: String) throws {
        for make in [{ try SSHDestination(user: name, host: "web1") }, { try SSHDestination(parsing: "\(name)@web1") }] {
            let problem = try #require(throws: SSHDestinationProblem.self) { try make() }
            #expect(problem.code == .unsafeUser && problem.input.contains(name) && problem.remedy.contains("ssh's configuration"))
            #expect(!problem.concernsHostName)
        }
    }

    @Test(
        "percent escapes in a URL are decoded before they are judged",
        arguments: [
            ("%3Bid", SSHDestinationProblem.Code.unsafeUser), ("a%60id%60", .unsafeUser), ("%2DoProxyCommand", .unsafeUser),
            ("a%20%2Do", .unsafeUser), ("a%5C", .unsafeUser), ("a%0Ab", .controlCharacter), ("a%00b", .controlCharacter),
            ("%24%28id%29", .unsafeUser), ("%E2%80%AEa", .controlCharacter), ("%ff", .percentEncoding),
        ])
    func escapes(user: String, code: SSHDestinationProblem.Code) throws {
        let problem = try #require(throws: SSHDestinationProblem.self) { try SSHDestination(parsing: "ssh://\(user)@web1") }
        #expect(problem.code == code)
        #expect(!problem.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("a host contains no byte with a meaning for a shell") func hosts() {
        for byte in UInt8(0)..<128 where byte < 0x20 || byte == 0x7F || "'`\"$\\;&<>|(){}, ".utf8.contains(byte) {
            let character = String(Character(Unicode.Scalar(byte)))
            for host in [character + "ab", "a" + character + "b", "ab" + character] {
                #expect((try? SSHDestination(host: host)) == nil, "\(host.debugDescription)")
            }
        }
    }

    // MARK: Configurations

    /// The commands that reading a configuration has run.
    private final class Commands: Sendable {
        private let all = Mutex<[String]>([])
        var texts: [String] { all.withLock { $0 } }

        func context(_ file: String) -> SSHConfigContext {
            var context = ConfigurationRuleTests.context(["/c": file])
            context.execute = { text in
                self.all.withLock { $0.append(text) }
                return 1
            }
            return context
        }
    }

    private static let running = "Match exec \"test %r %h %n\"\nUser x\n"

    @Test("no command is run for such a name", arguments: ["a;id", "-x", "$(id)", "a\\", "a\nb", ""]) func noCommand(user: String)
    {
        let commands = Commands()
        let files = SSHConfigFile(context: commands.context(Self.running), source: .file("/c"))
        #expect(throws: SSHConfigProblem.self) { try files.resolve(host: "web1", user: user) }
        var options = files
        options.options = ["User=\"\(user)\""]
        if user != "", !user.contains("\n") { #expect(throws: SSHConfigProblem.self) { try options.resolve(host: "web1") } }
        #expect(commands.texts.isEmpty)
    }

    @Test("no command is run for such a host, even if an option names it", arguments: ["a;id", "-x", "$(id)", "a`b", "a b"])
    func noHost(
        host: String
    ) {
        let commands = Commands()
        let files = SSHConfigFile(context: commands.context(Self.running), source: .file("/c"))
        #expect(throws: SSHConfigProblem.self) { try files.resolve(host: host) }
        var options = files
        options.options = ["HostName=\"\(host)\""]
        #expect(throws: SSHConfigProblem.self) { try options.resolve(host: "web1") }
        #expect(commands.texts.isEmpty)
    }

    @Test("User in the owner's file is not restricted, and reaches the owner's commands") func owners() throws {
        let commands = Commands()
        let text = "User a;b\n" + Self.running + "ProxyCommand nc %r\n"
        let resolved = try SSHConfigFile(context: commands.context(text), source: .file("/c")).resolve(host: "web1")
        #expect(resolved.user == "a;b" && commands.texts == ["test a;b web1 web1"])
        #expect(try resolved.proxyCommand() == nil)
    }

    @Test(
        "no command gets a HostName with shell syntax",
        arguments: ["ProxyCommand nc %h", "KnownHostsCommand /bin/x %h", "RemoteCommand x %h"])
    func hostName(line: String) throws {
        let configuration = SSHConfigFile(context: Commands().context("HostName a;b\n\(line)\n"), source: .file("/c"))
        #expect(throws: SSHConfigProblem.self) {
            let resolved = try configuration.resolve(host: "web1")
            _ = try resolved.proxyCommand()
            _ = try resolved.knownHostsCommand()
        }
    }

    @Test(
        "jump hosts, from an option and from a file",
        arguments: [
            "a;b@gate", "-x@gate", "a\\@gate", "ssh://a%3Bb@gate", "ssh://a%2Cb@gate", "ga;te", "-gate", "ok,a`b@gate",
            "x$IFS-o@gate",
        ])
    func jumpHosts(value: String) {
        let commands = Commands()
        let file = "Match originalhost gate exec \"x %r %h %j\"\nUser x\n"
        let byOption = SSHConfigFile(context: commands.context(file), source: .file("/c"), options: ["ProxyJump=\(value)"])
        #expect(throws: SSHConfigProblem.self) { try byOption.jumpHosts(for: byOption.resolve(host: "web1")) }
        let byFile = SSHConfigFile(
            context: commands.context("Host web1\nProxyJump \(value)\n" + file), source: .file("/c"))
        // A comma makes two hosts of one name; the file's owner may write that.
        if !value.contains("%2C") {
            #expect(throws: SSHConfigProblem.self) { try byFile.jumpHosts(for: byFile.resolve(host: "web1")) }
        }
        #expect(commands.texts.isEmpty)
    }

    @Test("the library refuses it as wrong usage") func library() async throws {
        for destination in ["a;b@web1", "ssh://a%3Bb@web1"] {
            let error = try await #require(throws: SSHError.self) {
                try await SSHClient.withConnection(to: destination) { _ in }
            }
            #expect(error.code == .localUsage && error.message.contains("a;b") || error.message.contains("a%3Bb"), "\(error)")
        }
    }
}
