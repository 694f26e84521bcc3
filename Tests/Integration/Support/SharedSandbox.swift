import SSHTestSupport

/// A sandbox that many cases share, because none of them changes it. It ends with the test process.
actor SharedSandbox {
    /// The defaults.
    static let plain = SharedSandbox(SSHDSandbox.Options())

    private let options: SSHDSandbox.Options
    private var starting: Task<SSHDSandbox, any Error>?

    init(_ options: SSHDSandbox.Options) { self.options = options }

    /// Gives `body` the sandbox with the defaults: for a test that leaves no file on it and counts nothing of it.
    @discardableResult
    static func run<R>(_ body: (SSHDSandbox) async throws -> R) async throws -> R { try await body(try await plain.box()) }

    func box() async throws -> SSHDSandbox {
        let task = starting ?? Task { [options] in try await SSHDSandbox.start(options) }
        starting = task
        return try await task.value
    }
}
