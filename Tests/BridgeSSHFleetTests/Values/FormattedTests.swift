import BridgeSSHFleet
import Testing

@Suite("Formatted quantities") struct FormattedTests {
    @Test("sizes and durations")
    func amounts() {
        #expect(
            [0, 1, 1023, 1024, 1536, 5 << 30].map(Formatted.bytes) == [
                "0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 GiB",
            ])
        #expect(
            [0, 0.04, 9.94, 9.96, 59.4, 59.6, 192, 7500].map(Formatted.time) == [
                "0 s", "0.0 s", "9.9 s", "10 s", "59 s", "1 min 0 s", "3 min 12 s", "2 h 5 min",
            ])
        #expect(Formatted.bytes((1 << 20) - 1) == "1.0 MiB")
    }
}
