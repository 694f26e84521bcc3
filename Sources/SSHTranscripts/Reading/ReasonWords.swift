#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Recognises the error texts of operating systems.
enum ReasonWords {
    /// The failure for an English error text of getaddrinfo(3), in glibc, musl, macOS, OpenBSD or Windows.
    static func resolverFailure(_ reason: String) -> SSHEvidence.ResolverFailure {
        let lower = reason.lowercased()
        let passing = ["temporary failure", "try again", "server misbehaving", "i/o timeout"]
        if passing.contains(where: { lower.mentions($0) }) { return .temporary }
        if lower.mentions("address family") { return .noAddressOfFamily }
        let missing = [
            "not known", "no address associated", "does not resolve", "no such host", "nodename nor servname", "is known",
            "does not exist",
        ]
        if missing.contains(where: { lower.mentions($0) }) { return .notFound }
        return ForeignWords.resolverFailure(reason) ?? .other
    }

    /// The errno for an error text of connect(2), in glibc, musl, macOS or Windows; EINVAL for an unknown one.
    static func systemError(_ reason: String) -> Int32? {
        let texts: [(String, Int32)] = [
            ("connection refused", ECONNREFUSED), ("actively refused", ECONNREFUSED), ("econnrefused", ECONNREFUSED),
            ("timed out", ETIMEDOUT), ("etimedout", ETIMEDOUT), ("properly respond", ETIMEDOUT), ("i/o timeout", ETIMEDOUT),
            ("ehostunreach", EHOSTUNREACH), ("unreachable host", EHOSTUNREACH), ("enetunreach", ENETUNREACH),
            ("unreachable network", ENETUNREACH), ("ehostdown", EHOSTDOWN), ("no route to host", EHOSTUNREACH),
            ("host is unreachable", EHOSTUNREACH), ("host is down", EHOSTDOWN), ("network is unreachable", ENETUNREACH),
            ("network unreachable", ENETUNREACH), ("network is down", ENETDOWN), ("permission denied", EACCES),
            ("operation not permitted", EPERM), ("assign requested address", EADDRNOTAVAIL), ("can't assign", EADDRNOTAVAIL),
            ("address not available", EADDRNOTAVAIL), ("address family not supported", EAFNOSUPPORT),
            ("reset by peer", ECONNRESET), ("too many open files", EMFILE), ("no buffer space", ENOBUFS),
            ("cannot allocate memory", ENOMEM),
        ]
        let lower = reason.lowercased()
        return texts.first { lower.mentions($0.0) }?.1 ?? ForeignWords.systemError(reason) ?? windowsError(reason) ?? EINVAL
    }

    /// The errno for a number of Windows Sockets in a text: `[WinError 10061] …`, `(10061)`.
    static func windowsError(_ reason: String) -> Int32? {
        let numbers: [(String, Int32)] = [
            ("10061", ECONNREFUSED), ("10060", ETIMEDOUT), ("10065", EHOSTUNREACH), ("10051", ENETUNREACH), ("10054", ECONNRESET),
            ("10053", ECONNRESET), ("10013", EACCES), ("10049", EADDRNOTAVAIL),
        ]
        return numbers.first { reason.mentions($0.0) }?.1
    }
}

extension String {
    /// The text without these characters at either end.
    func trimming(_ characters: String) -> String {
        var text = self[...]
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
