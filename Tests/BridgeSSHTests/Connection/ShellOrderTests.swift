import SSHTestSupport
import Testing

@testable import BridgeSSH

/// The order in which a device may write: the echo, its answer, its prompt, a redrawn prompt, and its own messages. A prompt ends
/// the run only if it is the one after the command.
@Suite("The order of a device's output") struct ShellOrderTests {
    private static let message = "*Mar  1 00:00:01.000: %SYS-5-CONFIG_I: Configured from console\r\n"

    /// A device, and its output before the command.
    private struct Device {
        var identification = "-Cisco-1.25"
        var prompt = "r1#"
        var command = "show clock"
        var hasTerminal = true
        var echoesPagerOff = true
        var pattern: String?

        static let routerOS = Device(identification: "-ROSSSH", prompt: "[admin@r1] > ", command: "/system reboot")
        /// An unknown device whose prompt is given by the options.
        static let strange = Device(identification: "-x", pattern: "^r1#$")
        static let junos = Device(identification: "-OpenSSH_7.5", prompt: "admin@mx1> ", command: "sh int ge-0/0/0 terse")

        /// A conversation whose command has been typed.
        func conversation() -> ShellConversation {
            var conversation = ShellConversation(command, prompt: pattern, identification: identification)
            conversation.began(hasTerminal: hasTerminal)
            conversation.take(Array(prompt.utf8))
            guard case .type(let line)? = conversation.settle(isLong: false) else { return conversation }
            if line == command { return conversation }
            conversation.take(Array(((echoesPagerOff ? line + "\r\n" : "") + prompt).utf8))
            #expect((conversation.settle(isLong: false) == .type(command)) == echoesPagerOff)
            if !echoesPagerOff { #expect(conversation.settle(isLong: true) == .type(command)) }
            return conversation
        }

        /// The output, if the run ends exactly after these pieces, each followed by a long silence; nil if it ends earlier or
        /// not at all.
        func output(_ pieces: String...) -> String? {
            var conversation = conversation()
            #expect(conversation.phase == .running)
            for (number, piece) in pieces.enumerated() {
                conversation.take(Array(piece.utf8))
                let isLast = number == pieces.count - 1
                let step = conversation.settle(isLong: false) ?? conversation.settle(isLong: true)
                guard isLast else {
                    #expect(step == nil, "after \(piece)")
                    continue
                }
                guard step == .leave else { return nil }
            }
            return String(decoding: conversation.takeOutput(), as: UTF8.self)
        }
    }

    @Test("a prompt that is redrawn before the echo is not the one after the command")
    func redrawn() {
        #expect(Device.routerOS.output("\r[admin@r1] > ", "/system reboot\r\nrunning\r\n[admin@r1] > ") == "running\n")
        #expect(Device.routerOS.output("\r\u{1b}[K[admin@r1] > ", "\r\u{1b}[K[admin@r1] > /system reboot\r\n[admin@r1] > ") == "")
        #expect(Device().output("r1#", "r1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
        #expect(Device().output("\r\nr1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
        #expect(Device.routerOS.output("\r[admin@r1] > ") == nil)
    }

    @Test("a message from the device before the echo, within it, and with a redrawn prompt")
    func messagesBefore() {
        #expect(Device().output("\r\n" + Self.message + "r1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
        #expect(Device().output("show cl\r\n" + Self.message + "r1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
        #expect(Device().output("show cl\r\n" + Self.message + "ock\r\n10:00\r\nr1#") == "10:00\n")
        #expect(Device().output("\r\nsomething unforeseen\r\nr1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
    }

