import Testing

@testable import BridgeSSHFleet
@testable import FleetOutput

@Suite("Sum of what was copied") struct CopiedTotalTests {
    @Test("the sum counts the hosts that have something")
    func sum() {
        var total = CopiedTotal()
        func host(_ outcome: FleetHostOutcome, files: Int) -> FleetHostResult {
            var result = FleetHostResult(host: "h", outcome: outcome)
            result.transfer = HostTransfer(direction: .fetch, sources: ["/x"], target: "out/h")
            var copied = SFTPCopyResult()
            (copied.files, copied.bytes) = (files, UInt64(files) * 1024)
            result.copied = copied
            return result
        }
        #expect(total.text == nil && !total.isWanted)
        total.add(host(.error, files: 0))
        #expect(total.text == nil && total.isWanted)
        total.add(host(.ok, files: 3))
        total.add(host(.failed, files: 1))
        #expect(total.text == "4 files, 4.0 KiB from 2 hosts")
    }
}
