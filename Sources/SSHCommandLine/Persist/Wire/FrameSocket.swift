import BridgeSSH
import CLocalSocket
import Dispatch
import ErrorCore

/// A unix-domain socket that carries frames: four bytes of length, one byte of kind, the payload. Reads and writes each have a
/// thread of their own, so that a peer that stalls blocks nothing else.
final class FrameSocket: Sendable {
    enum Failure: Error {
        /// The peer did not send in time.
        case late
        /// The received bytes are not a frame.
        case malformed
        /// A system call failed with this errno.
        case system(Int32)
    }

    /// The maximum length of a frame in bytes. Longer output is sent in pieces.
    private static let maximumLength = 4 << 20
    /// The maximum length of a secret in bytes, as in `SecretSource`.
    private static let maximumSecretLength = 64 << 10
    static let pieceLength = 1 << 20
    private static let headerLength = 5
    /// Seconds that a frame may take from its first byte to its last. A peer that stops in the middle counts as hung.
    private static let maximumFrameSeconds = 30.0

    private let descriptor: Int32
    private let reading = DispatchQueue(label: "frames-in")
    private let writing = DispatchQueue(label: "frames-out")

    /// Takes over the descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The user and the process at the other end; nil if the system does not say.
    var peer: (user: uid_t, process: pid_t)? {
        var user: uid_t = 0
        var process: pid_t = 0
        return bridge_peer(descriptor, &user, &process) == 0 ? (user, process) : nil
    }

    /// Ends both directions. Frames already sent still arrive.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    // MARK: Reading

    /// The next frame; nil at the end.
    ///
    /// - Parameter seconds: how long to wait for the first byte; nil to wait forever.
    /// - Throws: `Failure`.
    func receive(within seconds: Double? = nil) async throws -> Frame? {
        try await withCheckedThrowingContinuation { continuation in
            reading.async { [self] in continuation.resume(with: Result { try readFrame(within: seconds) }) }
        }
    }

