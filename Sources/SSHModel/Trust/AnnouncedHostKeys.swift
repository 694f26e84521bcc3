/// The host keys that a server has announced after the login (`hostkeys-00@openssh.com`).
package struct AnnouncedHostKeys: Sendable {
    package let all: [SSHHostKey]
    /// Those that are not known.
    package let unknown: [SSHHostKey]
    /// Those of the unknown ones that the server was asked to prove.
    package let asked: [SSHHostKey]
    /// Those that it has proven to hold.
    package let proven: [SSHHostKey]

    package init(all: [SSHHostKey], unknown: [SSHHostKey], asked: [SSHHostKey], proven: [SSHHostKey]) {
        self.all = all
        self.unknown = unknown
        self.asked = asked
        self.proven = proven
    }
}
