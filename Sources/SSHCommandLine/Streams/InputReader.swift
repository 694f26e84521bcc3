import BridgeSSH
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads a descriptor on a thread of its own, one piece per request, and takes nothing more once it is cancelled.
final class InputReader: Sendable {
    /// Reading failed with this errno.
    struct Failure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { String(cString: strerror(number)) }
    }

    private static let pieceLength = 32 << 10

    private let descriptor: Int32
    /// Nil for a borrowed one.
    let owner: OwnedDescriptor?
    private let queue = DispatchQueue(label: "input")
    private let wake = WakePipe()

    init(descriptor: OwnedDescriptor) {
        self.descriptor = descriptor.number
        owner = descriptor
    }

    /// Leaves the descriptor open.
    init(borrowing descriptor: Int32) {
        self.descriptor = descriptor
        owner = nil
    }

    /// The next bytes; nil at the end or after a cancellation.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in continuation.resume(with: Result { try readPiece() }) }
            }
        } onCancel: {
            wake.ring()
        }
    }

    /// ``next()``, for a command's input: what cannot be read is a failure of this machine's standard input.
    var pieces: @Sendable () async throws -> [UInt8]? {
        {
            do {
                return try await self.next()
            } catch let failure as Failure {
                throw Fault(.usage(field: "standard input", problem: "it cannot be read: \(failure)"), stage: .local)
            }
        }
    }

    private func readPiece() throws -> [UInt8]? {
        while true {
            guard waitUntilReady(descriptor, Int32(POLLIN), unless: wake.readEnd) else { return nil }
            var number: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
                let got = readBytes(descriptor, buffer.baseAddress, buffer.count)
                if got < 0 { number = errno }
                count = max(0, got)
            }
            switch number {
            case 0: return piece.isEmpty ? nil : piece
            case EINTR, EAGAIN: continue
            // A terminal that went away.
            case EIO: return nil
            default: throw Failure(number: number)
            }
        }
    }
}