    private func readFrame(within seconds: Double?) throws -> Frame? {
        if let seconds { try wait(until: .now + .seconds(seconds)) }
        var header = [UInt8](repeating: 0, count: Self.headerLength)
        var descriptors: [OwnedDescriptor] = []
        var end: ContinuousClock.Instant?
        guard try header.withUnsafeMutableBytes({ try fill($0, &descriptors, hasBegun: false, by: &end) }) else { return nil }
        let length = header[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard let kind = Frame.Kind(rawValue: header[4]),
            length <= (kind == .secret ? Self.maximumSecretLength : Self.maximumLength)
        else {
            throw Failure.malformed
        }
        var frame = Frame(kind: kind)
        if kind == .secret {
            frame.secret = try withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { memory in
                defer { SecretMemory.wipe(memory) }
                guard try fill(memory, &descriptors, hasBegun: true, by: &end) else { throw Failure.malformed }
                return SSHSecret(bytes: memory)
            }
        } else {
            frame.payload = try [UInt8](unsafeUninitializedCapacity: length) { memory, count in
                guard try fill(UnsafeMutableRawBufferPointer(memory), &descriptors, hasBegun: true, by: &end) else {
                    throw Failure.malformed
                }
                count = length
            }
        }
        frame.descriptors = descriptors
        return frame
    }

    private func wait(until end: ContinuousClock.Instant) throws {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end).inSeconds
            let ready = poll(&watched, 1, Int32(max(0, min(left, 86_400) * 1000).rounded(.up)))
            if ready > 0 { return }
            if ready == 0, left <= 0 { throw Failure.late }
            if ready < 0, errno != EINTR { throw Failure.system(errno) }
        }
    }

    /// Reads until the memory is full.
    ///
    /// - Parameters:
    ///   - hasBegun: whether a part of the frame has arrived.
    ///   - end: when the frame must be complete; nil until the first wait.
    /// - Returns: false at an end before the first byte.
    private func fill(
        _ memory: UnsafeMutableRawBufferPointer, _ descriptors: inout [OwnedDescriptor], hasBegun: Bool,
        by end: inout ContinuousClock.Instant?
    ) throws -> Bool {
        var filled = 0
        while filled < memory.count {
            if hasBegun || filled > 0 { try waitForMore(until: &end) }
            var numbers = [Int32](repeating: -1, count: Int(BRIDGE_DESCRIPTORS_MAX))
            var count = Int32(numbers.count)
            let got = bridge_receive(
                descriptor, memory.baseAddress?.advanced(by: filled), memory.count - filled, &numbers, &count)
            descriptors += numbers.prefix(Int(max(0, count))).map(OwnedDescriptor.init)
            guard descriptors.count <= numbers.count else { throw Failure.malformed }
            if got < 0 {
                if errno == EINTR { continue }
                // The peer closed the socket with unread bytes from this side.
                if errno == ECONNRESET, filled == 0 { return false }
                throw Failure.system(errno)
            }
            guard got > 0 else {
                guard filled == 0 else { throw Failure.malformed }
                return false
            }
            filled += got
        }
        return true
    }

    private func waitForMore(until end: inout ContinuousClock.Instant?) throws {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, 0) > 0 { return }
        let limit = end ?? .now + .seconds(Self.maximumFrameSeconds)
        end = limit
        try wait(until: limit)
    }

    // MARK: Writing

    /// Sends a frame, in order.
    ///
    /// - Returns: whether the system took it.
    @discardableResult
    func send(_ kind: Frame.Kind, _ value: some FieldCoded, descriptors: [Int32] = []) async -> Bool {
        await send(kind, payload: FieldCoder.bytes(of: value), descriptors: descriptors)
    }

    @discardableResult
    func send(_ kind: Frame.Kind, payload: [UInt8] = [], descriptors: [Int32] = []) async -> Bool {
        await withCheckedContinuation { continuation in
            writing.async { [self] in continuation.resume(returning: write(kind, payload, descriptors)) }
        }
    }

    /// Sends a frame, in order, without waiting.
    func post(_ kind: Frame.Kind, _ value: some FieldCoded) {
        let payload = FieldCoder.bytes(of: value)
        writing.async { [self] in _ = write(kind, payload, []) }
    }

    /// Sends a secret, straight from its own memory.
    func post(_ secret: SSHSecret) {
        writing.async { [self] in
            let header = Self.header(.secret, secret.count)
            guard header.withUnsafeBytes({ writeAll($0, []) }) else { return }
            secret.withBytes { _ = writeAll($0, []) }
        }
    }

    private static func header(_ kind: Frame.Kind, _ length: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [kind.rawValue]
    }

    private func write(_ kind: Frame.Kind, _ payload: [UInt8], _ descriptors: [Int32]) -> Bool {
        (Self.header(kind, payload.count) + payload).withUnsafeBytes { writeAll($0, descriptors) }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, _ descriptors: [Int32]) -> Bool {
        var rest = bytes[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let sent = bridge_send(descriptor, piece.baseAddress, piece.count, descriptors, Int32(descriptors.count))
            if sent < 0 {
                guard errno == EINTR else { return false }
                continue
            }
            descriptors = []
            rest = rest.dropFirst(sent)
        }
        return true
    }
}

/// A message between a run and a helper.
struct Frame: Sendable {
    /// The kind of message. The numbers are those of the protocol's version; see `HelperProtocol`.
    enum Kind: UInt8, Sendable {
        // From the run.
        case hello = 1
        case open = 2
        case secret = 3
        case run = 4
        case cancel = 5
        case resize = 6
        case answer = 7
        // From the helper.
        case welcome = 32
        case ready = 33
        case unopened = 34
        case stage = 35
        case notice = 36
        case trust = 37
        case question = 38
        case running = 39
        case waiting = 40
        case standardOutput = 41
        case standardError = 42
        case outcome = 43
        /// The command is about to be sent: from here on it may run.
        case taken = 44
        case banner = 45
        case authenticated = 46
    }

    let kind: Kind
    var payload: [UInt8] = []
    /// In place of the payload if the kind is `secret`.
    var secret: SSHSecret?
    var descriptors: [OwnedDescriptor] = []

    /// Decodes the payload.
    ///
    /// - Throws: `SSHWireError` if the payload is not a `Value`.
    func value<Value: FieldCoded>(_ type: Value.Type) throws -> Value { try FieldCoder.value(of: type, from: payload) }
}
