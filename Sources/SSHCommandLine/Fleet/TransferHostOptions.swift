import ArgumentParser

/// ``HostOptions`` where files are copied: the port is at `-P`, as for `bridge-ssh copy`, and `--retries` is an option of the copy.
package struct TransferHostOptions: ParsableArguments {
    @OptionGroup(title: "Host and user") var connection: CopyConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions

    package init() {}

    /// The same for a run. Copying a file twice does no harm.
    package func asOfRun(_ copying: CopyingOptions) -> HostOptions {
        var retry = RetryOptions.unset
        (retry.retries, retry.idempotent, retry.waiting) = (copying.retries, true, copying.waiting)
        var options = HostOptions()
        (options.connection, options.files) = (connection.asOfRun, files)
        (options.trust, options.credentials, options.retry) = (trust, credentials, retry)
        return options
    }
}
