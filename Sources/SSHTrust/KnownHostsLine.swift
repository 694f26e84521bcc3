/// The parsed form of one known_hosts line: `[@marker] names type key [comment]` (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
enum KnownHostsLine: Hashable {
    case blank
    case entry(SSHKnownHostsEntry)
    /// Not parsable, and so without effect, as in OpenSSH.
    case broken

    /// Reads one line, given without its line feed.
    init(_ line: ArraySlice<UInt8>, at location: SSHKnownHostsLocation) {
        switch KnownHostsHeading.read(line) {
        case .broken: self = .broken
        case .blank: self = .blank
        case .heading(let heading):
            var rest = heading.rest
            guard let key = Self.key(type: rest.takeField(), base64: rest.takeField()) else {
                self = .broken
                return
            }
            self = .entry(
                SSHKnownHostsEntry(
                    marker: heading.marker, names: heading.names, key: key, comment: String(decoding: rest, as: UTF8.self),
                    location: location))
        }
    }

    private static func key(type: ArraySlice<UInt8>, base64: ArraySlice<UInt8>) -> SSHHostKey? {
        // White space that is no separator does not matter inside base64.
        let digits = base64.contains(where: \.isOddSpace) ? base64.filter { !$0.isOddSpace }[...] : base64
        // A damaged key must make the line a broken one, not another key of the host.
        guard let blob = Base64.decode(digits), let key = try? SSHPublicKey(blob: blob), type.elementsEqual(key.algorithm.utf8)
        else { return nil }
        return SSHHostKey(key)
    }
}
