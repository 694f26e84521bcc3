package import BridgeSSHFleet

/// Writes one JSON object per line, `bridge-ssh-fleet/1`.
package struct JSONLinesRenderer: FleetRenderer {
    private struct Source: Hashable {
        let host: String
        let stream: SSHEvidence.OutputStream
    }

    /// Whether output is written as it arrives.
    package let needsPieces: Bool
    private let now: @Sendable () -> Int64
    private var json = FleetJSON()
    /// The first bytes of an incomplete UTF-8 character, at most three for each stream.
    private var partialLines: [Source: [UInt8]] = [:]

    /// - Parameters:
    ///   - streams: whether output is written as it arrives.
    ///   - now: milliseconds since 1970.
    package init(streams: Bool, now: @escaping @Sendable () -> Int64 = FleetTimestamp.now) {
        needsPieces = streams
        self.now = now
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        switch event {
        case .output(let host, let stream, let bytes):
            guard needsPieces else { return }
            let source = Source(host: host, stream: stream)
            let all = (partialLines.removeValue(forKey: source) ?? []) + bytes
            let end = all[...].endOfCharacters
            if end < all.count { partialLines[source] = Array(all[end...]) }
            if end > 0 { write(.output(host: host, stream: stream, bytes: Array(all[..<end])), &pieces) }
        case .ended(let result):
            for stream in SSHEvidence.OutputStream.allCases {
                guard let rest = partialLines.removeValue(forKey: Source(host: result.host, stream: stream)) else { continue }
                write(.output(host: result.host, stream: stream, bytes: rest), &pieces)
            }
            write(event, &pieces)
        default: write(event, &pieces)
        }
    }

    private mutating func write(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        let object = json.object(event, time: now())
        var lines: [RenderedPiece] = []
        object.write(end: "\n") { lines.append(RenderedPiece(.standardOutput, $0)) }
        pieces += lines
    }
}
