import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// Input that a person types into a terminal session: the command's part, and the escape keys.
@Suite struct EscapeKeysTests {
    private func typed(_ pieces: String...) -> (rest: String, actions: [EscapeKeys.Action]) {
        var keys = EscapeKeys(character: UInt8(ascii: "~"))
        var (rest, actions): ([UInt8], [EscapeKeys.Action]) = ([], [])
        for piece in pieces {
            let result = keys.pass(Array(piece.utf8))
            rest += result.rest
            actions += result.actions
        }
        return (String(decoding: rest, as: UTF8.self), actions)
    }

    @Test(
        "escape keys",
        arguments: [
            ("~.", "", [EscapeKeys.Action.disconnect]),
            ("ls\r~.rest", "ls\r", [.disconnect]),
            ("ls\n~?", "ls\n", [.help]),
            ("~?~.", "", [.help, .disconnect]),
            ("~\u{1A}ls", "ls", [.suspend]),
            ("~~.", "~.", []),
            ("~~~.", "~~.", []),
            ("cd ~.\r", "cd ~.\r", []),
            ("~x", "~x", []),
            ("~\r~.", "~\r", [.disconnect]),
            ("", "", []),
        ])
    func keys(_ typed: String, _ rest: String, _ actions: [EscapeKeys.Action]) {
        let result = self.typed(typed)
        #expect(result.rest == rest && result.actions == actions)
        // The same, one byte at a time; nothing is read after a disconnect.
        var keys = EscapeKeys(character: UInt8(ascii: "~"))
        var (slowRest, slowActions): ([UInt8], [EscapeKeys.Action]) = ([], [])
        for byte in typed.utf8 where slowActions.last != .disconnect {
            let result = keys.pass([byte])
            slowRest += result.rest
            slowActions += result.actions
        }
        #expect(slowRest == Array(rest.utf8) && slowActions == actions)
    }

    @Test("an escape is held until the next key") func anEscapeIsHeldUntilTheNextKey() {
        #expect(typed("~").rest == "")
        #expect(typed("~", "a").rest == "~a")
    }

    @Test(
        "configured character",
        arguments: [
            ("~", UInt8(ascii: "~")), ("%", UInt8(ascii: "%")), ("\\^B", 2), ("\\^?", 0x7F), ("none", nil), (nil, nil),
            ("\\040", nil),
        ] as [(String?, UInt8?)])
    func configuredCharacter(_ printed: String?, _ character: UInt8?) {
        #expect(EscapeKeys.character(named: printed) == character)
    }

    @Test("the configuration turns them off") func theConfigurationTurnsThemOff() throws {
        func character(_ arguments: String...) throws -> UInt8? {
            let plan = try RunCommandPlan(runOptions(["--tty"] + arguments + ["web1", "vi"]), launchEnvironment: .bare)
            return EscapeKeys.character(named: plan.run.escapeCharacter ?? "~")
        }
        #expect(try character() == UInt8(ascii: "~"))
        #expect(try character("-o", "EscapeChar=none") == nil)
        #expect(try character("-o", "EscapeChar=^B") == 2)
    }

    @Test("a session has keepalives") func aSessionHasKeepalives() throws {
        func keepalive(_ arguments: String...) throws -> Duration? {
            let plan = try RunCommandPlan(runOptions(arguments + ["web1", "vi"]), launchEnvironment: .bare)
            var configuration = plan.run.configuration
            plan.run.keepAlive(&configuration)
            return configuration.keepalive?.interval
        }
        #expect(try keepalive("--tty") == .seconds(15))
        #expect(try keepalive() == nil)
        #expect(try keepalive("--tty", "--keepalive", "3") == .seconds(3))
        #expect(try keepalive("--tty", "-o", "ServerAliveInterval=0") == nil)
    }
}
