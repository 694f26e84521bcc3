import Testing

@testable import BridgeSSHFleet
@testable import FleetOutput

@Suite("Totals of a copy") struct CopyTotalsTests {
    @Test("the totals count the hosts with copied files")
    func sum() {
        var total = CopyTotals()
        func host(_ outcome: FleetHostOutcome, files: Int) -> FleetHostResult {
            var result = FleetHostResult(host: "h", outcome: outcome)
            result.transfer = HostTransfer(direction: .fetch, sources: ["/x"], target: "out/h")
            var copied = SFTPCopyResult()
            (copied.files, copied.bytes) = (files, UInt64(files) * 1024)
            result.copied = copied
            return result
        }
        #expect(total.text == nil && !total.hasCopies)
        total.add(host(.error, files: 0))
        #expect(total.text == nil && total.hasCopies)
        total.add(host(.ok, files: 3))
        total.add(host(.failed, files: 1))
        #expect(total.text == "4 files, 4.0 KiB from 2 hosts")
    }
}
