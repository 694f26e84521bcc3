import Testing

@testable import SSHCommandLine

@Suite("Completion of hosts' expressions") struct HostSetCompletionTests {
    private static let names = ["web1", "web2", "db1", "@ssh", "@known"]

    @Test(
        "the last name is completed, and the text before it stays",
        arguments: [
            ("we", ["web1", "web2"]), ("web1,d", ["web1,db1"]), ("web1!we", ["web1!web1", "web1!web2"]), ("@s", ["@ssh"]),
            ("web1,@k", ["web1,@known"]), ("bob@d", ["bob@db1"]), ("x", []), ("web1&@ssh^db", ["web1&@ssh^db1"]),
        ])
    func candidates(_ word: String, _ expected: [String]) {
        #expect(HostSetCompletion.candidates(for: word, Self.names) == expected)
    }
}
