internal import Crypto

/// OpenSSH's picture of a key: a bishop moves over a board as the hash's bits direct, and each square shows how often it was
/// visited (Loss, Limmer, von Gernler: "The drunken bishop", 2009; ssh-keygen(1), `-lv`).
struct Randomart {
    private static let width = 17
    private static let height = 9
    /// From never to often; the last two are the start and the end of the way.
    private static let marks = Array(" .o+=*BOX@%&#/^SE")
    private static let maximumVisits = marks.count - 3

    /// The board, row by row.
    private let rows: [String]
    private let title: String

    /// - Parameters:
    ///   - digest: the hash of the key; SHA-256 by its name below the picture.
    ///   - kind: the type of key in the frame, for example `ED25519`.
    ///   - bits: its size, omitted if it does not fit.
    init(digest: some Sequence<UInt8>, kind: String, bits: Int?) {
        var visits = [[Int]](repeating: [Int](repeating: 0, count: Self.width), count: Self.height)
        var (x, y) = (Self.width / 2, Self.height / 2)
        for byte in digest {
            for step in 0..<4 {
                let move = byte >> (2 * UInt8(step))
                // A wall is slid along.
                x = min(max(x + (move & 1 == 0 ? -1 : 1), 0), Self.width - 1)
                y = min(max(y + (move & 2 == 0 ? -1 : 1), 0), Self.height - 1)
                visits[y][x] = min(visits[y][x] + 1, Self.maximumVisits)
            }
        }
        visits[Self.height / 2][Self.width / 2] = Self.marks.count - 2
        visits[y][x] = Self.marks.count - 1
        rows = visits.map { row in String(row.map { Self.marks[$0] }) }
        let full = bits.map { "[\(kind) \($0)]" } ?? "[\(kind)]"
        title = full.count <= Self.width ? full : "[\(kind)]"
    }

    /// Eleven lines, each with its end but the last.
    var text: String {
        ([Self.border(title)] + rows.map { "|\($0)|" } + [Self.border("[SHA256]")]).joined(separator: "\n")
    }

    private static func border(_ title: String) -> String {
        let title = title.prefix(width)
        let left = (width - title.count) / 2
        let right = width - title.count - left
        return "+" + String(repeating: "-", count: left) + title + String(repeating: "-", count: right) + "+"
    }
}

extension SSHHostKey {
    /// The key's size as `ssh-keygen -l` counts it; nil for a kind that is not known, or a damaged key.
    public var bits: Int? { (try? SSHPublicKey(blob: blob))?.bits }

    /// The kind of key in OpenSSH's words: `ED25519`, `ECDSA`, `RSA`.
    public var displayName: String { PublicKeyAlgorithm.displayName(of: algorithm) }

    /// The picture of the key that `ssh-keygen -lv` draws: eleven lines of 19 characters, without a line end after the last.
    ///
    /// Two keys with similar pictures may differ: compare ``SSHHostKey/fingerprint``.
    public var randomart: String { Randomart(digest: SHA256.hash(data: blob), kind: displayName, bits: bits).text }
}
