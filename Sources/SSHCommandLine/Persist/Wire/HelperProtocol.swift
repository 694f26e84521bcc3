import BridgeSSH
import CLocalSocket

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whether a run and a helper understand each other.
enum HelperProtocol {
    /// Changes with a frame that different builds exchange: `hello`, `welcome`, and the status for a listing. The first two begin with
    /// it, so that two versions can at least part cleanly. Only the same build exchanges the frames of a run.
    static let version = 6

    /// The helper's subcommand, which is not for people; the destination follows it, for a listing of processes.
    static let subcommand = "persist-helper"

    /// This very build of the executable: its version, and the file that it is.
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

    /// A path that opens the running executable; nil if it is not known.
    ///
    /// It is no name in a directory where there is another way: an upgrade may have put another program under that name.
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
        /// To query the helper's state.
        case look
        /// To end the helper, once the commands that run have ended.
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

    /// Whether all later frames will be understood.
    var isUnderstood: Bool { version == HelperProtocol.version && build == HelperProtocol.build }
}

/// A helper's first message: its state.
struct HelperStatus: FieldCoded, Equatable {
    var version = HelperProtocol.version
    var build = HelperProtocol.build
    var process = 0
    /// What the host was called when the helper was started.
    var named = ""
    var endpoint = SSHEndpoint(unchecked: "", user: "")
    /// Seconds since it was started.
    var age = 0.0
    /// Seconds since the last command ended; 0 while one runs.
    var idle = 0.0
    /// Seconds that it stays without a command.
    var keepFor = 0.0
    /// Commands so far, those included that run.
    var runs = 0
    /// Commands that run.
    var running = 0
    /// Whether it has its connection.
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

    /// Whether a person who names a host may mean this one.
    func isMeant(by name: String) -> Bool { HelperRecord(named: named, endpoint: endpoint).isMeant(by: name) }
}

/// What a helper says when it takes a run: how its connection came about, for the run to judge.
struct KeptTrust: FieldCoded, Equatable {
    /// Of all hops, the nearest first.
    var hostKeys: [KeptHostKey] = []

    static var blank: KeptTrust { KeptTrust() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) { try coder.code(&hostKeys) }
}
