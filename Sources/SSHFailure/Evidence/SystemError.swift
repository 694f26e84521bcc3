#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Names and descriptions of errno values. The C library is not asked, because its texts depend on the locale.
package enum SystemError {
    /// One errno.
    struct Row: Sendable {
        let number: Int32
        let name: String
        let text: String
        init(_ number: Int32, _ name: String, _ text: String) {
            self.number = number
            self.name = name
            self.text = text
        }
    }

    static let rows: [Row] = [
        Row(ECONNREFUSED, "ECONNREFUSED", "connection refused"), Row(ETIMEDOUT, "ETIMEDOUT", "no answer in time"),
        Row(EHOSTUNREACH, "EHOSTUNREACH", "no route to the host"), Row(EHOSTDOWN, "EHOSTDOWN", "the host is down"),
        Row(ENETUNREACH, "ENETUNREACH", "the network is unreachable"), Row(ENETDOWN, "ENETDOWN", "the network is down"),
        Row(EADDRNOTAVAIL, "EADDRNOTAVAIL", "no local address for it"), Row(ECONNRESET, "ECONNRESET", "connection reset"),
        Row(EAFNOSUPPORT, "EAFNOSUPPORT", "this kind of address is not supported here"),
        Row(EPIPE, "EPIPE", "the other side had closed"), Row(ECONNABORTED, "ECONNABORTED", "connection aborted"),
        Row(EACCES, "EACCES", "permission denied"), Row(EPERM, "EPERM", "not permitted"),
        Row(EMFILE, "EMFILE", "too many open files"), Row(ENFILE, "ENFILE", "too many open files in the system"),
        Row(ENOBUFS, "ENOBUFS", "no buffer space"), Row(ENOMEM, "ENOMEM", "out of memory"),
        Row(ENOENT, "ENOENT", "no such file"), Row(EISDIR, "EISDIR", "it is a directory"),
        Row(ENOTDIR, "ENOTDIR", "a part of the path is not a directory"), Row(ELOOP, "ELOOP", "too many symbolic links"),
        Row(ENOSPC, "ENOSPC", "no space left"), Row(EDQUOT, "EDQUOT", "the quota is used up"),
        Row(EROFS, "EROFS", "the file system is read-only"), Row(ENAMETOOLONG, "ENAMETOOLONG", "the name is too long"),
        Row(EEXIST, "EEXIST", "it exists already"), Row(EFBIG, "EFBIG", "the file is too large"),
        Row(ENOTEMPTY, "ENOTEMPTY", "the directory is not empty"),
        Row(EIO, "EIO", "input/output error"), Row(EINVAL, "EINVAL", "invalid argument"),
        Row(ENETRESET, "ENETRESET", "the network dropped the connection"), Row(EINTR, "EINTR", "interrupted"),
        Row(EBADF, "EBADF", "it is closed"), Row(ESTALE, "ESTALE", "the file is gone from the network file system"),
    ]

    /// For example `connection refused (ECONNREFUSED)`. 0 is an error whose words in a log are not known.
    package static func text(_ number: Int32) -> String {
        if number == 0 { return "an error that is not known" }
        guard let row = rows.first(where: { $0.number == number }) else { return "system error \(number)" }
        return "\(row.text) (\(row.name))"
    }

    /// Whether the descriptor is not open.
    static func isClosed(_ number: Int32) -> Bool { number == EBADF }

    /// The description for a file that the caller named.
    package static func ofFile(_ number: Int32) -> String {
        number == WholeFile.irregular ? WholeFile.irregularText : text(number)
    }

    /// Whether a file could not be written for want of space: on the disk, in the user's quota, or within the limit on a file's
    /// size.
    package static func isOutOfSpace(_ number: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// A failure of `connect(2)`, by remedy.
    package enum ConnectFailure: Sendable, Hashable {
        case refused, timedOut, hostUnreachable, networkUnreachable, blockedLocally, localResources, reset, other
    }

    package static func connectFailure(_ number: Int32) -> ConnectFailure {
        switch number {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, EHOSTDOWN: .hostUnreachable
        case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: .networkUnreachable
        case EACCES, EPERM: .blockedLocally
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .localResources
        case ECONNRESET, EPIPE, ECONNABORTED: .reset
        default: .other
        }
    }
}
