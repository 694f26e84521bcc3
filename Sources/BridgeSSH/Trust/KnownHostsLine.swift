/// What one line of a known_hosts file is: `[@marker] names type key [comment]` (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
enum KnownHostsLine: Hashable {
    case blank
    case entry(KnownHostsEntry)
    /// Not understood, and so without effect, as in OpenSSH.
    case broken

    /// A pattern of this many bytes makes OpenSSH ignore its line.
    private static let longestPattern = 1022

    /// Reads one line, given without its line feed.
    init(_ line: ArraySlice<UInt8>, at location: KnownHostsLocation) {
        var rest = line.prefix { $0 != 0 }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        rest = rest.drop(while: \.isBlank)
        guard let first = rest.first, first != UInt8(ascii: "#") else {
            self = .blank
            return
        }
        var marker = KnownHostsEntry.Marker.trusted
        if first == UInt8(ascii: "@") {
            guard let read = Self.marker(Self.field(&rest)) else {
                self = .broken
                return
            }
            marker = read
        }
        guard let names = Self.names(Self.field(&rest)), let key = Self.key(type: Self.field(&rest), base64: Self.field(&rest))
        else {
            self = .broken
            return
        }
        self = .entry(KnownHostsEntry(marker: marker, names: names, key: key, location: location))
    }

    /// Takes the field up to the next space or tab off the front, and the blanks after it.
    private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let field = rest.prefix { !$0.isBlank }
        rest = rest.dropFirst(field.count).drop(while: \.isBlank)
        return field
    }

    private static func marker(_ field: ArraySlice<UInt8>) -> KnownHostsEntry.Marker? {
        switch String(decoding: field, as: UTF8.self) {
        case "@revoked": .revoked
        case "@cert-authority": .certificateAuthority
        default: nil
        }
    }

    private static func names(_ field: ArraySlice<UInt8>) -> KnownHostsEntry.Names? {
        // A second marker is an error, not a host (sshd(8): only one may be used).
        guard let first = field.first, first != UInt8(ascii: "@") else { return nil }
        if first == UInt8(ascii: "|") { return HashedHostName(field: field).map { .hashed($0) } }
        let patterns = field.split(separator: UInt8(ascii: ",")).map(HostPattern.init)
        guard patterns.allSatisfy({ $0.bytes.count <= longestPattern }) else { return nil }
        return .patterns(patterns, text: String(decoding: field, as: UTF8.self))
    }

    private static func key(type: ArraySlice<UInt8>, base64: ArraySlice<UInt8>) -> HostKey? {
        // White space that is no separator does not matter inside base64.
        let digits = base64.contains(where: \.isOddSpace) ? base64.filter { !$0.isOddSpace }[...] : base64
        // A damaged key must make the line a broken one, not another key of the host.
        guard let blob = Base64.decode(digits), let key = try? SSHPublicKey(blob: blob), type.elementsEqual(key.algorithm.utf8)
        else { return nil }
        return HostKey(key)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    /// Carriage return, vertical tab, form feed.
    fileprivate var isOddSpace: Bool { (0x0B...0x0D).contains(self) }
}
