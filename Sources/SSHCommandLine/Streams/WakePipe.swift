import BridgeSSH

/// A pipe that wakes a thread in poll(2): it becomes readable when it is rung, and stays readable until it is reset.
final class WakePipe: Sendable {
    /// The descriptor to poll for input; -1, which poll ignores, if no descriptor was left.
    let readEnd: Int32
    private let writeEnd: Int32

    init() { (readEnd, writeEnd) = openPipe() ?? (-1, -1) }

    func ring() {
        var byte: UInt8 = 1
        _ = writeBytes(writeEnd, &byte, 1)
    }

    /// Makes the pipe unreadable again. Call it only while the pipe is readable.
    func reset() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { _ = readBytes(readEnd, $0.baseAddress, $0.count) }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }
}
