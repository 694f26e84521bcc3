import ArgumentParser

/// ``HostOptions`` where files are copied: the port is at `-P`, as for `bridge-ssh copy`, and `--retries` is an option of the copy.
package struct TransferHostOptions: ParsableArguments {
    @OptionGroup(title: "Host and user") var port: TransferPortOption
    @OptionGroup(title: "Host and user") var way: FleetConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions

    package init() {}

    /// The same for a run. Copying a file twice does no harm.
    package func asOfRun(_ copying: CopyingOptions) -> HostOptions {
        var port = FleetPortOption()
        port.port = self.port.port
        var retry = RetryOptions.unset
        (retry.retries, retry.idempotent) = (copying.retries, true)
        var options = HostOptions()
        (options.port, options.way, options.files) = (port, way, files)
        (options.trust, options.credentials, options.retry) = (trust, credentials, retry)
        return options
    }
}

/// The port where scp has it.
struct TransferPortOption: ParsableArguments {
    @Option(
        name: [.customShort("P", allowingJoined: true), .long],
        help: ArgumentHelp("The servers' port; before :port and 22.", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?
}
