import BridgeSSH
import SSHTestSupport

/// The places in the stream of a whole session.
///
/// Up to the new keys they can be read. After them they follow from the packets' lengths; they are verified by the client's
/// behaviour: its next request goes out exactly at the last byte of the server's previous answer.
struct SessionMap: Sendable {
    /// A part of the session; a failure in it must be reported with its stage.
    enum Part: Int, Sendable, Comparable, CaseIterable {
        case identification, keyExchange, authentication, channelOpening, commandStart, command

        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }

        var stage: SSHStage {
            switch self {
            case .identification: .banner
            case .keyExchange: .keyExchange
            case .authentication: .authentication
            case .channelOpening, .commandStart: .channel
            case .command: .session
            }
        }
    }

    let server: ClearText
    let client: ClearText
    /// The protection of the server's packets.
    let protection: Protection
    /// The total number of bytes that the server sends.
    let serverTotal: Int
    let clientTotal: Int
    /// The number of the server's bytes that have arrived when a part begins.
    let serverStarts: [Part: Int]
    /// The number of bytes that the client has sent by then.
    let clientStarts: [Part: Int]
    /// The ends of a side's encrypted packets, without those that the server may send at any time.
    let ends: [FaultProxy.Side: Set<Int>]

    struct NotUnderstood: Error, CustomStringConvertible {
        let description: String
    }

    /// From here on the run succeeds even if the connection is lost: the server's last packet is SSH_MSG_CHANNEL_CLOSE, whose
    /// payload is five bytes (RFC 4254 section 5.3), and everything important comes before it.
    var success: Int { serverTotal - protection.packetLength(payload: 5) }

    /// The part that a client has reached after it has received this many bytes.
    func part(afterServerBytes count: Int) -> Part { Self.part(count, serverStarts) }

    /// The part whose request contains the client's byte at this offset.
    func part(ofClientByte offset: Int) -> Part { Self.part(offset, clientStarts) }

    private static func part(_ count: Int, _ starts: [Part: Int]) -> Part {
        Part.allCases.last { (starts[$0] ?? .max) <= count } ?? .identification
    }

    /// One line with the results.
    var summary: String {
        let parts = Part.allCases.map { "\($0) \(serverStarts[$0] ?? -1)" }.joined(separator: ", ")
        return "\(protection.cipher): \(serverTotal) bytes from the server (\(parts), success \(success)), \(clientTotal) from us"
    }

    /// All places where something begins or ends.
    func boundaries(of side: FaultProxy.Side) -> Set<Int> {
        let clear = side == .server ? server : client
        let packets = clear.packets.flatMap {
            [$0.range.lowerBound, $0.payload.lowerBound, $0.payload.upperBound, $0.range.upperBound]
        }
        let starts = side == .server ? serverStarts : clientStarts
        let total = side == .server ? [0, success, serverTotal] : [0, clientTotal]
        return Set(packets + starts.values + total).union(ends[side] ?? [])
    }
}

extension SessionMap {
    /// Learns a server's session.
    static func learn(_ session: SweptSession) async throws -> SessionMap {
        let record = WireRecord()
        let whole = try await session.run(nil, timeLimit: 60, record: record)
        if let error = whole.error { throw NotUnderstood(description: "the whole session fails: \(error)") }
        let (serverBytes, clientBytes) = (record.bytes(from: .server), record.bytes(from: .client))
        let (server, client) = (try ClearText(serverBytes), try ClearText(clientBytes))
        guard let protection = Protection(client: client, server: server, from: .server),
            let ours = Protection(client: client, server: server, from: .client)
        else { throw NotUnderstood(description: "no common cipher in the lists") }
        let refused = try await session.refused()
        let packets = SweptPackets(
            server: session.box.options.server, user: session.user, command: session.command(marking: session.newMark()),
            methods: refused.methods)

        // A session that the server refused ended with SSH_MSG_USERAUTH_FAILURE. The difference is SSH_MSG_EXT_INFO.
        let refusal = [SweptPackets.serviceAccept, packets.failure].map(protection.packetLength).reduce(server.length, +)
        var serverPackets = Walk(at: server.length + refused.received - refusal)
        guard refused.received >= refusal else {
            throw NotUnderstood(description: "a refusal has \(refused.received) bytes, not \(refusal)")
        }
        serverPackets.go(packets.authenticationAnswers, protection)
        let rest = packets.channelAnswers.map { protection.packetLength(payload: $0.payload) }.reduce(0, +)
        guard serverBytes.count - rest >= serverPackets.place else {
            throw NotUnderstood(description: "the server's stream has \(serverBytes.count) bytes, too few")
        }
        serverPackets.place = serverBytes.count - rest
        serverPackets.ends.insert(serverPackets.place)
        serverPackets.go(packets.channelAnswers, protection)
        var clientPackets = Walk(at: client.length)
        clientPackets.go(packets.requests, ours, startsBefore: true)

        let map = SessionMap(
            server: server, client: client, protection: protection, serverTotal: serverBytes.count,
            clientTotal: clientPackets.place,
            serverStarts: serverPackets.starts.merging([.identification: 0, .keyExchange: server.identificationLength]) { $1 },
            clientStarts: clientPackets.starts.merging([.identification: 0, .keyExchange: client.identificationLength]) { $1 },
            ends: [.server: serverPackets.ends, .client: clientPackets.ends])
        try await map.prove(session)
        return map
    }

    /// Adds packets up.
    private struct Walk {
        var place: Int
        var starts: [Part: Int] = [:]
        var ends: Set<Int>

        init(at place: Int) {
            self.place = place
            ends = [place]
        }

        /// - Parameter startsBefore: whether a part begins before the packet, which is the client's request, or after it.
        mutating func go(_ packets: [SweptPackets.Answer], _ protection: Protection, startsBefore: Bool = false) {
            for packet in packets {
                let start = place
                place += protection.packetLength(payload: packet.payload)
                ends.insert(place)
                if let part = packet.begins { starts[part] = startsBefore ? start : place }
            }
        }
    }

    /// Throws unless each part of the encrypted session begins at its place in the map.
    private func prove(_ session: SweptSession) async throws {
        for part in Part.allCases where part >= .authentication {
            guard let start = serverStarts[part], let sent = clientStarts[part] else {
                throw NotUnderstood(description: "\(part) has no beginning")
            }
            // An incomplete message is never answered; a complete one is, once the client reads it.
            let early = try await session.run(.init(.finish, afterServerBytes: start - 1), timeLimit: 60).clientBytes
            let asked = try await session.sends(moreThan: sent, afterServerBytes: start)
            guard early == sent, asked else {
                throw NotUnderstood(
                    description: """
                        \(part) is to begin after \(start) bytes, when we have sent \(sent): one byte less and we have sent \
                        \(early), and with it \(asked ? "more" : "no more"); \(summary)
                        """)
            }
        }
    }
}
