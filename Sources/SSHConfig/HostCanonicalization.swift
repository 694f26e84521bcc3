internal import Dispatch
internal import Synchronization

/// `CanonicalizeHostname`: which name a short name stands for (ssh_config(5); resolve_canonicalize and check_follow_cname in
/// ssh.c).
struct HostCanonicalization {
    let settings: SettingStore
    let context: SSHConfigContext

    /// Whether the name goes to a server directly. A name that a proxy will look up is not looked up here, unless `always`
    /// requests it.
    private var isDirect: Bool {
        ["proxycommand", "proxyjump"].allSatisfy { (settings.first($0) ?? "none").lowercasedASCII == "none" }
    }

    private var mode: String { settings.first("canonicalizehostname") ?? "false" }

    /// The name to use.
    ///
    /// - Parameter name: in lower case; no address.
    func name(for name: String) throws(LineProblem) -> String {
        guard mode != "false", isDirect || mode == "always", let lookUp = context.lookUp else { return name }
        if name.hasSuffix(".") {
            if let full = try found(name, lookUp) { return full }
            return try notFound(name, lookUp)
        }
        guard name.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= maximumDots else { return try followed(name, lookUp) }
        for domain in settings.values["canonicaldomains"] ?? [] {
            if domain == "none" { break }
            if let full = try found("\(name).\(domain).", lookUp) { return full }
        }
        return try notFound(name, lookUp)
    }

    private var maximumDots: Int { settings.first("canonicalizemaxdots").flatMap { Int($0) } ?? 1 }

    private typealias LookUp = @Sendable (String) -> SSHNameLookup

    /// A name that ends with a dot, resolved without the dot and with its CNAME if that may be followed; nil if it does not
    /// exist.
    private func found(_ anchored: String, _ lookUp: LookUp) throws(LineProblem) -> String? {
        guard let canonical = try canonicalName(of: anchored, lookUp) else { return nil }
        return follow(String(anchored.dropLast()), canonical)
    }

    private func notFound(_ name: String, _ lookUp: LookUp) throws(LineProblem) -> String {
        guard settings.first("canonicalizefallbacklocal") != "no" else {
            throw LineProblem("\(name) exists in no domain of CanonicalDomains, and CanonicalizeFallbackLocal is no")
        }
        return try followed(name, lookUp)
    }

    /// The name as the system's resolver finds it, with its CNAME if that may be followed.
    private func followed(_ name: String, _ lookUp: LookUp) throws(LineProblem) -> String {
        guard permitsCNAMEs, let canonical = try canonicalName(of: name, lookUp) else { return name }
        return follow(name, canonical)
    }

    private func canonicalName(of name: String, _ lookUp: LookUp) throws(LineProblem) -> String? {
        switch lookUp(name) {
        case .found(let canonicalName): return canonicalName
        case .notFound: return nil
        case .timedOut: throw LineProblem("there was no answer in time when \(name) was looked up")
        }
    }

    private var permittedCNAMEs: [String] { settings.values["canonicalizepermittedcnames"] ?? [] }

    private var permitsCNAMEs: Bool { !permittedCNAMEs.isEmpty && permittedCNAMEs.first?.lowercasedASCII != "none" }

    private func follow(_ name: String, _ canonical: String) -> String {
        var canonical = canonical.lowercasedASCII
        if canonical.hasSuffix(".") { canonical.removeLast() }
        guard !canonical.isEmpty, canonical != name, permitsCNAMEs else { return name }
        for rule in permittedCNAMEs {
            let parts = rule.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, Pattern.list(parts[0], means: name, ignoringCase: true),
                Pattern.list(parts[1], means: canonical, ignoringCase: true)
            else { continue }
            return canonical
        }
        return name
    }
}

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// The result of looking up a name, for `CanonicalizeHostname`.
public enum SSHNameLookup: Sendable, Hashable {
    /// The name has addresses. The canonical name is the end of its CNAMEs, or the name itself; empty if it is not known.
    case found(canonicalName: String)
    /// The name does not exist, or cannot be looked up.
    case notFound
    /// There was no answer in time.
    case timedOut
}

extension SSHConfigContext {
    /// Looks a name up with getaddrinfo(3), in a thread of its own, because that call cannot be ended.
    ///
    /// - Parameter limit: the seconds to wait for it.
    package static func systemLookUp(_ name: String, limit: Int = 15) -> SSHNameLookup {
        let answer = LookupAnswer()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let found = resolve(name)
            answer.value.withLock { $0 = found }
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(limit)) == .success else { return .timedOut }
        return answer.value.withLock { $0 }
    }

    private static func resolve(_ name: String) -> SSHNameLookup {
        let name = AddressLookup.first(of: name, flags: AI_CANONNAME) { $0.ai_canonname.map { String(cString: $0) } ?? "" }
        return name.map { .found(canonicalName: $0) } ?? .notFound
    }
}

/// getaddrinfo(3), for the first address of a stream socket.
package enum AddressLookup {
    /// Reads the first address of a name or a service; nil if there is none.
    package static func first<Value>(
        of name: String?, service: String? = nil, family: Int32 = AF_UNSPEC, flags: Int32 = 0, _ read: (addrinfo) -> Value?
    ) -> Value? {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_family = family
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, service, &hints, &list) == 0, let first = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        return read(first)
    }

    /// The usual spelling of an address in any spelling; nil for a name. An address that differs only in case stays as it is.
    static func canonicalAddress(_ text: String) -> String? {
        first(of: text, flags: AI_NUMERICHOST) { first in
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(first.ai_addr, first.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                return text
            }
            let canonical = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return canonical.lowercasedASCII == text.lowercasedASCII ? text : canonical
        }
    }
}

/// The result of a lookup, written possibly after its caller has stopped waiting.
private final class LookupAnswer: Sendable {
    let value = Mutex(SSHNameLookup.timedOut)
}
