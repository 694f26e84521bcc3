import BridgeSSH
import CLocalSocket

/// The version of the protocol between a run and a helper.
enum HelperProtocol {
    /// The version of the frames that different builds exchange: `hello`, `welcome`, and the status for a listing. The first
    /// two start with it, so that two versions can part cleanly. Only equal builds exchange the frames of a run.
    static let version = 6

    /// The helper's internal subcommand. The destination follows it, for ps(1).
    static let subcommand = "persist-helper"

    /// Identifies this build of the executable: its version and its file.
    static let build: String = {
        var status = stat()
        guard let path = executable, stat(path, &status) == 0 else { return "" }
        #if canImport(Darwin)
            let time = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            let time = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
        return "\(Product.version) \(status.st_dev) \(status.st_ino) \(status.st_size) \(time.0).\(time.1)"
    }()

    /// A path that opens the running executable; nil if unknown.
    ///
    /// This is not the path of its file if the system offers another way, because an upgrade may have replaced that
    /// file.
    static var executable: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let memory = buffer.baseAddress, bridge_executable_path(memory, buffer.count) == 0 else { return nil }
            return String(cString: memory)
        }
    }
}

/// A client's first message.
struct Hello: FieldCoded {
    enum Purpose: String {
        /// To run a command.
        case run
        /// To read the helper's state.
        case look
        /// To end the helper once its running commands have ended.
        case stop
    }
    var version = HelperProtocol.version
    var build = HelperProtocol.build
    var purpose = Purpose.run

    static var blank: Hello { Hello(version: 0, build: "") }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&version)
        try coder.code(&build)
        try coder.code(name: &purpose)
    }

    /// Whether both sides are the same build, and so understand all later frames.
    var isUnderstood: Bool { version == HelperProtocol.version && build == HelperProtocol.build }
}

/// A helper's first message: its state.
struct HelperStatus: FieldCoded, Equatable {
    var version = HelperProtocol.version
    var build = HelperProtocol.build
    var process = 0
    /// The host's name as typed when the helper was started.
    var named = ""
    var endpoint = SSHEndpoint(unchecked: "", user: "")
    /// Seconds since the helper was started.
    var age = 0.0
    /// Seconds since the last command ended; 0 while one runs.
    var idle = 0.0
    /// Seconds that the helper stays without a command.
    var keepFor = 0.0
    /// Commands so far, including running ones.
    var runs = 0
    /// Running commands.
    var running = 0
    /// Whether the connection is made.
    var isReady = false

    static var blank: HelperStatus { HelperStatus(version: 0, build: "") }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&version)
        try coder.code(&build)
        try coder.code(&process, in: 0...Int(pid_t.max))
        try coder.code(&named)
        try coder.code(&endpoint)
        try coder.code(&age)
        try coder.code(&idle)
        try coder.code(&keepFor)
        try coder.code(&runs)
        try coder.code(&running)
        try coder.code(&isReady)
    }

    var isUnderstood: Bool { version == HelperProtocol.version && build == HelperProtocol.build }

    /// Whether a host's name from a person matches this helper.
    func isMeant(by name: String) -> Bool { HelperRecord(named: named, endpoint: endpoint).isMeant(by: name) }
}

/// The accepted host keys of a kept connection. The helper sends them when it takes a run, which judges them.
struct KeptTrust: FieldCoded, Equatable {
    /// The keys of all hops, the nearest first.
    var hostKeys: [KeptHostKey] = []

    static var blank: KeptTrust { KeptTrust() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(&hostKeys) }
}
