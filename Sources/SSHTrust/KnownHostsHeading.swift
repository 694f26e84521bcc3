/// The beginning of a known_hosts line: its marker and its hosts. OpenSSH's tools look at no more when they remove or hash
/// lines; the key may be damaged.
struct KnownHostsHeading {
    /// What a line was read as.
    enum Reading {
        /// Nothing, or a comment.
        case blank
        case broken
        case heading(KnownHostsHeading)
    }

    let marker: SSHKnownHostMarker
    let names: SSHKnownHostsEntry.Names
    /// The names as they are written, a part of the line.
    let field: ArraySlice<UInt8>
    /// From the key's type to the end of what counts, comment included, a part of the line.
    let rest: ArraySlice<UInt8>

    /// A pattern of this many bytes makes OpenSSH ignore its line.
    private static let maximumPatternLength = 1022

    /// Reads one line, given without its line feed.
    static func read(_ line: ArraySlice<UInt8>) -> Reading {
        var rest = line.prefix { $0 != 0 }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        rest = rest.drop(while: \.isBlank)
        guard let first = rest.first, first != UInt8(ascii: "#") else { return .blank }
        var marker = SSHKnownHostMarker.trusted
        if first == UInt8(ascii: "@") {
            guard let read = Self.marker(rest.takeField()) else { return .broken }
            marker = read
        }
        let field = rest.takeField()
        guard let names = Self.names(field) else { return .broken }
        return .heading(KnownHostsHeading(marker: marker, names: names, field: field, rest: rest))
    }

    private static func marker(_ field: ArraySlice<UInt8>) -> SSHKnownHostMarker? {
        switch String(decoding: field, as: UTF8.self) {
        case "@revoked": .revoked
        case "@cert-authority": .certificateAuthority
        default: nil
        }
    }

    private static func names(_ field: ArraySlice<UInt8>) -> SSHKnownHostsEntry.Names? {
        // A second marker is an error, not a host (sshd(8): only one may be used).
        guard let first = field.first, first != UInt8(ascii: "@") else { return nil }
        if first == UInt8(ascii: "|") { return HashedHostName(field: field).map { .hashed($0) } }
        let patterns = field.split(separator: UInt8(ascii: ",")).map(HostPattern.init)
        guard patterns.allSatisfy({ $0.bytes.count <= maximumPatternLength }) else { return nil }
        return .patterns(patterns, text: String(decoding: field, as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// Takes the field up to the next space or tab off the front, and the blanks after it.
    mutating func takeField() -> ArraySlice<UInt8> {
        let field = prefix { !$0.isBlank }
        self = dropFirst(field.count).drop(while: \.isBlank)
        return field
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    /// Carriage return, vertical tab, form feed.
    var isOddSpace: Bool { (0x0B...0x0D).contains(self) }
}
