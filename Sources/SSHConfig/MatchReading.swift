#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The criteria of one `Match` line, as OpenSSH 10.0 reads them (ssh_config(5)).
struct MatchReading {
    let context: SSHConfigContext
    /// The settings that have been read so far.
    let settings: SettingStore
    /// The host as it was named.
    let host: String
    let isFinalPass: Bool
    /// Whether commands may be run; a line that can match nothing runs none.
    let mayExecute: Bool
    /// Whether `final` was named, which has the files read once more.
    private(set) var namesFinal = false

    /// What `Match version` compares: the OpenSSH whose configuration language this is.
    static let version = "OpenSSH_10.0p2"

    init(context: SSHConfigContext, settings: SettingStore, host: String, isFinalPass: Bool, mayExecute: Bool) {
        self.context = context
        self.settings = settings
        self.host = host
        self.isFinalPass = isFinalPass
        self.mayExecute = mayExecute
    }

    /// Whether all criteria hold. All criteria are read, even after one that does not match; then no command is run.
    ///
    /// - Parameter words: what follows `Match`; a criterion's value is the next word, or follows `=` in the same one.
    mutating func evaluate(_ words: [String]) throws(LineProblem) -> Bool {
        var words = words[...]
        var count = 0
        var holds = true
        while var name = words.popFirst() {
            let isNegated = name.hasPrefix("!")
            if isNegated { name.removeFirst() }
            if name.lowercasedASCII == "all" {
                guard count <= 1, words.isEmpty else {
                    throw LineProblem("all cannot be combined with other criteria of Match")
                }
                return holds && !isNegated
            }
            count += 1
            let result: Bool
            if ["final", "canonical"].contains(name.lowercasedASCII) {
                if name.lowercasedASCII == "final" { namesFinal = true }
                result = isFinalPass
            } else {
                let value: String
                if let equals = name.firstIndex(of: "=") {
                    value = String(name[name.index(after: equals)...])
                    name = String(name[..<equals])
                    guard !value.isEmpty else { throw LineProblem("the criterion \(name) of Match has no value") }
                } else {
                    guard let next = words.popFirst() else {
                        throw LineProblem("the criterion \(name) of Match has no value")
                    }
                    value = next
                }
                result = try criterion(name.lowercasedASCII, value, mayExecute: mayExecute && holds)
            }
            if result == isNegated { holds = false }
        }
        guard count > 0 else { throw LineProblem("Match has no criterion; write all, or one of \(Self.criteria)") }
        return holds
    }

    private static let criteria =
        "canonical, final, host, originalhost, user, localuser, localnetwork, tagged, command, sessiontype, version and exec"

    private func criterion(_ name: String, _ value: String, mayExecute: Bool) throws(LineProblem) -> Bool {
        // The empty text means no tag or no command.
        guard !value.isEmpty || ["tagged", "command"].contains(name) else {
            throw LineProblem("the criterion \(name) of Match has no value")
        }
        switch name {
        case "host": return Pattern.list(value, means: try currentHost().lowercasedASCII, ignoringCase: true)
        case "originalhost": return Pattern.list(value, means: host.lowercasedASCII, ignoringCase: true)
        case "user": return Pattern.list(value, means: user)
        case "localuser": return Pattern.list(value, means: context.localUser)
        case "localnetwork":
            let networks = try NetworkList(value)
            return context.localAddresses().contains { networks.contains($0) }
        case "tagged": return Self.fits(value, settings.first("tag") ?? "")
        case "command": return Self.fits(value, command)
        case "sessiontype": return Pattern.list(value, means: sessionType)
        case "version": return Pattern.list(value, means: Self.version)
        case "exec": return try execute(value, mayExecute: mayExecute)
        default: throw LineProblem("Match has no criterion \(name); the criteria are all, \(Self.criteria)")
        }
    }

    /// An empty list and an empty text are for each other alone: no pattern fits a missing tag or command.
    private static func fits(_ list: String, _ text: String) -> Bool {
        list.isEmpty || text.isEmpty ? list == text : Pattern.list(list, means: text)
    }

    private var command: String {
        switch context.session {
        case .command(let text), .subsystem(let text): text
        case .none, .shell: ""
        }
    }

    private var sessionType: String {
        // A SessionType that has been read counts as the option would.
        switch settings.first("sessiontype") {
        case "none": return "none"
        case "subsystem": return "subsystem"
        default: break
        }
        return switch context.session {
        case .none: "none"
        case .shell: "shell"
        case .command: "exec"
        case .subsystem: "subsystem"
        }
    }

    private var user: String { settings.first("user") ?? context.localUser }

    /// The host's name, as far as it is known now.
    private func currentHost() throws(LineProblem) -> String {
        guard let name = settings.first("hostname") else { return host }
        return isFinalPass ? name : try HostNameExpansion.expand(name, host: host)
    }

    /// The tokens known so far, for `exec` and for the paths of Include.
    func tokens() throws(LineProblem) -> TokenValues {
        let current = try currentHost()
        var values = TokenValues(
            host: current, originalHost: host, keyAlias: settings.first("hostkeyalias") ?? current,
            port: settings.first("port").flatMap { Int($0) } ?? 22, user: user, context: context)
        values.jump = JumpSpecification.nearest(in: settings.first("proxyjump"))
        return values
    }

    private func execute(_ text: String, mayExecute: Bool) throws(LineProblem) -> Bool {
        let command = try tokens().expandCommand(text)
        guard mayExecute else { return false }
        guard let status = context.execute(command) else {
            throw LineProblem("the command of Match exec, “\(command)”, could not be run to its end")
        }
        return status == 0
    }
}

/// The tokens of `HostName`: `%h` and `%%`.
enum HostNameExpansion {
    static func expand(_ text: String, host: String) throws(LineProblem) -> String {
        try TokenExpansion(tokens: [UInt8(ascii: "h"): host]).expand(text)
    }
}

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
                throw LineProblem("“\(entry)” of Match localnetwork names a host in a network; clear the bits after \(length)")
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
            // A link-local address has its interface after a percent sign.
            let bytes = name.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "%")) }
            addresses.append(String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return addresses
    }
}
