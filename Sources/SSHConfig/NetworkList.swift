#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The networks of `Match localnetwork`: addresses, or networks as `192.0.2.0/24`, with commas between (RFC 4632, RFC 4291).
struct NetworkList {
    private struct Network {
        let address: [UInt8]
        let length: Int
    }

    private let networks: [Network]

    /// - Throws: `LineProblem` for an entry that is not an address, or has more bits than its length says.
    init(_ text: String) throws(LineProblem) {
        var networks: [Network] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = Self.bytes(String(parts[0])) else {
                throw LineProblem("“\(entry)” of Match localnetwork is not a network; write it as 192.0.2.0/24")
            }
            var length = address.count * 8
            if parts.count > 1 {
                guard let number = ConfigurationNumbers.decimal(String(parts[1])), number <= length else {
                    throw LineProblem("“\(entry)” of Match localnetwork needs a length from 0 to \(length) after the /")
                }
                length = number
            }
            guard Self.isZero(address, from: length) else {
                throw LineProblem("“\(entry)” of Match localnetwork names a host in a network; clear the bits behind \(length)")
            }
            networks.append(Network(address: address, length: length))
        }
        self.networks = networks
    }

    func contains(_ address: String) -> Bool {
        guard let bytes = Self.bytes(address) else { return false }
        return networks.contains { network in
            guard network.address.count == bytes.count else { return false }
            return Self.isZero(zip(network.address, bytes).map { $0 ^ $1 }, upTo: network.length)
        }
    }

    private static func isZero(_ bytes: [UInt8], from start: Int) -> Bool {
        (start..<bytes.count * 8).allSatisfy { bytes[$0 / 8] & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    private static func isZero(_ bytes: [UInt8], upTo end: Int) -> Bool {
        (0..<end).allSatisfy { bytes[$0 / 8] & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    /// In network order.
    private static func bytes(_ text: String) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension SSHConfigContext {
    /// The numeric addresses of the interfaces that are up (getifaddrs(3)).
    package static func interfaceAddresses() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: [String] = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard interface.ifa_flags & UInt32(IFF_UP) != 0, let address = interface.ifa_addr else { continue }
            let length: Int
            switch Int32(address.pointee.sa_family) {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            // A link-local address has its interface behind a percent sign.
            let bytes = name.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "%")) }
            addresses.append(String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return addresses
    }
}

/// The patterns of a `Host` line.
struct HostPatterns: Sendable {
    private let patterns: [(text: [UInt8], isNegated: Bool)]

    init(_ words: [String]) {
        patterns = words.map { word in
            let isNegated = word.hasPrefix("!")
            return (Array(word.utf8.dropFirst(isNegated ? 1 : 0)), isNegated)
        }
    }

    /// Whether what follows the line is for a host: one pattern fits it, and none with a `!` does.
    func fit(_ host: String) -> Bool {
        let host = Array(host.utf8)
        var fits = false
        for pattern in patterns where Pattern.fits(pattern.text, host) {
            if pattern.isNegated { return false }
            fits = true
        }
        return fits
    }
}
