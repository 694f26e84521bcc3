internal import Crypto
internal import Synchronization

/// Recognises the secrets of one connection when a server sends them back: in a banner, a prompt, a message, or a file's status.
/// It does not store the secrets, so that they can be freed after authentication. It stores only their lengths, the sums of their
/// bytes, and message authentication codes with a key of its own.
///
/// Secrets shorter than four bytes are ignored. They occur by chance in nearly every text, and masking them would reveal them.
package final class KnownSecrets: Sendable {
    static let shortest = 4
    static let replacement = "•••"
    /// The greatest number of secrets: a server may prompt any number of times.
    private static let most = 64
    /// Texts from packets are cut at 512 bytes or more, perhaps in the middle of a secret.
    private static let shortestCut = 500

    private struct Trace: Sendable, Hashable {
        let count: Int
        /// The sum of the bytes. Comparing sums excludes nearly every position, at the cost of an addition.
        let sum: Int
        let code: [UInt8]
        /// The sum and code of each prefix that is long enough to recognise, the shortest first.
        let beginnings: [Beginning]
    }

    private struct Beginning: Sendable, Hashable {
        let sum: Int
        let code: [UInt8]
    }

    /// One key for the process, so that connections can share traces.
    private static let key = SymmetricKey(size: .bits256)
    private let traces = Mutex<[Trace]>([])

    package init() {}

    /// Masks this secret from now on.
    package func add(_ secret: SSHSecret) {
        guard secret.count >= Self.shortest else { return }
        let trace = secret.withBytes { bytes in
            let beginnings = (Self.shortest..<max(Self.shortest, min(bytes.count, 128))).map { count in
                let beginning = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                return Beginning(sum: Self.sum(beginning), code: code(beginning))
            }
            return Trace(count: bytes.count, sum: Self.sum(bytes), code: code(bytes), beginnings: beginnings)
        }
        add([trace])
    }

    /// Masks all secrets of another instance from now on.
    func add(_ others: KnownSecrets) {
        guard others !== self else { return }
        add(others.traces.withLock { $0 })
    }

    private func add(_ new: [Trace]) {
        traces.withLock { traces in
            for trace in new where traces.count < Self.most && !traces.contains(trace) { traces.append(trace) }
        }
    }

    private var isEmpty: Bool { traces.withLock { $0.isEmpty } }

    /// A text from the server with every known secret replaced.
    func masking(_ text: String) -> String {
        guard !isEmpty, text.utf8.count >= Self.shortest else { return text }
        return String(decoding: masking(Array(text.utf8)), as: UTF8.self)
    }

    /// The same for bytes, which need not be text.
    func masking(_ bytes: [UInt8]) -> [UInt8] {
        let traces = traces.withLock { $0 }
        guard !traces.isEmpty else { return bytes }
        let masked = bytes.withUnsafeBytes { places(of: traces, in: $0) }
        guard !masked.isEmpty else { return bytes }
        var output: [UInt8] = []
        var start = 0
        for place in masked {
            output += bytes[start..<place.lowerBound]
            output += Self.replacement.utf8
            start = place.upperBound
        }
        return output + bytes[start...]
    }

    /// The positions of secrets, in order and without overlap.
    private func places(of traces: [Trace], in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for trace in traces where trace.count <= bytes.count {
            var sum = Self.sum(UnsafeRawBufferPointer(rebasing: bytes[..<trace.count]))
            var start = 0
            while true {
                let end = start + trace.count
                if sum == trace.sum, code(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) == trace.code {
                    found.append(start..<end)
                }
                guard end < bytes.count else { break }
                sum += Int(bytes[end]) - Int(bytes[start])
                start += 1
            }
        }
        if bytes.count >= Self.shortestCut, let cut = cutOff(traces, bytes) { found.append(cut) }
        return Self.merged(found)
    }

    /// The longest prefix of a secret at the end of the text.
    private func cutOff(_ traces: [Trace], _ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var longest: Range<Int>?
        for trace in traces {
            for (index, beginning) in trace.beginnings.enumerated() {
                let start = bytes.count - Self.shortest - index
                guard start >= 0, start < longest?.lowerBound ?? .max else { continue }
                let end = UnsafeRawBufferPointer(rebasing: bytes[start...])
                if Self.sum(end) == beginning.sum, code(end) == beginning.code { longest = start..<bytes.count }
            }
        }
        return longest
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private static func sum(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.reduce(0) { $0 + Int($1) } }

    private func code(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: Self.key))
    }
}

/// Masks secrets in the server's texts, and leaves local texts unchanged.
struct MaskedTexts: EvidenceTexts {
    let secrets: KnownSecrets

    func transformPeerText(_ text: inout String, _ extent: TextExtent) { text = secrets.masking(text) }

    func transformLocalText(_ text: inout String, _ extent: TextExtent) {}
}

extension KnownSecrets {
    package func masking(_ evidence: SSHEvidence) -> SSHEvidence {
        guard !isEmpty else { return evidence }
        var evidence = evidence
        evidence.change(MaskedTexts(secrets: self))
        evidence.firstBytes = masking(evidence.firstBytes)
        return evidence
    }

    func masking(_ login: SSHAuthenticationEvidence) -> SSHAuthenticationEvidence {
        guard !isEmpty else { return login }
        var login = login
        login.change(MaskedTexts(secrets: self))
        return login
    }

    func masking(_ request: SSHPromptRequest) -> SSHPromptRequest {
        var masked = SSHPromptRequest(
            name: masking(request.name), instruction: masking(request.instruction),
            prompts: request.prompts.map { .init(text: masking($0.text), echo: $0.echo) })
        masked.isRetry = request.isRetry
        return masked
    }
}