    @Test("a message of the device's own while the command runs does not end it")
    func messagesAfter() {
        #expect(Device().output("show clock\r\n" + Self.message + "r1#", "\r10:00\r\nr1#") == Self.shown + "10:00\n")
        #expect(Device().output("show clock\r\n" + Self.message + "r1#", Self.message + "r1#") == nil)
        // Either the prompt after the command came first, or the answer.
        #expect(Device().output("show clock\r\nr1#\r\n" + Self.message + "r1#") == "r1#\n" + Self.shown)
        #expect(Device().output("show clock\r\n10:00\r\n" + Self.message + "r1#") == "10:00\n" + Self.shown)
        // These messages are the requested output.
        let log = Device(command: "show logging | include SYS")
        #expect(log.output("show logging | include SYS\r\n" + Self.message + "r1#") == Self.shown)
    }

    private static let shown = message.replacing("\r\n", with: "\n")

    @Test("a run ends at the prompt after the answer, even if a device prints its own messages", arguments: 0..<300)
    func everyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let device = [Device(), .routerOS, .junos].randomElement(using: &generator) ?? Device()
        let (command, prompt) = (device.command, device.prompt)
        var conversation = device.conversation()
        func comes(_ piece: String) -> ShellConversation.Step? {
            conversation.take(Array(piece.utf8))
            return conversation.settle(isLong: false) ?? conversation.settle(isLong: true)
        }
        /// Until the device has read the command.
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let typed = String(command.prefix(Int.random(in: 0..<command.count, using: &generator)))
            let piece = ["\r\(prompt)", "\r\n\(prompt)", "\(typed)\r\n\(Self.message)\(prompt)", "\r\u{1b}[K\(prompt)\(typed)"]
                .randomElement(using: &generator)
            #expect(comes(piece ?? "") == nil)
        }
        let echoes = ["\r\(prompt)\(command)\r\n", "\r\u{1b}[K\(prompt)\(command)\r\n\r\(prompt)\(command)\r\n"]
        #expect(comes(echoes.randomElement(using: &generator) ?? "") == nil)
        /// While the command runs.
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            #expect(comes("\r\u{1b}[K" + Self.message + (Bool.random(using: &generator) ? prompt : "")) == nil)
        }
        let lines = (0...Int.random(in: 0...20, using: &generator)).map { "line \($0)\r\n" }
        for line in lines { #expect(comes("\r\u{1b}[K" + line) == nil) }
        #expect(comes(prompt) == .leave)
        let shown = String(decoding: conversation.takeOutput(), as: UTF8.self).replacing(Self.shown, with: "")
        #expect(shown == lines.joined().replacing("\r\n", with: "\n"), "seed \(seed)")
    }

    @Test("after output without a complete line the wait is longer, because an editor may still draw the line")
    func emptyAnswer() {
        var conversation = Device().conversation()
        conversation.take(Array("show clock\r\nr1#".utf8))
        #expect(conversation.settle(isLong: false) == nil && conversation.settle(isLong: true) == .leave)
    }

    @Test("an echo that the device completes, or scrolls")
    func otherEchoes() {
        #expect(Device.junos.output("show interfaces ge-0/0/0 terse \r\nup\r\nadmin@mx1> ") == "up\n")
        #expect(Device.junos.output("admin@mx1> show interfaces ge-0/0/0 terse \r\nup\r\nadmin@mx1> ") == "up\n")
        let long = Device(command: "show interfaces " + String(repeating: "x", count: 600))
        #expect(long.output("r1#$" + String(repeating: "x", count: 400) + "\r\nup\r\nr1#") == "up\n")
        #expect(long.output("r1#$" + String(repeating: "y", count: 400) + "\r\nup\r\nr1#") == nil)
    }

    @Test("on a device without echo, only an answer shows that the command was accepted")
    func withoutEcho() {
        for device in [Device(echoesPagerOff: false), Device(hasTerminal: false, echoesPagerOff: false)] {
            #expect(device.output("10:00\r\nr1#") == "10:00\n")
            #expect(device.output("r1#") == nil)
            #expect(device.output(Self.message + "r1#") == nil)
            #expect(device.output("r1#", "\r10:00\r\nr1#") == "10:00\n")
            // The device may show the echo after all.
            #expect(device.output("show clock\r\n10:00\r\nr1#") == "10:00\n")
        }
        var described = Device.strange
        #expect(described.output("10:00\r\nr1#") == nil)
        described.hasTerminal = false
        #expect(described.output("10:00\r\nr1#") == "10:00\n" && described.output("r1#") == nil)
    }

    @Test("the echo of the command before, which comes late, is not the answer")
    func lateEcho() {
        let device = Device(echoesPagerOff: false)
        #expect(device.output("terminal length 0\r\nr1#", "show clock\r\n10:00\r\nr1#") == "10:00\n")
    }

    @Test("a device that prints more than can precede an echo has no echo")
    func longWithoutEcho() {
        let lines = String(repeating: "line\r\n", count: 1000)
        #expect(Device.strange.output(lines + "r1#") == lines.replacing("\r\n", with: "\n"))
    }

    /// The answer, whether it is an error, and whether the command may have run.
    private static let answers: [(String, Bool, Bool)] = [
        ("              ^\r\nunknown command.\r\n", true, true), ("syntax error, expecting <command>.\r\n", true, true),
        ("error: commit failed: x\r\n", true, false), ("started: step 1 done\r\nerror: step 2 failed\r\n", false, false),
        ("started: step 1 done\r\nsyntax error\r\n", false, false), ("syntax error\r\nand then more\r\n", true, false),
        ("fine\r\n", false, false), (message + "syntax error\r\n", true, true),
        ("Thu Nov 26 04:00:00.000 UTC\r\n  ^\r\nsyntax error\r\n", true, true),
        ("syntax error\r\n\r\n{master:0}\r\n", true, true), ("syntax error\r\n\r\n[edit system]\r\n", true, true),
    ]

    @Test("only an error of the device's parser proves that nothing was run", arguments: answers)
    func rejections(_ answer: String, _ isError: Bool, _ isSyntaxError: Bool) {
        let device = Device.junos
        var conversation = device.conversation()
        conversation.take(Array("\(device.command)\r\n\(answer)\(device.prompt)".utf8))
        #expect(conversation.settle(isLong: true) == .leave)
        #expect((conversation.rejection != nil) == isError)
        #expect((conversation.rejection?.isSyntaxError == true) == isSyntaxError)
    }

    @Test("on an unknown device no error proves that nothing was run")
    func unknownMake() {
        var conversation = Device.strange.conversation()
        conversation.take(Array("show clock\r\nsyntax error\r\nr1#".utf8))
        #expect(conversation.settle(isLong: true) == .leave && conversation.rejection?.isSyntaxError == false)
    }

    @Test(
        "messages that devices print on their own",
        arguments: [
            ("*Mar  1 00:00:01.123: %SYS-5-CONFIG_I: Configured from console by vty0", true),
            ("2024 Mar  1 00:00:01 sw1 %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up", true),
            ("%ASA-5-111008: User 'admin' executed the 'enable' command.", true),
            ("Mar  1 00:00:01 sw1 Ebra: %LINEPROTO-5-UPDOWN: Line protocol on Interface Ethernet1, changed state", true),
            ("Mar  1 2024 00:00:01 HUAWEI %%01IFNET/4/LINK_STATE(l)[0]:The line protocol is up", true),
            ("%Apr 26 12:00:00:000 2024 H3C SHELL/5/SHELL_LOGIN: admin logged in", true),
            ("Message from syslogd@mx1 at Mar  1 00:00:01  ...", true),
            ("2024-03-01 00:00:01 system,error,critical login failure for user x", true),
            ("% Invalid input detected at '^' marker.", false), ("CPU utilization: 5%", false), ("10:00:00.000 UTC", false),
            ("", false), ("2024-03-01 00:00:01 up", false),
        ])
    func messages(_ line: String, _ isOne: Bool) { #expect(DeviceMessage.matches(line) == isOne) }
}
