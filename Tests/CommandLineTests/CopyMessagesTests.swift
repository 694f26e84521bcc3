import BridgeSSH
import Testing

@testable import SSHCommandLine

@Suite("A copy's progress and final message") struct CopyMessagesTests {
    private func outcome(_ change: (inout SFTPCopyResult) -> Void) -> CopyOutcome {
        var outcome = CopyOutcome()
        var result = SFTPCopyResult()
        change(&result)
        outcome.result = result
        return outcome
    }

    @Test("the last line counts files, bytes, time and missing files") func summary() {
        var whole = outcome { ($0.files, $0.bytes) = (3, 1_200_000_000) }
        whole.copySeconds = 9.2
        #expect(CopySummary(whole).text == "3 files, 1.2 GB in 9.2 s")
        #expect(!CopySummary(whole).isNeeded && whole.isComplete)
        whole.copySeconds = 12.4
        #expect(CopySummary(whole).text == "3 files, 1.2 GB in 12 s")
        whole.copySeconds = 59.7
        #expect(CopySummary(whole).text.hasSuffix(" in 1:00"))
        let resumed = outcome { ($0.files, $0.bytes, $0.resumedBytes) = (1, 5, 1000) }
        #expect(CopySummary(resumed).text == "1 file, 5 B in 0.0 s, 1.0 kB were there already")
        let missing = outcome { ($0.failureCount, $0.leftOut, $0.unverifiedFiles) = (2, 3, 4) }
        #expect(CopySummary(missing).text == "0 files, 0 B in 0.0 s; 2 failed; 3 left out; 4 not verified")
        #expect(CopySummary(missing).isNeeded && !missing.isComplete)
        #expect(!CopySummary(outcome { $0.failureCount = 1 }).isNeeded, "its banner contains everything")
        #expect(CopySummary(outcome { ($0.failureCount, $0.files) = (1, 1) }).isNeeded)
    }

    @Test("a banner has at most twenty messages of one kind, and says how many it leaves out", arguments: [19, 20, 21])
    func group(count: Int) {
        var group = FailureGroup(error: SSHError(.sftpNoSuchFile, message: "1"))
        for number in 2...count { group.add("\(number)") }
        let shown = min(count, 20)
        let rest = count > 20 ? ["and \(count - 20) more; --json lists them."] : []
        #expect(group.otherMessages == (2...shown).map { "\($0)" } + rest)
    }

    @Test("progress never decreases, in any order of reports") func order() {
        var shown = SFTPProgress()
        var newer = SFTPProgress()
        (newer.bytes, newer.totalBytes, newer.files, newer.totalFiles) = (900, 1000, 3, 4)
        (newer.isTotalKnown, newer.path) = (true, "new")
        var older = SFTPProgress()
        (older.bytes, older.totalBytes, older.files, older.totalFiles, older.path) = (100, 1000, 3, 4, "old")
        shown.advance(to: newer)
        shown.advance(to: older)
        #expect(shown == newer)
    }

    @Test("without a known total no percentage is shown; the speed counts only bytes moved by this copy") func line() {
        var progress = SFTPProgress()
        (progress.bytes, progress.totalBytes, progress.files, progress.totalFiles) = (5000, 6000, 1, 2)
        #expect(CopyProgressLine.text(progress, seconds: 1, width: 80) == "5.0 kB  5.0 kB/s  1/2+ files  ")
        (progress.isTotalKnown, progress.resumedBytes) = (true, 4000)
        #expect(CopyProgressLine.text(progress, seconds: 1, width: 80) == " 83 %  1.0 kB/s  0:01 left  1/2 files  ")
    }
}
