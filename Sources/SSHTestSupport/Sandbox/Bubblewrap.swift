/// The command line that starts a program in the sandbox.
struct Bubblewrap {
    let bwrap: String
    let root: String
    let usr: String
    let hostName: String
    /// Whether `/usr` is the machine's, whose alternatives then apply.
    let sharesAlternatives: Bool

    func command(_ program: [String]) -> [String] {
        var command = [bwrap, "--bind", root, "/", "--ro-bind", usr, "/usr"]
        if sharesAlternatives { command += ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"] }
        command += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", "\(1 << 20)", "--tmpfs", "/small"]
        command += ["--unshare-pid", "--unshare-uts", "--unshare-ipc", "--hostname", hostName]
        // The parent is the single-threaded supervisor; if even that one is killed, the sandbox goes too.
        command += ["--die-with-parent", "--new-session", "--info-fd", "4", "--chdir", "/", "--"]
        return command + program
    }
}
