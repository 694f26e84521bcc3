import Testing

@testable import BridgeSSH

/// A device's shell without a device: pieces of its output, and the reaction to them.
@Suite("A conversation with a device's shell") struct ShellConversationTests {
    private static func lines(_ text: String) -> [String] {
        var screen = ShellScreen()
        var lines = screen.take(Array(text.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
        lines.append(String(decoding: screen.text, as: UTF8.self))
        return lines
    }

    @Test(
        "line editing characters are applied",
        arguments: [
            ("a\r\nb", ["a", "b"]), ("a\r\r\nb", ["a", "b"]), ("10%\r20%\rdone\n", ["done", ""]),
            ("long text\rab\u{1b}[K", ["ab"]), ("\u{1b}[1;31mred\u{1b}[0m", ["red"]), ("abc\u{8}\u{8}X", ["aXc"]),
            (
                " --More-- \u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}        \u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}x\n",
                ["x", ""]
            ),
            ("\u{1b}]0;title\u{7}a\u{1b}]0;t\u{1b}\\b", ["ab"]), ("a\u{1b}[9999Bb\u{1b}(Bc", ["abc"]),
            ("\u{7}a\u{0}b\tc", ["ab\tc"]),
            ("abc\u{1b}[2Kd", ["d"]), ("a\u{1b}[3Cb", ["a   b"]), ("abc\u{1b}[2Dx", ["axc"]), ("grüße\n", ["grüße", ""]),
        ])
    func screen(_ text: String, _ expected: [String]) {
        // The pager's first blank is not erased by what IOS sends.
        #expect(Self.lines(text).map { $0.hasPrefix(" x") ? String($0.dropFirst()) : $0 } == expected)
    }

    @Test("an endless line and an endless number take bounded memory")
    func bounds() {
        var screen = ShellScreen()
        let lines = screen.take([UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
        #expect(lines.count == 3 && lines.allSatisfy { !$0.isEnded && $0.bytes.count == ShellScreen.maximumLength })
        var other = ShellScreen()
        _ = other.take(Array("\u{1b}[999999999C\u{1b}[99999999999999999999G\u{1b}[999999999C\u{1b}[999999999C".utf8))
        #expect(other.line.count < ShellScreen.maximumLength)
    }

    @Test(
        "prompts by their form",
        arguments: [
            ("r1>", "a command line like Cisco's"), ("r1#", "a command line like Cisco's"),
            ("sw-1.lab(config-if)#", "a command line like Cisco's"),
            ("RP/0/RP0/CPU0:r1#", "a command line like Cisco's"), ("admin@mx1>", "Juniper Junos"),
            ("admin@mx1#", "Juniper Junos"),
            ("[admin@MikroTik] >", "MikroTik RouterOS"), ("[admin@MikroTik] /ip address>", "MikroTik RouterOS"),
            ("####", nil), ("# Authorized access only #", nil), ("Password:", nil), ("root@host:~#", nil),
            ("[root@host ~]#", nil),
            ("$", nil), ("", nil), ("<html>", nil),
        ] as [(String, String?)])
    func forms(_ line: String, _ device: String?) {
        #expect(ShellDevice.prompting(line)?.name == device)
    }

    @Test(
        "devices are recognised by their greeting",
        arguments: [
            ("-Cisco-1.25", "", "Cisco IOS"), ("-ROSSSH", "", "MikroTik RouterOS"),
            ("-OpenSSH_7.4", "Cisco Nexus Operating System (NX-OS) Software", "Cisco NX-OS"),
            ("-OpenSSH_7.5", "--- JUNOS 20.4R3.8 Kernel 64-bit", "Juniper Junos"),
            ("-OpenSSH_8.7", "Arista Networks EOS", "Arista EOS"),
            ("-OpenSSH_9.2p1 Debian-2", "Welcome", nil),
        ] as [(String, String, String?)])
    func names(_ software: String, _ greeting: String, _ device: String?) {
        #expect(ShellDevice.named(in: [software, greeting])?.name == device)
    }

    @Test("every device has a source and its message for an unknown command")
    func table() {
        for device in ShellDevice.all { #expect(!device.source.isEmpty && !device.syntaxErrors.isEmpty && !device.marks.isEmpty) }
    }

    @Test("the output does not depend on how it is split into pieces", arguments: [1, 2, 3, 7, 1000])
    func pieces(_ length: Int) {
        var conversation = ShellConversation("show clock", prompt: nil, identification: "-Cisco-1.25")
        func feed(_ text: String) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                conversation.take(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
        }
        feed("\r\nHello\r\nr1#")
        #expect(conversation.mayWait && conversation.settle(isLong: false) == .type("terminal length 0"))
        feed("terminal length 0\r\nr1#")
        #expect(conversation.settle(isLong: false) == .type("show clock"))
        #expect(conversation.takeOutput().isEmpty)
        feed("show clock\r\n*10:00:00.000 UTC\r\nr1#\r\nmore\r\nr1#")
        #expect(conversation.settle(isLong: false) == .leave)
        #expect(String(decoding: conversation.takeOutput(), as: UTF8.self) == "*10:00:00.000 UTC\nr1#\nmore\n")
        #expect(conversation.rejection == nil && conversation.device?.name == "Cisco IOS" && conversation.prompt == "r1#")
    }

    @Test("an echo that is wrapped, doubled or cut by a message")
    func echoes() {
        func output(_ answer: String) -> String? {
            var conversation = ShellConversation("show ip route", prompt: "^>$", identification: "")
            conversation.take(Array(">".utf8))
            #expect(conversation.settle(isLong: false) == .type("show ip route"))
            conversation.take(Array(answer.utf8))
            guard conversation.settle(isLong: true) == .leave else { return nil }
            return String(decoding: conversation.takeOutput(), as: UTF8.self)
        }
        #expect(output("show ip route\r\nx\r\n>") == "x\n")
        #expect(output("show ip\r\n route\r\nx\r\n>") == "x\n")
        #expect(output("> show ip route\r\n> show ip route\r\nx\r\n>") == "x\n")
        #expect(output("show ip route\r\n>") == "")
        #expect(output("show ip\r\n*Mar  1 00:00:01.000: %SYS-5-CONFIG_I: x\r\n>show ip route\r\nx\r\n>") == "x\n")
        #expect(output("show ip\r\n*Mar  1 00:00:01.000: %SYS-5-CONFIG_I: x\r\n route\r\nx\r\n>") == "x\n")
        #expect(output(">>>show ip route\r\nx\r\n>") == "x\n")
        #expect(output("show ip\r\nx\r\n>") == nil)
        #expect(output("x\r\ny\r\n>") == nil)
        #expect(output(">") == nil && output("\r\n>") == nil && output("Notice\r\n>") == nil)
    }

    @Test("long output that begins like an error belongs to the command")
    func longOutput() {
        var conversation = ShellConversation("show log", prompt: nil, identification: "-ROSSSH")
        conversation.take(Array("[admin@m] > ".utf8))
        #expect(conversation.settle(isLong: false) == .type("show log"))
        conversation.take(Array(("show log\r\nfailure: none\n" + String(repeating: "line\n", count: 20) + "[admin@m] > ").utf8))
        #expect(conversation.settle(isLong: false) == .leave && conversation.rejection == nil)
    }

    @Test(
        "pagers",
        arguments: [
            ("--More--", " "), ("---(more 35%)---", " "), ("<--- More --->", " "), ("-- MORE --, next page: Space, quit: q", " "),
            ("---- More ----", " "), ("-- [Q quit|D dump|down]", "D"), ("Press <SPACE> to continue or <Q> to quit:", " "),
            ("Press any key to continue (Q to quit)", " "), ("no more", nil), ("r1#", nil), ("Press any key to continue", nil),
            ("Erase flash? Press any key to continue", nil), ("--- more space is needed. Erase? [confirm]", nil),
            ("All will be lost. Press any key to continue (Q to quit)", nil),
        ] as [(String, String?)])
    func pagers(_ line: String, _ key: String?) { #expect(ShellPager(line, isGreeting: false)?.key == key) }

    @Test(
        "questions in a greeting",
        arguments: [
            ("Press any key to continue", " "), ("Please press any key to continue...", " "), ("--More--", " "),
            ("Accept? Press any key to continue", nil),
        ] as [(String, String?)])
    func greetings(_ line: String, _ key: String?) { #expect(ShellPager(line, isGreeting: true)?.key == key) }
}
