import SSHTestSupport
import Testing

@testable import SSHTrust

/// Finding a host's lines without reading the others.
@Suite("The index of known_hosts") struct KnownHostsIndexTests {
    private static let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtRrEz3o8CMRbfZAdmPNbCJSmHBFM6N2qEtK9mPpX1V"
    private static let hosts = ["web1", "web2", "db.example", "10.0.0.1", "[web1]:2222", "WEB3", "a"]

    /// Lines of every kind, some of them broken.
    private func line(_ random: inout SeededGenerator) -> String {
        func host() -> String { Self.hosts.randomElement(using: &random) ?? "" }
        let names: String
        switch Int.random(in: 0..<12, using: &random) {
        case 0: names = "*"
        case 1: names = "web?,!\(host())"
        case 2: names = "\(host()),\(host()),,"
        case 3: names = HashedHostName(KnownHostName(Array(host().utf8))).text
        case 4: names = "|1|broken"
        case 5: names = "@revoked \(host())"
        case 6: names = "@cert-authority *.example"
        case 7: names = "@@ \(host())"
        case 8: names = "\t \(host().uppercased())"
        case 9:
            return ["", "\r", "# \(host())", "   ", "\(host())", "\0\(host()) \(Self.key)"].randomElement(using: &random) ?? ""
        default: names = host()
        }
        return "\(names) \(Bool.random(using: &random) ? Self.key : "ssh-rsa AAAA")\(Bool.random(using: &random) ? "\r" : "")"
    }

    @Test("it finds the same lines as reading all of them", arguments: 0..<200) func everyLine(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<Int.random(in: 0...40, using: &random)).map { _ in line(&random) }
        let contents = Array(lines.joined(separator: "\n").utf8)
        let content = KnownHostsContent(contents, file: "f")
        for host in Self.hosts + ["unknown", "x.example", "", ","] {
            let name = KnownHostName(Array(host.utf8))
            let all = KnownHostsContent(contents, file: "f").entries
            #expect(content.entries(for: name) == all.filter { $0.matches(name) }, "\(host) in \(lines)")
        }
        for entry in content.entries { #expect(content.isHashed(entry.location) == entry.isHashed) }
    }

    @Test("successive connections read a file once, and again when it has changed") func readOnce()
        async throws
    {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("web1 \(Self.key)\n", to: "known_hosts")
            let reader = KnownHostsReader(SharedFileCache(now: { .max }))
            let first = ObjectIdentifier(try reader.content(of: path))
            #expect(ObjectIdentifier(try reader.content(of: path)) == first)
            for number in 0..<3 { _ = try reader.content(of: try scratch.write("", to: "other\(number)")) }
            #expect(ObjectIdentifier(try reader.content(of: path)) == first)
            _ = try scratch.write("web1 \(Self.key)\nweb2 \(Self.key)\n", to: "known_hosts")
            #expect(try reader.content(of: path).entries.count == 2)
        }
    }
}
