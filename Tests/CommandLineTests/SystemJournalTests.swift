import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Entries of systemd's journal, and the catalogue that explains them. scripts/check-journald tests both with a real
/// journald.
@Suite("systemd's journal") struct SystemJournalTests {
    /// The fields of an entry, read as journald reads them.
    private static func fields(_ bytes: [UInt8]) throws -> [String: String] {
        var fields: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex(of: UInt8(ascii: "\n")))
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] = String(decoding: line[(equals + 1)...], as: UTF8.self)
            } else {
                let size = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                fields[String(decoding: line, as: UTF8.self)] = String(decoding: rest.dropFirst(8).prefix(size), as: UTF8.self)
                rest = rest.dropFirst(8 + size)
                #expect(rest.popFirst() == UInt8(ascii: "\n"))
            }
        }
        return fields
    }

    @Test("an entry has the code, its message ID, the host and the remedy")
    func entry() throws {
        let error = SSHError(.connectRefused, host: "web1")
        let fields = try Self.fields(SystemJournal.entry(error, host: "web1", run: "20261123-021000-000abc"))
        #expect(fields["BRIDGE_SSH_CODE"] == "ssh.connect.refused" && fields["BRIDGE_SSH_HOST"] == "web1")
        #expect(fields["MESSAGE_ID"] == SystemJournalCatalogue.messageID(of: .connectRefused))
        #expect(fields["BRIDGE_SSH_REMEDY"] == error.remedy && fields["MESSAGE"] == "web1: \(error.message)")
        #expect(fields["PRIORITY"] == "3" && fields["SYSLOG_IDENTIFIER"] == "bridge-ssh")
        #expect(fields["BRIDGE_SSH_EXIT_STATUS"] == "193" && fields["BRIDGE_SSH_RUN"] == "20261123-021000-000abc")
    }

    @Test("the priority is syslog's number of the severity")
    func priorities() throws {
        let errors = CodeExplanation.all.map { SSHError($0.code, host: "web1") }
        #expect(Set(errors.map(\.severity)).isSuperset(of: [.warning, .error]))
        let numbers: [ErrorSeverity: String] = [.critical: "2", .error: "3", .warning: "4", .info: "6"]
        for error in errors {
            let fields = try Self.fields(SystemJournal.entry(error, host: "web1", run: nil))
            #expect(fields["PRIORITY"] == numbers[error.severity], "\(error.code)")
        }
    }

    @Test("a server's text cannot create a field")
    func hostile() throws {
        let plain = SSHError(.bannerNotSSH, host: "web1")
        let error = SSHError(
            code: plain.code, message: "It said: x\nPRIORITY=0\n_UID=0\u{0}", hint: "", confidence: .exact, retry: .never,
            evidence: plain.evidence)
        let fields = try Self.fields(SystemJournal.entry(error, host: "a\nMESSAGE_ID=b", run: nil))
        #expect(fields["MESSAGE"] == "a\nMESSAGE_ID=b: It said: x PRIORITY=0 _UID=0\\x00")
        #expect(fields["PRIORITY"] == "3" && fields["_UID"] == nil)
        #expect(fields["MESSAGE_ID"] == SystemJournalCatalogue.messageID(of: .bannerNotSSH))
    }

    @Test("a code's message ID is fixed and unique")
    func identities() {
        #expect(SystemJournalCatalogue.messageID(of: .connectRefused) == "feb828dbaca489098c0c24220fe7917b")
        let all = CodeExplanation.all.map { SystemJournalCatalogue.messageID(of: $0.code) }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}/) != nil })
    }

    @Test("the catalogue has an entry for each code")
    func catalogue() {
        let text = SystemJournalCatalogue.text
        #expect(text.components(separatedBy: "\n-- ").count == CodeExplanation.all.count)
        for explanation in CodeExplanation.all { #expect(text.contains("`bridge-ssh explain \(explanation.code)` says more.")) }
    }

    @Test("a missing journal is refused, and the message names journald")
    func refusals() throws {
        #expect(throws: (any Error).self) { try SystemJournal(SystemJournalChoice(argument: "journald=/nowhere/socket")) }
        let none = try SystemJournal(nil)
        #expect(none == nil)
        #expect(SystemJournalChoice(argument: "journald")?.socket == nil && SystemJournalChoice(argument: "journald") != nil)
        for word in ["syslog", "journald=", "journal", ""] { #expect(SystemJournalChoice(argument: word) == nil) }
    }
}
