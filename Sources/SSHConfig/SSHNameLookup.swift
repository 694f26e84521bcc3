internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What a look-up of a name found, for `CanonicalizeHostname`.
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
        var hints = addrinfo()
        hints.ai_flags = AI_CANONNAME
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0, let first = list?.pointee else { return .notFound }
        defer { freeaddrinfo(list) }
        return .found(canonicalName: first.ai_canonname.map { String(cString: $0) } ?? "")
    }
}

/// What a look-up writes after its caller may have stopped waiting.
private final class LookupAnswer: Sendable {
    let value = Mutex(SSHNameLookup.timedOut)
}
