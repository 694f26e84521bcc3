/// The steps of a misbehaving server on a connection.
public struct FaultScript: Sendable {
    /// One step.
    ///
    /// After the last one the connection stays open, and received bytes are read and discarded.
    public enum Step: Sendable {
        /// Sends these bytes.
        case send([UInt8])
        /// Sends these bytes repeatedly until the client closes.
        case drip([UInt8], every: Duration)
        /// Waits until the client has sent something since the last step that waited.
        case awaitBytes
        /// Waits for a line feed from the client.
        case awaitLine
        /// Waits until the client has closed its side.
        case awaitEnd
        /// Waits.
        case pause(Duration)
        /// Closes the sending side and continues to read, so that the client sees an end of the stream and never a reset.
        case finish
        /// Closes the connection. If bytes of the client are unread, the client sees a reset.
        case close
        /// Resets the connection (SO_LINGER 0).
        case reset
    }

    /// How a script continues after its bytes.
    public enum Ending: Sendable {
        /// The connection stays open.
        case waits
        /// ``Step/finish``.
        case finishes
        /// ``Step/close``.
        case closes
        /// ``Step/reset``.
        case resets
        /// Reads what the client sends first, then finishes.
        case readsThenFinishes

        var steps: [Step] {
            switch self {
            case .waits: []
            case .finishes: [.finish]
            case .closes: [.close]
            case .resets: [.reset]
            case .readsThenFinishes: [.awaitBytes, .finish]
            }
        }
    }

    /// The steps.
    public let steps: [Step]

    /// A script of these steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// Accepts and sends nothing.
    public static let silent = FaultScript([])
    /// Closes the sending side at once.
    public static let finishesAtOnce = FaultScript([.finish])
    /// Closes at once.
    public static let closesAtOnce = FaultScript([.close])
    /// Resets at once.
    public static let resetsAtOnce = FaultScript([.reset])

    /// Sends `bytes`, then continues with `ending`.
    public static func says(_ bytes: [UInt8], then ending: Ending) -> FaultScript { FaultScript([.send(bytes)] + ending.steps) }

    /// Sends `text` in UTF-8, then continues with `ending`.
    public static func says(_ text: String, then ending: Ending) -> FaultScript { says(Array(text.utf8), then: ending) }

    /// Endless lines before an identification that never comes.
    public static func tarpit(every interval: Duration = .milliseconds(100)) -> FaultScript {
        FaultScript([.drip(Array("be patient\r\n".utf8), every: interval)])
    }

    /// Identifies itself, waits for the client to do so, and disconnects with this reason code and text (RFC 4253 section
    /// 11.1).
    public static func disconnects(reason: UInt32, text: String) -> FaultScript {
        FaultScript([.send(SSHWire.identification), .awaitLine, .send(SSHWire.disconnect(reason: reason, text: text)), .finish])
    }

    /// Identifies itself, then sends bytes that are not a packet, then continues with `ending`.
    public static func garbageAfterIdentification(then ending: Ending = .finishes) -> FaultScript {
        FaultScript([.send(SSHWire.identification + [UInt8](repeating: 0xFF, count: 512))] + ending.steps)
    }

    /// Identifies itself, waits for the client to do so, and sends no KEXINIT.
    public static func identifies(then ending: Ending) -> FaultScript {
        FaultScript([.send(SSHWire.identification), .awaitLine] + ending.steps)
    }

    /// Identifies itself, sends KEXINIT with these lists, waits for a line of the client, then continues with `ending`.
    public static func keyExchangeInit(_ lists: KeyExchangeLists = .init(), then ending: Ending) -> FaultScript {
        FaultScript([.send(SSHWire.identification + SSHWire.keyExchangeInit(lists)), .awaitLine] + ending.steps)
    }

    /// A server of protocol version 1.5.
    public static let ssh1 = says("SSH-1.5-FaultServer_1\r\n", then: .waits)
}
