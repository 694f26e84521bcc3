internal import CLibSSH2
internal import CPayloadTap
internal import NIOPosix

/// Authentication (RFC 4252).
extension LibrarySession {
    /// Whether the server has accepted the user.
    var isAuthenticated: Bool { libssh2_userauth_authenticated(raw) == 1 }

    /// Asks with method `none` for the methods that can continue (RFC 4252 section 5.2).
    ///
    /// - Parameter methods: called with their names, unless the server accepts the user without any credential.
    func authenticationMethods(user: String, _ methods: ([String]) -> Void) -> LibraryResult {
        let made = bridge_userauth_list(raw, user, UInt32(user.utf8.count))
        if let list = made.text { methods(String(cString: list).split(separator: ",").map(String.init)) }
        // There is no list if no credential is needed, which is not a failure.
        if made.text == nil, isAuthenticated { return .success(0) }
        return result(made.result)
    }

    /// Offers a password (RFC 4252 section 8).
    func authenticate(user: String, password: SSHSecret) -> LibraryResult {
        password.withBytes { bytes in
            result(
                bridge_userauth_password_ex(
                    raw, user, UInt32(user.utf8.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    UInt32(bytes.count), Self.noNewPassword))
        }
    }

    /// Gives no new password. Without a callback libssh2 1.10 treats the request for one as a refusal.
    private static let noNewPassword:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeMutablePointer<Int32>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { _, _, _, _ in }

    /// The data to be signed as the server will see it: what is sent passes through the allocator's guard.
    ///
    /// - Parameter data: the session identifier and the request (RFC 4252 section 7).
    func signed(_ data: [UInt8]) -> [UInt8] {
        var reader = SSHWireReader(data)
        guard bridge_tap_watches_outgoing(tap) != 0, (try? reader.string()) != nil else { return data }
        var request = Array(reader.remaining)
        let length = request.withUnsafeMutableBufferPointer { bridge_tap_name_rsa_key($0.baseAddress, $0.count) }
        return Array(data.dropLast(request.count)) + request.prefix(length)
    }

    /// A session for the thread that borrows it: see ``LentSession``.
    func loan(user: String) -> LentSession { LentSession(library: self, user: user) }
}

/// The outcome of a round of prompts.
package enum PromptReaction: Sendable {
    /// The most rounds of prompts in one attempt. Some servers send each question in its own round, but none needs so many.
    package static let maximumRounds = 64

    /// One answer per prompt; empty if there are no answers.
    case answers([SSHSecret])
    /// Stop answering: the session is ending.
    case giveUp
}

/// Answers a round of prompts. May block its thread.
package typealias KeyboardInteractivePrompter = @Sendable (SSHPromptRequest) -> PromptReaction

/// One libssh2_userauth_publickey call, and the link between its signature callback and an asynchronous signer.
///
/// The callback first records the data to be signed and returns EAGAIN; libssh2 keeps its state. When the signature is ready,
/// the same call is repeated, and the callback returns it. Confined to its session.
final class PublicKeyAttempt {
    private let library: LibrarySession
    private let user: String
    private let blob: [UInt8]
    /// The callback's abstract: a pointer to a pointer to this object.
    private let abstract = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    private var data: [UInt8]?
    private var signature: [UInt8]?
    /// Whether signing failed.
    private(set) var isRefused = false

