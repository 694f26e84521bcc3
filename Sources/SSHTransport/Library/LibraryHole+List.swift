extension LibraryHole {
    /// All that are known, the worst first. A test compares the table of SECURITY.md with it.
    static let all: [LibraryHole] = [
        packetLength, etmUnderflow, packetWrap, etmPadding, galoisCounter, signatureAlgorithms, clientMethod, unboundedQueue,
        extensionCount, questionTitle, chachaPacket, replacedHostKey, terrapin, fileNames, fileHandle, publicKeySubsystem,
        ignoredData, userNameLength,
    ]

    private static let firstWithAuthenticatedModes = Version(1, 11)
    private static let last = Version(1, 11, 2)

    static let packetLength = LibraryHole(
        name: "assertion on a packet's length",
        effect: "A packet whose length is not whole cipher blocks aborts the process, before the server is trusted.",
        defence: "The packet's block is refused, and the session ends.", since: nil, until: nil)

    static let etmUnderflow = LibraryHole(
        name: "CVE-2026-66035",
        effect: "With encrypt-then-MAC a packet that is shorter than a cipher block overwrites memory.",
        defence: "The packet's block is refused, and the session ends.", since: firstWithAuthenticatedModes, until: last,
        debianUpdates: ["deb13u2"])

    static let packetWrap = LibraryHole(
        name: "CVE-2026-55200",
        effect: "With encrypt-then-MAC or AES-GCM a packet's length close to 4 GiB wraps around, and memory is overwritten.",
        defence: "The packet's block is refused, and the session ends.", since: firstWithAuthenticatedModes, until: last,
        debianUpdates: ["deb13u1"])

    static let etmPadding = LibraryHole(
        name: "encrypt-then-MAC padding",
        effect: "Padding that is longer than its packet makes libssh2 read far behind the packet.",
        defence: "The padding is checked before libssh2 uses it; encrypt-then-MAC is not offered where that cannot be done.",
        since: firstWithAuthenticatedModes, until: last)

    static let galoisCounter = LibraryHole(
        name: "CVE-2026-66033", effect: "With AES-GCM a packet that is too short makes libssh2 read and write beside a buffer.",
        defence: "The packet's block is refused, and the session ends.", since: firstWithAuthenticatedModes, until: last,
        debianUpdates: ["deb13u2"])

    // libssh2 pull requests 1881 and 1885.
    static let signatureAlgorithms = LibraryHole(
        name: "repeated signature algorithm",
        effect:
            "Where an RSA key is offered, a server-sig-algs extension (RFC 8308) that repeats a name overwrites memory before the "
            + "login; asyncssh's servers send one.",
        defence: "No name stays more than once in the list that libssh2 keeps.", since: firstWithAuthenticatedModes, until: last)

    // libssh2 pull request 1763.
    static let clientMethod = LibraryHole(
        name: "key exchange method that is none",
        effect:
            "A server that names ext-info-c or kex-strict-c-v00@openssh.com ends the process, before the server is trusted.",
        defence:
            "Such a list is not shown to libssh2, and the session ends; in a key re-exchange the names are not matched.",
        since: firstWithAuthenticatedModes, until: last)

    static let unboundedQueue = LibraryHole(
        name: "unbounded queue", effect: "Packets that are not asked for are kept, until memory is used up.",
        defence: "What a session may hold has a limit, and beyond it the session ends.", since: nil, until: nil)

    static let extensionCount = LibraryHole(
        name: "CVE-2026-55199",
        effect: "A list of extensions (RFC 8308) whose count is a lie keeps a processor busy for seconds.",
        defence:
            "The count is checked before libssh2 reads it, and the session ends. Not prevented with chacha20-poly1305, which is "
            + "not offered unless it is asked for by name.",
        since: firstWithAuthenticatedModes, until: last, debianUpdates: ["deb13u1"])

    static let questionTitle = LibraryHole(
        name: "keyboard-interactive title",
        effect: "A question's title that claims to be longer than its packet makes libssh2 read behind the packet.",
        defence: "The title's block is refused, and the session ends.", since: nil, until: firstWithAuthenticatedModes)

    static let chachaPacket = LibraryHole(
        name: "chacha20-poly1305 failure",
        effect: "A packet that cannot be deciphered is read again and again, without end.",
        defence: "The cipher is not offered unless it is asked for by name; the loop is broken, and the session ends.",
        since: firstWithAuthenticatedModes, until: last)

    static let replacedHostKey = LibraryHole(
        name: "host key in a key re-exchange", effect: "A server may go on under another host key than the one that was checked.",
        defence: "Another key ends the session before anything is sent under it.", since: nil, until: nil)

    static let terrapin = LibraryHole(
        name: "CVE-2023-48795 (Terrapin)",
        effect: "With chacha20-poly1305, or CBC and encrypt-then-MAC, an attacker on the path can drop the first packets.",
        defence: "Neither chacha20-poly1305 nor CBC is offered unless it is asked for by name.",
        since: firstWithAuthenticatedModes, until: Version(1, 11, 1))

    static let fileNames = LibraryHole(
        name: "CVE-2025-15661", effect: "SFTP answers to READLINK and REALPATH make libssh2 read behind the packet.",
        defence: "libssh2's SFTP is not used.", since: nil, until: last, debianUpdates: ["deb12u1", "deb13u1"])

    static let fileHandle = LibraryHole(
        name: "CVE-2026-66032", effect: "A second SFTP answer to OPEN makes libssh2 free memory twice.",
        defence: "libssh2's SFTP is not used.", since: nil, until: last, debianUpdates: ["deb12u1", "deb13u2"])

    static let publicKeySubsystem = LibraryHole(
        name: "CVE-2026-58050, CVE-2026-58051, CVE-2026-66034",
        effect: "Answers of a server's publickey subsystem make libssh2 read or free foreign memory.",
        defence: "libssh2's publickey subsystem is not used.", since: nil, until: last, debianUpdates: ["deb12u1", "deb13u2"])

    // libssh2 pull request 2450.
    static let ignoredData = LibraryHole(
        name: "ignored standard error",
        effect:
            "Data on standard error that the client ignores is used after it is freed, where a window cannot be opened at once.",
        defence: "libssh2 is not asked to ignore data.", since: nil, until: last)

    static let userNameLength = LibraryHole(
        name: "CVE-2026-7598", effect: "A user name of nearly 4 GiB overflows a length.",
        defence: "Only the caller could give such a name.", since: nil, until: last, debianUpdates: ["deb12u1", "deb13u1"])
}
