import ArgumentParser
package import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What to copy, and how.
package struct CopyingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Copy directories with all that is in them.")
    var recursive = false

    @Flag(name: [.customShort("p"), .long], help: "Give the copies the modes and times of their sources.")
    var preserve = false

    @Flag(help: "Go on with a partial copy that was made with --resume, and leave one when this copy fails.")
    var resume = false

    @Flag(help: "Compare the SHA-256 of both sides before a copy gets its name; needs a host that runs commands.")
    var checksum = false

    @Flag(help: "Overwrite files where they are, so that hard links stay, instead of replacing each in one step.")
    var inplace = false

    @Flag(help: "Leave holes where a file holds nothing but zeros.")
    var sparse = false

    @Flag(help: "Make the destination's directory, and those above it, where they are missing.")
    var mkpath = false

    @Option(
        help: ArgumentHelp("Move at most so much a second; K, M or G for powers of 1024.", valueName: "bytes"),
        transform: ByteCount.parse)
    var limitRate: ByteCount?

    @Option(
        help: ArgumentHelp(
            "After a lost connection connect again up to this often and go on, as with --resume (0).", valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?

    @OptionGroup var waiting: WaitOptions

    package init() {}

    package var options: SFTPCopyOptions {
        var options = SFTPCopyOptions()
        options.isRecursive = recursive
        options.preservesAttributes = preserve
        options.resumes = resume || (retries?.value ?? 0) > 0 && !inplace
        options.writesInPlace = inplace
        options.isSparse = sparse
        options.createsParents = mkpath
        options.bytesPerSecond = limitRate?.value
        options.expandsWildcards = true
        options.verifiesChecksums = checksum
        options.continuesAfterFailure = true
        return options
    }
}

extension CopyingOptions {
    /// - Parameter first: the first place.
    /// - Throws: `UsageProblem` for options that contradict each other, or do not mean what they do for ssh.
    package func check(first: String?) throws {
        // ssh has its port behind -p, scp and copy have not.
        if preserve, let first, UInt16(first) != nil, access(first, F_OK) != 0 {
            throw UsageProblem(
                field: "-p \(first)",
                problem: "-p keeps modes and times, and there is no file \(first); the port is given with `-P \(first)`")
        }
        if resume, inplace {
            throw UsageProblem(
                field: "--resume", problem: "it goes on with a partial copy, and --inplace makes none; leave one of them out")
        }
    }
}

extension SSHConnectionConfiguration {
    /// A copy waits only for the server's answers, which would be for ever without a server: it has keepalives, unless ssh's
    /// configuration disables them (ServerAliveInterval 0).
    mutating func keepAliveForCopy(_ access: AccessPlan) {
        guard !access.forbidsKeepalive else { return }
        keepalive = keepalive ?? SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)
    }
}