    /// - Parameter blob: the key as it is offered.
    init(_ library: LibrarySession, user: String, blob: [UInt8]) {
        self.library = library
        self.user = user
        self.blob = blob
        abstract.initialize(to: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { abstract.deallocate() }

    /// Whether libssh2 asked for a signature. It does so when the server has answered that it would accept the key.
    var keyWasAccepted: Bool { data != nil }

    /// The data to be signed now, if libssh2 waits for a signature.
    var dataToSign: [UInt8]? { signature == nil && !isRefused ? data : nil }

    /// Gives the second string of the signature blob; libssh2 packs the first, the algorithm's name, itself.
    func answer(with signature: [UInt8]) { self.signature = signature }

    /// Gives up: libssh2 ends the attempt.
    func refuse() { isRefused = true }

    /// The result of a call of libssh2 that waits for a signature.
    static let awaitsSignature = 1

    /// The call; ``awaitsSignature`` when it waits for one.
    func call() -> LibraryResult {
        let result = library.result(
            blob.withUnsafeBufferPointer { blob in
                bridge_userauth_publickey(library.raw, user, blob.baseAddress, blob.count, Self.callback, abstract)
            })
        if case .again = result, dataToSign != nil { return .success(Self.awaitsSignature) }
        return result
    }

    private func sign(
        _ data: UnsafeRawBufferPointer, _ signature: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        _ length: UnsafeMutablePointer<Int>
    ) -> Int32 {
        if isRefused { return -1 }
        self.data = library.signed(Array(data))
        guard let bytes = self.signature else { return LIBSSH2_ERROR_EAGAIN }
        // libssh2 frees it with the session's allocator.
        guard let copy = bridge_tap_alloc(bytes.count, nil) else { return -1 }
        copy.copyMemory(from: bytes, byteCount: bytes.count)
        signature.pointee = copy.assumingMemoryBound(to: UInt8.self)
        length.pointee = bytes.count
        return 0
    }

    private static let callback:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
            UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 = { _, signature, length, data, count, abstract in
            guard let owner = abstract?.pointee, let signature, let length, let data else { return -1 }
            let attempt = Unmanaged<PublicKeyAttempt>.fromOpaque(owner).takeUnretainedValue()
            return attempt.sign(UnsafeRawBufferPointer(start: data, count: count), signature, length)
        }
}

/// A session on its way to the thread that borrows it.
///
/// `@unchecked Sendable` is safe because the session does not touch libssh2 between `lend`'s call and its return: it has one
/// user.
struct LentSession: @unchecked Sendable {
    let library: LibrarySession
    let user: String

    /// Answers the server's questions (RFC 4256), on a thread that may wait.
    func keyboardInteractive() -> LibraryResult {
        library.result(
            bridge_userauth_keyboard_interactive_ex(library.raw, user, UInt32(user.utf8.count), Self.callback))
    }

    private static let callback:
        @convention(c) (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
            UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { name, nameLength, instruction, instructionLength, count, prompts, responses, abstract in
            let request = SSHPromptRequest(
                name: text(name, Int(nameLength)), instruction: text(instruction, Int(instructionLength)),
                prompts: (0..<Int(count)).compactMap { index in prompts.map { prompt(UnsafeRawPointer($0), index) } })
            guard case .answers(let answers) = LibrarySession.session(abstract)?.prompter?(request) else {
                return LibrarySession.refuseQuestions(abstract)
            }
            LibrarySession.answered(abstract)
            for index in 0..<Int(count) {
                // libssh2 frees the answers with the session's allocator, which wipes them.
                answers.dropFirst(index).first?.withBytes { bytes in
                    guard let copy = bridge_tap_alloc(max(1, bytes.count), nil), let responses else { return }
                    if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: bytes.count) }
                    responses[index].text = copy.assumingMemoryBound(to: CChar.self)
                    responses[index].length = UInt32(bytes.count)
                }
            }
        }

    /// One prompt in the layout of the loaded library. The length is an unsigned int before 1.11 and a size_t since,
    /// independently of the header at build time.
    private static func prompt(_ prompts: UnsafeRawPointer, _ index: Int) -> SSHPromptRequest.Prompt {
        let isWide = Library.isAtLeast(1, 11)
        let start = prompts + index * (isWide ? 24 : 16)
        let length =
            isWide
            ? Int(clamping: start.load(fromByteOffset: 8, as: UInt64.self))
            : Int(start.load(fromByteOffset: 8, as: UInt32.self))
        return SSHPromptRequest.Prompt(
            text: text(start.load(as: UnsafeRawPointer?.self), length),
            echo: start.load(fromByteOffset: isWide ? 16 : 12, as: UInt8.self) != 0)
    }

    private static func text(_ start: UnsafeRawPointer?, _ length: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(length, 4096)), as: UTF8.self)
    }
}

/// Runs a lent call on a thread that may block.
package protocol LentCallRunner {
    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value
}

/// Runs calls that may block, off the event loop.
package struct BlockingCalls: LentCallRunner, Sendable {
    package init() {}

    package func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        // This needs its own task: the pool does not begin the work of a cancelled task, and no libssh2 call may be skipped.
        // `interrupt` passes a cancellation to the call.
        await Task {
            do {
                return try await NIOThreadPool.singleton.runIfActive { call() }
            } catch {
                preconditionFailure("the process's own pool of threads is never shut down")
            }
        }.value
    }
}
