import SSHTestSupport

extension Fault {
    /// Host keys.
    static let trusting = [
        sandboxed("host-key-unknown", "ssh.host-key.unknown", "no line for the host") { box, target in
            target.knownHosts = try box.directory.write("", to: "empty")
        },
        sandboxed("host-key-changed", "ssh.host-key.changed", "known under other keys of the same types") { box, target in
            var keys: [String] = []
            for kind in box.options.hostKeys { keys.append(try await TestKey.make(kind, name: "earlier").publicKey) }
            target.knownHosts = try await box.knownHosts(keys: keys)
        },
        sandboxed("host-key-revoked", "ssh.host-key.revoked", "its keys are marked as revoked") { box, target in
            target.knownHosts = try await box.knownHosts(marker: "@revoked")
        },
    ]
}
