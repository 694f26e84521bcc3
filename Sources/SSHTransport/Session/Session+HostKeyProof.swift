/// The proof that a server holds the private halves of the host keys that it announces (OpenSSH's PROTOCOL, section 2.5). Pure.
struct HostKeyProof {
    private static let name = "hostkeys-prove-00@openssh.com"

    /// The blobs of the known host keys; nil if no others are wanted.
    private var known: Set<[UInt8]>?
    /// The types of the keys that may become known.
    private var types: Set<String> = []
    /// Whether the server is asked to prove such keys.
    private var areProven = false
    /// Whether the keys were taken: see ``take(from:isLast:)``.
    private var areTaken = false
    /// The blobs of the keys that the server was asked about, in the order of the question.
    private(set) var asked: [[UInt8]] = []
    /// The blobs of the keys that the server has proven to hold.
    private(set) var proven: [[UInt8]] = []
    /// Whether the server has not answered yet.
    private(set) var isAwaited = false

    mutating func expect(known: Set<[UInt8]>, types: Set<String>, areProven: Bool) {
        (self.known, self.types, self.areProven) = (known, types, areProven)
    }

    /// The announced keys that are not known.
    private func unknown(of keys: [[UInt8]]) -> [[UInt8]] {
        guard let known else { return [] }
        var unknown: [[UInt8]] = []
        for key in keys where !known.contains(key) && !unknown.contains(key) {
            guard let type = try? SSHPublicKey(blob: key).algorithm, types.contains(type) else { continue }
            unknown.append(key)
        }
        return unknown
    }

    /// The announced keys that are not known; empty after the first time.
    ///
    /// - Parameter isLast: whether this is the last question. Otherwise there are none while the server's answer is awaited.
    mutating func take(from keys: [[UInt8]], isLast: Bool) -> [[UInt8]] {
        guard !areTaken, !keys.isEmpty, isLast || !isAwaited else { return [] }
        areTaken = true
        return unknown(of: keys)
    }

    /// The request for the proof of the keys that need one; nil if none does.
    ///
    /// - Parameters:
    ///   - keys: the announced blobs.
    ///   - offered: the host key algorithms that this client offered. A server that has not been offered SHA-2 for RSA signs with
    ///     SHA-1, and for all keys or none.
    func request(for keys: [[UInt8]], offered: [String]) -> (keys: [[UInt8]], payload: [UInt8])? {
        guard areProven, !isAwaited, asked.isEmpty else { return nil }
        let provable = Set(offered.filter { $0 != PublicKeyAlgorithm.rsa }.map { SSHHostKey.keyType(ofAlgorithm: $0) })
        let new = unknown(of: keys).filter { key in
            (try? SSHPublicKey(blob: key)).map { provable.contains($0.algorithm) } ?? false
        }
        guard !new.isEmpty else { return nil }
        var message = SSHWireWriter()
        // SSH_MSG_GLOBAL_REQUEST, with an answer.
        message.byte(80)
        message.string(Self.name)
        message.boolean(true)
        for key in new { message.string(key) }
        return (new, message.bytes)
    }

    /// The request was sent.
    mutating func ask(for keys: [[UInt8]]) { (asked, isAwaited) = (keys, true) }

    /// - Parameters:
    ///   - signatures: one for each key of the request.
    ///   - identifier: the session identifier, which each signature covers; nil if it is not known.
    mutating func answered(_ signatures: [[UInt8]], identifier: [UInt8]?) {
        guard isAwaited else { return }
        isAwaited = false
        // A message ends where its padding begins, which the reader of the signatures cannot know.
        guard let identifier, signatures.count >= asked.count else { return }
        for (key, signature) in zip(asked, signatures) {
            var data = SSHWireWriter()
            data.string(Self.name)
            data.string(identifier)
            data.string(key)
            if HostKeySignature(blob: signature)?.isValid(for: data.bytes, by: key) == true { proven.append(key) }
        }
    }

    mutating func refused() { isAwaited = false }
}

extension Session {
    /// Says which host keys are known. Call this before the login: the server announces its keys after it.
    ///
    /// - Parameters:
    ///   - known: the blobs of the known keys.
    ///   - types: the types of the keys that may become known.
    ///   - areProven: whether the server is asked to prove that it holds the others.
    package func expectHostKeys(known: Set<[UInt8]>, types: Set<String>, areProven: Bool) {
        hostKeyProof.expect(known: known, types: types, areProven: areProven)
    }

    /// The host keys that the server has announced, if some of them are not known. Nil after the first time.
    ///
    /// - Parameter isLast: whether this is the last question.
    package func takeAnnouncedHostKeys(isLast: Bool) -> AnnouncedHostKeys? {
        let unknown = hostKeyProof.take(from: observations.announcedKeys, isLast: isLast)
        guard !unknown.isEmpty else { return nil }
        return AnnouncedHostKeys(
            all: Self.hostKeys(observations.announcedKeys), unknown: Self.hostKeys(unknown),
            asked: Self.hostKeys(hostKeyProof.asked), proven: Self.hostKeys(hostKeyProof.proven))
    }

    private static func hostKeys(_ blobs: [[UInt8]]) -> [SSHHostKey] {
        blobs.compactMap { try? SSHPublicKey(blob: $0) }.map { SSHHostKey($0) }
    }

    /// Sends the request at once: a command's answers come after its answer then.
    func askForProof(of keys: [[UInt8]]) {
        guard !isDead, !isLent, library.isAuthenticated,
            let request = hostKeyProof.request(for: keys, offered: observations.offered?.hostKey ?? [])
        else { return }
        if library.send(globalRequest: request.payload) { hostKeyProof.ask(for: request.keys) }
    }
}

/// The host keys that a server has announced after the login (`hostkeys-00@openssh.com`).
package struct AnnouncedHostKeys: Sendable {
    package let all: [SSHHostKey]
    /// The unknown keys.
    package let unknown: [SSHHostKey]
    /// The unknown keys that the server was asked to prove.
    package let asked: [SSHHostKey]
    /// The keys that the server has proven to hold.
    package let proven: [SSHHostKey]

    package init(all: [SSHHostKey], unknown: [SSHHostKey], asked: [SSHHostKey], proven: [SSHHostKey]) {
        self.all = all
        self.unknown = unknown
        self.asked = asked
        self.proven = proven
    }
}
