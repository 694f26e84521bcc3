import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Servers that refuse an address for a while because it connected without a login (OpenSSH 9.8's PerSourcePenalties).
@Suite("Servers with penalties") struct PenaltyTests {
    /// Refuses the connections with these numbers as sshd does, and passes all others on to a port.
    private static let program = #"""
        import socket, sys, threading
        port, refused = int(sys.argv[1]), {int(n) for n in sys.argv[2].split(",")}
        def pass_on(a, b):
            try:
                while data := a.recv(65536): b.sendall(data)
                b.shutdown(socket.SHUT_WR)
            except OSError: pass
        listener = socket.create_server(("127.0.0.1", 0))
        print(f"PORT {listener.getsockname()[1]} ", flush=True)
        for number in range(1, 100):
            client, _ = listener.accept()
            if number in refused:
                client.sendall(b"Not allowed at this time\r\n"); client.shutdown(socket.SHUT_WR); client.close()
                continue
            print(f"passed {number}", flush=True)
            server = socket.create_connection(("127.0.0.1", port))
            for pair in [(client, server), (server, client)]: threading.Thread(target=pass_on, args=pair, daemon=True).start()
        """#

    @Test("trust --all-types waits until the penalty is over, and learns all keys")
    func waits() async throws {
        try await SharedSandbox.run { box in
            try await ScratchDirectory.with { scratch in
                let known = scratch.path("known")
                let guarded = try await ProcessRun.run(
                    "/usr/bin/python3", ["-c", Self.program, "\(box.port)", "1,3"], input: .pipe
                ) { process in
                    let output = process.standardOutput
                    try await output.wait(for: "PORT ")
                    try await output.wait(for: " \n")
                    let port = try #require(output.text.split(separator: " ").dropFirst().first.map(String.init))
                    let trust = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"),
                        ["trust", "--all-types", "-F", "none", "--known-hosts", known, "-p", port, "127.0.0.1"],
                        environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]))
                    #expect(trust.exitStatus == 196, "\(trust)")
                    for key in box.hostKeys.prefix(2) {
                        #expect(trust.output.contains(try SSHPublicKey(line: key.publicKey).fingerprint), "\(trust)")
                    }
                    process.send(signal: 15)
                }
                // One connection for each key that can be verified, and the two that were refused.
                #expect(guarded.output.contains("passed 2") && guarded.output.contains("passed 4"), "\(guarded)")
            }
        }
    }
}
