import BridgeSSH
import Foundation
import Testing

@Suite("Documentation of every code")
struct FailureDocumentTests {
    /// The whole document, once for all codes.
    private static let markdown = FailureDocument.markdown

    @Test("every code has advice, an example and a rule that gives it", arguments: SSHError.Code.known)
    func complete(_ code: SSHError.Code) throws {
        let explanation = try #require(CodeExplanation(code))
        // A source is listed only once for each confidence.
        for rules in Dictionary(grouping: explanation.rules, by: \.confidence).values {
            for rule in rules {
                let others = rules.filter { $0 != rule }.map { "\($0.source);" }
                #expect(!others.contains { $0.hasPrefix("\(rule.source);") }, "\(rule.source)")
            }
        }
        #expect(explanation.definition.remedy.commandLine.hasSuffix("."))
        #expect(!explanation.definition.example.isEmpty)
        #expect(!explanation.rules.isEmpty)
        #expect(explanation.rules.allSatisfy { !$0.source.isEmpty })
        #expect(Self.markdown.contains("| `\(code)` |"))
    }

    @Test("each of bridge-ssh's statuses has a meaning, and each code has a status")
    func statuses() {
        #expect(FailureDocument.statuses.allSatisfy { $0.meaning?.isEmpty == false })
        let statuses = Set(SSHError.Code.known.map { FailureCatalogue.definition(of: $0).exitStatus })
        #expect(statuses.isSubset(of: Set(FailureDocument.statuses)))
        #expect(SSHExitStatus.authenticationFailure.codes.contains(.authKeyRejected))
        #expect(SSHExitStatus(rawValue: 3).meaning == nil)
    }

    @Test("docs/FAILURES.md is what `bridge-ssh codes --markdown` writes")
    func fileIsCurrent() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../docs/FAILURES.md")
        let written = try String(contentsOf: package.standardizedFileURL, encoding: .utf8)
        #expect(written == Self.markdown, "run: bridge-ssh codes --markdown > docs/FAILURES.md")
    }
}
