/// The colour of a host's name at a terminal: the same one in every run.
enum HostColor {
    /// ECMA-48 foreground colours that can be read on black and on white; red is for failures.
    private static let palette = [32, 33, 34, 35, 36, 92, 94, 95, 96]

    static func of(_ host: String) -> Int {
        // FNV-1a: Swift's own hash differs from run to run.
        let hash = host.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return palette[Int(hash >> 16) % palette.count]
    }

    static let failure = 31
    static let quiet = 2
}
