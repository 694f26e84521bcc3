import Testing

@testable import bridge_ssh

@Suite struct OptionValueTests {
    @Test(arguments: [("1", 1), ("512k", 512 << 10), ("64M", 64 << 20), ("2G", 2 << 30)])
    func bytes(_ text: String, _ value: Int) {
        #expect(ByteCount(argument: text)?.value == value)
    }

    @Test(arguments: ["", "0", "-1", "1.5M", "M", "1T", "9223372036854775807K", " 1", "1 M", "0x10"])
    func noBytes(_ text: String) {
        #expect(ByteCount(argument: text) == nil)
    }
}
