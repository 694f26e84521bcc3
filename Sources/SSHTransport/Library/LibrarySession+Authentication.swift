internal import CLibSSH2
internal import CPayloadTap

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
