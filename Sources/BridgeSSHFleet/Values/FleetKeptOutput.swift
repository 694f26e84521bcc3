/// What a fleet run keeps of one output stream of one host.
public struct FleetKeptOutput: Sendable, Equatable {
    /// The first bytes, up to the run's output limit.
    public var bytes: [UInt8]
    /// How many bytes came, those past the limit included.
    public var total: Int
    /// SHA-256 of the bytes past the limit; empty where there are none. Two streams are equal if all three are.
    public var restDigest: [UInt8]

    /// What was kept.
    ///
    /// - Parameters:
    ///   - total: nil where all bytes are kept.
    ///   - restDigest: SHA-256 of the bytes that are not.
    public init(bytes: [UInt8] = [], total: Int? = nil, restDigest: [UInt8] = []) {
        self.bytes = bytes
        self.total = total ?? bytes.count
        self.restDigest = restDigest
    }

    /// Whether bytes are missing.
    public var isTruncated: Bool { total > bytes.count }
}
