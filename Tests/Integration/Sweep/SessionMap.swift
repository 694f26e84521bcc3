import BridgeSSH
import SSHTestSupport

/// The places in the stream of a whole session, learnt from the outside.
///
/// Up to the new keys they can be read. After them they show in what we do: our next request goes out only when the server's
/// answer to the one before has come to its last byte, so the connection is cut at one byte after the other to find that byte.
struct SessionMap: Sendable {
    /// A part of the session; what happens in it is blamed on its stage.
    enum Part: Int, Sendable, Comparable, CaseIterable {
        case identification, keyExchange, authentication, channelOpening, commandStart, command

        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }

        var stage: Stage {
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
    let protection: Protection
    /// How many bytes the server sends in all.
    let serverTotal: Int
    let clientTotal: Int
    /// How many of the server's bytes have come when a part begins.
    let serverStarts: [Part: Int]
    /// How many bytes we have sent then.
    let clientStarts: [Part: Int]
    /// Where bytes of a side came together: with few exceptions the ends of packets.
    let arrivals: [FaultProxy.Side: Set<Int>]

    struct NotUnderstood: Error, CustomStringConvertible {
        let description: String
    }

    /// From here on the run succeeds whatever becomes of the connection: the server's last packet is SSH_MSG_CHANNEL_CLOSE,
    /// whose payload is five bytes (RFC 4254 section 5.3), and all that matters comes before it.
    var success: Int { serverTotal - protection.packetLength(payload: 5) }

    /// The part in which a client is that has received this many bytes.
    func part(afterServerBytes count: Int) -> Part { Self.part(count, serverStarts) }

    /// The part whose request the byte of ours at this offset belongs to.
    func part(ofClientByte offset: Int) -> Part { Self.part(offset, clientStarts) }

    private static func part(_ count: Int, _ starts: [Part: Int]) -> Part {
        Part.allCases.last { (starts[$0] ?? .max) <= count } ?? .identification
    }

    /// One line on what was learnt.
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
        return Set(packets + starts.values + total).union(arrivals[side] ?? [])
    }
}

extension SessionMap {
    /// Learns a server's session.
    static func learn(_ session: SweptSession) async throws -> SessionMap {
        var arrivals: [FaultProxy.Side: Set<Int>] = [.client: [], .server: []]
        var records: [WireRecord] = []
        for _ in 0..<3 {
            let record = WireRecord()
            let outcome = try await session.run(nil, patience: 60, record: record)
            if let error = outcome.error { throw NotUnderstood(description: "the whole session fails: \(error)") }
            for (side, end) in ends(record) { arrivals[side]?.insert(end) }
            records.append(record)
        }
        let record = records[2]
        let totals = Set(records.map { $0.bytes(from: .server).count })
        guard totals.count == 1 else { throw NotUnderstood(description: "the server's stream has \(totals.sorted()) bytes") }
        let server = try ClearText(record.bytes(from: .server))
        let client = try ClearText(record.bytes(from: .client))
        guard let protection = Protection(client: client, server: server) else {
            throw NotUnderstood(description: "no common cipher in the lists")
        }
        let requests = try requests(record, client)
        var serverStarts: [Part: Int] = [.identification: 0, .keyExchange: server.identificationLength]
        var low = server.length
        for part in Part.allCases where requests[part] != nil {
            guard let request = requests[part], request.clientBytes > 0 else { continue }
            low = try await FirstCut.find(in: low...request.serverBytes) { offset in
                try await session.run(.init(.finish, afterServerBytes: offset), patience: 60).clientBytes > request.clientBytes
            }
            serverStarts[part] = low
        }
        var clientStarts = requests.mapValues(\.clientBytes)
        clientStarts[.identification] = 0
        clientStarts[.keyExchange] = client.identificationLength
        return SessionMap(
            server: server, client: client, protection: protection, serverTotal: record.bytes(from: .server).count,
            clientTotal: record.bytes(from: .client).count, serverStarts: serverStarts, clientStarts: clientStarts,
            arrivals: arrivals)
    }

    private static func ends(_ record: WireRecord) -> [(FaultProxy.Side, Int)] {
        var counts: [FaultProxy.Side: Int] = [:]
        return record.arrivals.map { arrival in
            counts[arrival.side, default: 0] += arrival.bytes.count
            return (arrival.side, counts[arrival.side] ?? 0)
        }
    }

    /// How many bytes of both sides had passed when the first request of a part went out.
    ///
    /// Behind the new keys we ask one thing at a time: the service, the methods, about the key, with a signature, a channel, a
    /// command; then we end the command's input. The server answers each, and each answer may come in pieces.
    private static func requests(
        _ record: WireRecord, _ client: ClearText
    ) throws -> [Part: (clientBytes: Int, serverBytes: Int)] {
        var turns: [(clientBytes: Int, serverBytes: Int)] = []
        var counts: [FaultProxy.Side: Int] = [.client: 0, .server: 0]
        var last: FaultProxy.Side?
        for arrival in record.arrivals {
            if arrival.side == .client, last == .server { turns.append((counts[.client] ?? 0, counts[.server] ?? 0)) }
            last = arrival.side
            counts[arrival.side, default: 0] += arrival.bytes.count
        }
        // The request for the service may come together with our SSH_MSG_NEWKEYS or behind it.
        let asked = turns.filter { $0.clientBytes > client.length }
        guard asked.count >= 6 else { throw NotUnderstood(description: "\(asked.count) requests behind the new keys") }
        let parts: [Part: Int] = [.authentication: 0, .channelOpening: 3, .commandStart: 4, .command: 5]
        return parts.mapValues { asked[$0] }
    }
}
