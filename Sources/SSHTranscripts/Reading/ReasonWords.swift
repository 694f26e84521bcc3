#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The reasons of operating systems in words.
enum ReasonWords {
    /// getaddrinfo(3)'s reasons in glibc's, musl's, macOS's, OpenBSD's and Windows's English.
    static func resolverFailure(_ reason: String) -> SSHEvidence.ResolverFailure {
        let lower = reason.lowercased()
        if lower.mentions("temporary failure") || lower.mentions("try again") { return .temporary }
        if lower.mentions("address family") { return .noAddressOfFamily }
        let missing = [
            "not known", "no address associated", "does not resolve", "no such host", "nodename nor servname", "is known",
        ]
        return missing.contains { lower.mentions($0) } ? .notFound : .other
    }

    /// connect(2)'s reasons in glibc's, musl's and macOS's English, which ssh keeps to in every locale.
    static func systemError(_ reason: String) -> Int32? {
        let texts: [(String, Int32)] = [
            ("connection refused", ECONNREFUSED), ("timed out", ETIMEDOUT), ("no route to host", EHOSTUNREACH),
            ("host is unreachable", EHOSTUNREACH), ("host is down", EHOSTDOWN), ("network is unreachable", ENETUNREACH),
            ("network unreachable", ENETUNREACH), ("network is down", ENETDOWN), ("permission denied", EACCES),
            ("operation not permitted", EPERM), ("assign requested address", EADDRNOTAVAIL), ("can't assign", EADDRNOTAVAIL),
            ("address not available", EADDRNOTAVAIL), ("address family not supported", EAFNOSUPPORT),
            ("reset by peer", ECONNRESET), ("too many open files", EMFILE), ("no buffer space", ENOBUFS),
            ("cannot allocate memory", ENOMEM),
        ]
        let lower = reason.lowercased()
        return texts.first { lower.mentions($0.0) }?.1 ?? EINVAL
    }
}
