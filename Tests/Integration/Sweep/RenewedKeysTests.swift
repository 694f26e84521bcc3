import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Transfers in each direction, with all code that reads or writes a channel, while a real server renews its keys.
///
/// `scripts/test-sweep` moves 9 GB in all, and has the keys renewed every second too.
@Suite("Renewed keys", .serialized) struct RenewedKeysTests {
    private static let isWhole = SweepExtent.ofThisRun == .everyByte
    private static let megabytes = isWhole ? 250 : 6
    static let limits = isWhole ? ["1M", "default 1s"] : ["1M"]

    /// Shell scripts: `run` and `copy` call the executable; `here` is a file that the server has as `big`.
    static let transfers = [
        "run 'cat big' | cmp - \"$here\"",
        "run 'cmp - big' <\"$here\"",
        "run 'cat' <\"$here\" | cmp - \"$here\"",
        "copy H:big down && cmp down \"$here\"",
        "copy \"$here\" H:up && cmp \"$there/up\" \"$here\"",
        "copy H:big /dev/stdout | cmp - \"$here\"",
    ]

    @Test("keys of one connection, of kept ones, and of those through a jump host", arguments: limits) func transfer(
        limit: String
    )
        async throws
    {
        var options = SSHDSandbox.Options()
        options.rekeyLimit = limit
        try await SSHDSandbox.run(options) { jump in
            try await PersistFixture.run(options) { fixture in
                let box = fixture.box
                try await ScratchDirectory.with { scratch in
                    let file = scratch.path("big")
                    try await ProcessRun.check("/bin/sh", ["-c", "head -c \(Self.megabytes)M /dev/urandom >\(file)"])
                    try await ProcessRun.check("/bin/cp", [file, box.url(of: "/home/alice/big").path])
                    let chain = Chain(hops: [try await jump.hop(), try await box.hop()])
                    let configuration = try scratch.write(chain.sshConfiguration, to: "config")
                    let ways = [
                        ("of its own", "-F \(configuration) --batch", "hop2"),
                        ("kept", "-F \(configuration) --batch --persist 10m", "hop2"),
                        ("through a jump host", "-F \(configuration) --batch -J hop1", "hop2"),
                    ]
                    var count = 0
                    var wrong: [String] = []
                    for (way, words, host) in ways {
                        for transfer in Self.transfers {
                            let script = """
                                set -e; here=\(file) there=\(box.url(of: "/home/alice").path)
                                run() { "\(fixture.executable)" run --keepalive 5 \(words) \(host) -- "$@"; }
                                copy() { "\(fixture.executable)" copy --keepalive 5 \(words) "$@"; }
                                rm -f down "$there/up"
                                \(transfer.replacing("H:", with: "\(host):"))
                                """
                            let result = try await ProcessRun.run(
                                "/bin/bash", ["-o", "pipefail", "-c", script],
                                environment: .exactly([
                                    "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8",
                                    "XDG_RUNTIME_DIR": fixture.runtime.url.path,
                                ]), directory: scratch.url.path)
                            count += 1
                            guard result.termination != .exited(0) else { continue }
                            wrong.append("\(way): \(transfer): \(result.termination) \(result.output) \(result.errorOutput)")
                        }
                    }
                    print("sweep: keys renewed, \(limit), \(Self.megabytes) MB each: \(count) runs, \(wrong.count) wrong")
                    #expect(wrong == [])
                }
            }
            #expect(jump.connectionCount > 0)
        }
    }
}
