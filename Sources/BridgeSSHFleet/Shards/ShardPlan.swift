#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The common part of all shards of a run: the hosts, and the arguments of `fleet run`. It is written once and never changes.
package struct ShardPlan: Sendable, Equatable {
    package struct Host: Sendable, Equatable {
        package var name: String
        /// How the host is reached, as a journal stores it; nil if its name alone suffices.
        package var access: String?

        package init(name: String, access: String? = nil) {
            self.name = name
            self.access = access
        }
    }

    /// The local file that the command reads on every host.
    package struct Input: Sendable, Equatable, Codable {
        package var path: String
        /// SHA-256 of the file's content.
        package var digest: [UInt8]

        package init(path: String, digest: [UInt8]) {
            self.path = path
            self.digest = digest
        }
    }

    /// The number of shards, from 1.
    package let shards: Int
    /// The name of the run that the shards form together.
    package let run: String
    /// The options of `fleet run`.
    package let options: [String]
    /// The host expressions as written, and the arguments of the command.
    package let words: [String]
    /// The command as passed to the remote shell.
    package let command: String
    package let input: Input?
    /// The hosts sorted by name, each once.
    package let hosts: [Host]

    /// - Parameters:
    ///   - shards: 1 to ``maximumShards``.
    ///   - hosts: the hosts; each name once.
    package init(
        shards: Int, run: String = RunName.make(at: FleetTimestamp.now()), options: [String] = [], words: [String],
        command: String, input: Input? = nil, hosts: [Host]
    ) {
        self.shards = shards
        self.run = run
        self.options = options
        self.words = words
        self.command = command
        self.input = input
        self.hosts = hosts.sorted { $0.name < $1.name }
    }

    /// A larger number of shards is taken for a mistake.
    package static let maximumShards = 100_000

    /// The arguments of the whole command line, from `run` on.
    ///
    /// - Parameter more: options to add to those of the plan.
    package func arguments(adding more: [String] = []) -> [String] { ["run"] + options + more + words }

    /// The hosts of one shard: those at the positions ≡ `shard` (mod ``shards``).
    package func hosts(of shard: Int) -> [Host] {
        stride(from: shard, to: hosts.count, by: shards).map { hosts[$0] }
    }

    // MARK: As a file

    /// The first word of the file.
    private static let schema = "bridge-ssh-fleet-plan/1"

    /// The second line of the file, as JSON.
    private struct Header: Codable {
        let shards: Int
        let run: String
        let options: [String]
        let words: [String]
        let command: String
        let input: Input?
        let hosts: Int
    }

    /// The file's content: a line with the schema and the digest of the rest, a line of JSON, and a line for each host. Further
    /// data about a host follows its name and a tab.
    package func file() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = Header(
            shards: shards, run: run, options: options, words: words, command: command, input: input, hosts: hosts.count)
        var body = Array(try encoder.encode(header))
        body.append(UInt8(ascii: "\n"))
        for host in hosts {
            body += host.name.utf8
            if let access = host.access {
                body.append(UInt8(ascii: "\t"))
                body += access.utf8
            }
            body.append(UInt8(ascii: "\n"))
        }
        return Array("\(Self.schema) \(RunSubject.digest(body).hexadecimal)\n".utf8) + body
    }

    /// Why a file is not a plan.
    package struct Unreadable: Error, Equatable {
        package let reason: String
    }

    /// Parses a plan and checks its digest.
    package init(file: [UInt8]) throws(Unreadable) {
        let newline = UInt8(ascii: "\n")
        guard let end = file.firstIndex(of: newline),
            case let words = String(decoding: file[..<end], as: UTF8.self).split(separator: " "), words.count == 2
        else { throw Unreadable(reason: "its first line is not that of a plan") }
        guard words[0] == Self.schema else {
            throw Unreadable(
                reason: words[0].hasPrefix("bridge-ssh-fleet-plan/")
                    ? "another version of bridge-ssh wrote it (\(VisibleText.name(String(words[0]))))"
                    : "its first line is not that of a plan")
        }
        let body = file[(end + 1)...]
        guard RunSubject.digest(Array(body)).hexadecimal == words[1] else {
            throw Unreadable(reason: "it has been changed since it was written")
        }
        var lines = body.split(separator: newline, omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst(), let header = try? JSONDecoder().decode(Header.self, from: Data(first)),
            (1...Self.maximumShards).contains(header.shards), RunName.time(of: header.run) != nil, header.hosts == lines.count
        else { throw Unreadable(reason: "its header is not that of a plan") }
        var hosts: [Host] = []
        hosts.reserveCapacity(lines.count)
        for line in lines {
            let tab = line.firstIndex(of: UInt8(ascii: "\t"))
            let name = String(decoding: line[..<(tab ?? line.endIndex)], as: UTF8.self)
            guard !name.isEmpty, hosts.last.map({ $0.name < name }) ?? true else {
                throw Unreadable(reason: "its hosts are not sorted, or one occurs twice")
            }
            hosts.append(Host(name: name, access: tab.map { String(decoding: line[($0 + 1)...], as: UTF8.self) }))
        }
        self.init(
            shards: header.shards, run: header.run, options: header.options, words: header.words, command: header.command,
            input: header.input, hosts: hosts)
    }

    /// The plan digest in the journal of a shard. It differs between shards, so no journal is taken for another shard's.
    ///
    /// - Parameter digest: the digest of the plan.
    package static func digest(_ digest: [UInt8], ofShard shard: Int) -> [UInt8] {
        RunSubject.digest(digest + Array(" shard \(shard)".utf8))
    }

    /// The subject of the whole run, or of one shard.
    ///
    /// - Parameter planDigest: the digest of the plan or of the shard.
    package func subject(planDigest: [UInt8]) -> RunSubject {
        var subject = RunSubject(kind: "run", command: command, planDigest: planDigest, arguments: arguments())
        if let input { subject = subject.reading(input.path, digest: input.digest) }
        return subject
    }
}
