/// Which files are read.
public enum SSHConfigSource: Sendable, Hashable {
    /// `~/.ssh/config`, whose owner and mode are checked, then `/etc/ssh/ssh_config`; either may be missing.
    case standard
    /// Only this file, regardless of its owner; it must exist.
    case file(String)
    /// None at all.
    case none
}
