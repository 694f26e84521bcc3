import Glibc
import Testing

@testable import SSHCommandLine

@Suite struct TerminalModesTests {
    /// The modes as a server reads them: opcode and value, up to the end (RFC 4254 section 8).
    private func decode(_ bytes: [UInt8]) -> [UInt8: UInt32] {
        var modes: [UInt8: UInt32] = [:]
        var rest = bytes[...]
        while let opcode = rest.popFirst(), opcode != 0 {
            modes[opcode] = rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(4)
        }
        #expect(rest.isEmpty)
        return modes
    }

    private func attributes(_ edit: (inout termios) -> Void) -> termios {
        var attributes = termios()
        edit(&attributes)
        return attributes
    }

    @Test("flags are one or zero") func flagsAreOneOrZero() {
        let modes = decode(
            TerminalModes.encode(
                attributes {
                    $0.c_lflag = tcflag_t(ICANON | ECHO)
                    $0.c_iflag = tcflag_t(ICRNL)
                    $0.c_oflag = tcflag_t(OPOST | ONLCR)
                    $0.c_cflag = tcflag_t(CS8)
                }))
        #expect(modes[51] == 1 && modes[53] == 1 && modes[50] == 0)
        #expect(modes[36] == 1 && modes[34] == 0)
        #expect(modes[70] == 1 && modes[72] == 1 && modes[73] == 0)
        #expect(modes[91] == 1 && modes[90] == 0)
    }

    @Test("characters and speeds") func charactersAndSpeeds() {
        let modes = decode(
            TerminalModes.encode(
                attributes {
                    withUnsafeMutableBytes(of: &$0.c_cc) { $0[Int(VINTR)] = 3 }
                    cfsetspeed(&$0, speed_t(B115200))
                }))
        #expect(modes[1] == 3)
        // A disabled one.
        #expect(modes[2] == 255)
        #expect(modes[128] == 115_200 && modes[129] == 115_200)
    }

    @Test("the encoding keeps its length limit", arguments: [0, 1, 5, 6, 100, 243, 256])
    func keepsLengthLimit(_ limit: Int) {
        let bytes = TerminalModes.encode(termios(), atMost: limit)
        #expect(bytes.count <= max(1, limit))
        #expect(bytes.last == 0)
        #expect(bytes.count % 5 == 1)
        if limit >= 200 { #expect(decode(bytes).keys.contains(53)) }
    }
}
