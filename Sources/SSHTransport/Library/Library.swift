internal import CLibSSH2
internal import CPayloadTap

/// The libssh2 that is loaded into this process. Its version may differ from the header that this was built with.
package enum Library {
    /// `libssh2_init` is not thread-safe and counts its calls, so it is called once in the life of the process.
    static let initialised: Int32 = libssh2_init(0)

    /// The version at run time, such as `1.10.0` (`libssh2_version`).
    package static let version: String = libssh2_version(0).map { String(cString: $0) } ?? "unknown"

    /// Whether the library at run time is this version or a later one.
    package static func isAtLeast(_ major: Int32, _ minor: Int32, _ patch: Int32 = 0) -> Bool {
        libssh2_version((major << 16) | (minor << 8) | patch) != nil
    }

    /// A known problem with the library at run time; nil if there is none.
    static let complaint: String? = complaint(version: version, isKnown: isAtLeast(1, 10))

    static func complaint(version: String, isKnown: Bool) -> String? {
        isKnown ? nil : "version \(version) is loaded, which is too old; install version 1.10 or later, 1.11 at best"
    }

    /// The longest identification line, without its end, that libssh2 reads (session.c: banner_receive). 1.11 reads as much as
    /// OpenSSH; RFC 4253 section 4.2 allows 253.
    static let maximumIdentificationLength = isAtLeast(1, 11) ? 8190 : 253

    /// Whether libssh2 reads SSH_MSG_EXT_INFO (RFC 8308).
    static let readsExtensions = isAtLeast(1, 11)

    /// Whether libssh2 itself signs with rsa-sha2-256 and rsa-sha2-512 for an `ssh-rsa` key (1.11; RFC 8332).
    static let knowsRSASHA2 = isAtLeast(1, 11)
}

/// The value that a libssh2 function returned; the only form in which a return code leaves the C boundary.
struct ReturnCode: RawRepresentable, Sendable, Hashable {
    let rawValue: Int32

    static let allocation = ReturnCode(rawValue: LIBSSH2_ERROR_ALLOC)
    static let channelClosed = ReturnCode(rawValue: LIBSSH2_ERROR_CHANNEL_CLOSED)
    static let deciphering = ReturnCode(rawValue: LIBSSH2_ERROR_DECRYPT)
    static let windowExceeded = ReturnCode(rawValue: LIBSSH2_ERROR_CHANNEL_WINDOW_EXCEEDED)
    static let wrongMAC = ReturnCode(rawValue: LIBSSH2_ERROR_INVALID_MAC)

    private static let fatal: Set<Int32> = [
        LIBSSH2_ERROR_SOCKET_NONE, LIBSSH2_ERROR_INVALID_MAC, LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_SOCKET_SEND,
        LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE, LIBSSH2_ERROR_DECRYPT, LIBSSH2_ERROR_SOCKET_DISCONNECT,
        LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_ENCRYPT, LIBSSH2_ERROR_BAD_SOCKET, LIBSSH2_ERROR_ZLIB,
        LIBSSH2_ERROR_COMPRESS,
    ]

    /// Whether the transport can no longer be trusted or used after this failure.
    var isFatal: Bool { Self.fatal.contains(rawValue) }

    /// The name in libssh2.h without LIBSSH2_ERROR_.
    var name: String { LibraryError(code: rawValue)?.rawValue ?? "UNKNOWN_\(-Int(rawValue))" }
}

/// Debian's package of the loaded libssh2: its version shows which defects the distribution has fixed.
enum LibraryPackage {
    /// The package's version, such as `1.11.1-1+deb13u2`; nil if the library comes from elsewhere or its origin is unknown.
    /// Reads a file of a few MiB.
    static func version() -> String? {
        guard let path = bridge_file_of(bridge_library_address()).map({ String(cString: $0) }),
            path.hasPrefix("/usr/lib/") || path.hasPrefix("/lib/"),
            let list = try? WholeFile.read("/var/lib/dpkg/status")
        else { return nil }
        return version(in: String(decoding: list, as: UTF8.self))
    }

    /// The same, from dpkg's list of packages (dpkg-query(1)).
    static func version(in list: String) -> String? {
        for name in ["libssh2-1t64", "libssh2-1"] {
            guard let start = list.firstPlace(of: "\nPackage: \(name)\n") else { continue }
            let fields = list[start.upperBound...]
            var version: Substring?
            var isInstalled = false
            for line in fields.split(separator: "\n", maxSplits: 40, omittingEmptySubsequences: false) {
                if line.isEmpty { break }
                if line.hasPrefix("Version: ") { version = line.dropFirst("Version: ".count) }
                if line == "Status: install ok installed" { isInstalled = true }
            }
            if isInstalled, let version { return String(version) }
        }
        return nil
    }
}

extension Library {
    /// The loaded libssh2 and its known defects.
    package static func report() -> (version: String, package: String?, vulnerabilities: [LibraryVulnerability]) {
        let package = LibraryPackage.version()
        return (version, package, LibraryVulnerability.open(package: package))
    }
}
