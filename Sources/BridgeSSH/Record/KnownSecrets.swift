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
    private static let maximumCount = 64
    /// Texts from packets are cut at 512 bytes or more, perhaps in the middle of a secret.
    private static let shortestCut = 500

    /// The length of the longest prefix with a mark of its own. The work for the marks grows with its square.
    private static let maximumPrefixLength = 127

    private struct Trace: Sendable, Hashable {
        let whole: Mark
        /// Each prefix that is long enough to recognise, the shortest first, up to ``maximumPrefixLength``.
        let prefixes: [Mark]
    }

    /// Recognises some bytes without storing them.
    private struct Mark: Sendable, Hashable {
        let count: Int
        /// The sum of the bytes. Comparing sums excludes nearly every position, at the cost of an addition.
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
            let end = max(Self.shortest, min(bytes.count, Self.maximumPrefixLength + 1))
            let prefixes = (Self.shortest..<end).map { mark(of: UnsafeRawBufferPointer(rebasing: bytes[..<$0])) }
            return Trace(whole: mark(of: bytes), prefixes: prefixes)
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
            for trace in new where traces.count < Self.maximumCount && !traces.contains(trace) { traces.append(trace) }
        }
    }

    private var isEmpty: Bool { traces.withLock { $0.isEmpty } }

    /// A text from the server with every known secret replaced.
    package func masking(_ text: String) -> String {
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
        for trace in traces {
            found += starts(of: trace.whole, in: bytes, from: 0).map { $0..<$0 + trace.whole.count }
        }
        if bytes.count >= Self.shortestCut, let cut = cutOff(traces, bytes) { found.append(cut) }
        return Self.merged(found)
    }

    /// Where these bytes start in the text, from a position on.
    private func starts(of mark: Mark, in bytes: UnsafeRawBufferPointer, from first: Int) -> [Int] {
        guard first + mark.count <= bytes.count else { return [] }
        var starts: [Int] = []
        var start = first
        var sum = Self.sum(UnsafeRawBufferPointer(rebasing: bytes[first..<first + mark.count]))
        while true {
            let end = start + mark.count
            if sum == mark.sum, code(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) == mark.code { starts.append(start) }
            guard end < bytes.count else { return starts }
            sum += Int(bytes[end]) - Int(bytes[start])
            start += 1
        }
    }

    /// The longest prefix of a secret at the end of the text.
    private func cutOff(_ traces: [Trace], _ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var longest: Range<Int>?
        for trace in traces {
            for prefix in trace.prefixes {
                let start = bytes.count - prefix.count
                guard start >= 0, start < longest?.lowerBound ?? .max else { continue }
                let end = UnsafeRawBufferPointer(rebasing: bytes[start...])
                if Self.sum(end) == prefix.sum, code(end) == prefix.code { longest = start..<bytes.count }
            }
            if let start = longPrefix(of: trace, in: bytes), start < longest?.lowerBound ?? .max {
                longest = start..<bytes.count
            }
        }
        return longest
    }

    /// The start of a prefix that is too long for a mark of its own. It is recognised by its first bytes, which are so near to
    /// the end of the text that the secret would extend beyond it.
    private func longPrefix(of trace: Trace, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let head = trace.prefixes.last, head.count == Self.maximumPrefixLength, head.count + 1 < trace.whole.count else {
            return nil
        }
        return starts(of: head, in: bytes, from: max(0, bytes.count - trace.whole.count + 1)).first
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

    private func mark(of bytes: UnsafeRawBufferPointer) -> Mark {
        Mark(count: bytes.count, sum: Self.sum(bytes), code: code(bytes))
    }

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

    package func masking(_ cause: SSHRemoteCause) -> SSHRemoteCause {
        var cause = cause
        cause.message = masking(cause.message)
        cause.reason = cause.reason.map(masking)
        return cause
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
