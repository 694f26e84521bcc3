import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the environment says of a stand-in, which leaves the command line to ssh.
struct StandInSettings {
    /// How a failure is told on standard error.
    enum Voice: String {
        case banner, line, off
    }

    /// nil where nothing is said: a banner at a terminal, else a line; nothing where ssh itself is quiet.
    var voice: Voice?
    /// Where each call's object goes.
    var file: String?
    /// 193–199 in place of ssh's own 255.
    var ownStatuses = false
    var retries = 0
    /// Values that are not understood, and are as if they were not there.
    private(set) var problems: [String] = []

    init(environment variable: (String) -> String? = { LaunchEnvironment.variable($0) }) {
        if let value = variable("BRIDGE_SSH_VERDICT") {
            voice = Voice(rawValue: value)
            if voice == nil { problems.append("BRIDGE_SSH_VERDICT is banner, line or off, and not \"\(value.oneLine(60))\"") }
        }
        file = variable("BRIDGE_SSH_VERDICT_FILE")
        if let value = variable("BRIDGE_SSH_STATUS") {
            ownStatuses = value == "codes"
            if value != "codes", value != "ssh" {
                problems.append("BRIDGE_SSH_STATUS is codes or ssh, and not \"\(value.oneLine(60))\"")
            }
        }
        if let value = variable("BRIDGE_SSH_RETRIES") {
            retries = RetryCount(argument: value)?.value ?? 0
            if RetryCount(argument: value) == nil {
                problems.append("BRIDGE_SSH_RETRIES is a number from 0 to 1000, and not \"\(value.oneLine(60))\"")
            }
        }
    }
}
