import Testing

@testable import SSHCommandLine

@Suite struct OptionValueTests {
    @Test("sizes in bytes", arguments: [("1", 1), ("512k", 512 << 10), ("64M", 64 << 20), ("2G", 2 << 30), ("0007", 7)])
    func bytes(_ text: String, _ value: Int) {
        #expect(ByteCount(argument: text)?.value == value)
    }

    @Test(
        "invalid sizes",
        arguments: [
            "", "0", "-1", "+1", "1.5M", "M", "1T", "9223372036854775807K", "99999999999999999999", " 1", "1 M", "0x10", "٣",
        ])
    func noBytes(_ text: String) {
        #expect(ByteCount(argument: text) == nil)
    }

    @Test("valid durations", arguments: [("1", 1.0), ("0.5", 0.5), (".25", 0.25), ("600", 600), ("315360000", 315_360_000)])
    func seconds(_ text: String, _ value: Double) {
        #expect(Seconds(argument: text)?.value == value)
    }

    // Values that Double would accept although they are never meant, and values that would overflow a clock.
    @Test(
        "invalid durations",
        arguments: ["", "0", "0.0", "-1", "+1", "1e3", "inf", "nan", "0x1p4", "5x", " 5", "1.2.3", ".", "315360001"])
    func noSeconds(_ text: String) {
        #expect(Seconds(argument: text) == nil)
    }

    @Test("valid ports", arguments: [("1", 1), ("22", 22), ("65535", 65535)])
    func ports(_ text: String, _ value: Int) {
        #expect(PortNumber(argument: text)?.value == value)
    }

    @Test("invalid ports", arguments: ["", "0", "65536", "-22", "+22", "ssh", "22 ", "2_2"])
    func noPorts(_ text: String) {
        #expect(PortNumber(argument: text) == nil)
    }

    @Test("valid variables", arguments: [("A=b", "A", "b"), ("A=", "A", ""), ("A=b=c", "A", "b=c"), ("Ä=ö", "Ä", "ö")])
    func variables(_ text: String, _ name: String, _ value: String) {
        let variable = EnvironmentVariable(argument: text)
        #expect(variable?.name == name)
        #expect(variable?.value == value)
    }

    @Test("invalid variables", arguments: ["", "A", "=b"])
    func noVariables(_ text: String) {
        #expect(EnvironmentVariable(argument: text) == nil)
    }
}
