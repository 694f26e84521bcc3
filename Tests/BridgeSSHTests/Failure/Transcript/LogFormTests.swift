import Testing

@testable import BridgeSSH
@testable import SSHTranscripts

/// Prefixes and suffixes that logs add to a run's lines.
@Suite("Logs of many runs")
struct LogFormTests {
    /// 2026-06-01T00:00:00Z, one hour ahead of UTC.
    private static let clock = LogClock(now: LogTime(seconds: 1_780_272_000), offset: 3600)

    private func failures(_ text: String) -> [LoggedFailure] { SSHTranscriptLog(Self.clock).failures(in: text) }

    private func summary(_ failures: [LoggedFailure]) -> [String] {
        failures.map { "\($0.time?.description ?? "-") \($0.source) \($0.error.code) \($0.error.evidence.host)" }
    }

    @Test("lines of several processes are distinguished") func mixed() {
        let reported = failures(
            """
            Jan  5 04:00:01 box backup[411]: debug1: Connecting to web1 [192.0.2.1] port 22.
            Jan  5 04:00:01 box backup[412]: ssh: connect to host web2 port 22: Connection refused
            Jan  5 04:00:02 box backup[411]: debug1: Connection established.
            Jan  5 04:00:03 box backup[412]: lost connection
            Jan  5 04:00:09 box backup[411]: debug1: SSH2_MSG_KEXINIT sent
            Jan  5 04:00:09 box backup[411]: Connection closed by 192.0.2.1 port 22
            """)
        #expect(
            summary(reported) == [
                "2026-01-05T03:00:01Z backup[412] ssh.connect.refused web2",
                "2026-01-05T03:00:09Z backup[411] ssh.kex.closed 192.0.2.1",
            ])
    }

    @Test(
        "a service's answer before git's message is an answer after the login; another line is not",
        arguments: [
            ("Unauthorized", SSHError.Code.commandExitNonzero), ("remote: Internal API unreachable", .commandExitNonzero),
            ("FATAL: unknown git/gitolite command: x", .commandExitNonzero), ("a line of the build", .connectFailed),
        ]) func serviceAnswers(_ line: String, _ code: SSHError.Code)
    {
        #expect(failures("\(line)\nfatal: Could not read from remote repository.\n").map(\.error.code) == [code])
    }

    @Test("a syslog time that would be in the future is taken from last year") func year() {
        let reported = failures("Dec 31 23:59:59 box a[1]: ssh: connect to host web2 port 22: Connection refused")
        #expect(reported.map { $0.time?.description } == ["2025-12-31T22:59:59Z"])
    }

    @Test("GitHub Actions: times, groups, the status of the step") func gitHub() {
        let reported = failures(
            """
            \u{feff}2026-01-05T09:00:00.0000000Z ##[group]Run ssh deploy@web1 ./restart
            2026-01-05T09:00:00.0000001Z ##[endgroup]
            2026-01-05T09:00:01.1234567Z deploy@web1: Permission denied (publickey,password).
            2026-01-05T09:00:01.2345678Z ##[error]Process completed with exit code 255.
            build\tDeploy\t2026-01-05T10:00:01.2Z Host key verification failed.
            """)
        #expect(
            summary(reported) == [
                "2026-01-05T09:00:01Z  ssh.auth.key-rejected web1", "2026-01-05T10:00:01Z build/Deploy ssh.host-key.unknown ",
            ])
    }

    @Test("GitLab: sections, colours, streams") func gitLab() {
        let reported = failures(
            "section_start:1767603600:step_script\r\u{1b}[0K\u{1b}[0K\u{1b}[36;1mExecuting \"step_script\"\u{1b}[0;m\n"
                + "2026-01-05T09:00:01.123456Z 01E \u{1b}[31mssh: Could not resolve hostname web9: Name or service not known\u{1b}[0m\n"
                + "\u{1b}[31;1mERROR: Job failed: exit code 255\u{1b}[0;m\n")
        #expect(summary(reported) == ["2026-01-05T09:00:01Z  ssh.resolve.host-not-found web9"])
    }

    @Test("the journal as JSON, with messages of several lines and of bytes") func journal() {
        let reported = failures(
            #"{"__REALTIME_TIMESTAMP":"1767603600123456","SYSLOG_IDENTIFIER":"backup","_PID":"7","MESSAGE":"Load key \"/k\": invalid format\na@web1: Permission denied (publickey)."}"#
                + "\n" + #"{"_PID":"8","_COMM":"x","MESSAGE":"nothing"}"# + "\n" + #"{"MESSAGE":null}"# + "\n"
                + #"{"log":"Host key verification failed.\n","stream":"stderr","time":"2026-01-05T09:00:02.5Z"}"#)
        #expect(
            summary(reported) == [
                "2026-01-05T09:00:00Z backup[7] ssh.key.format-invalid web1", "2026-01-05T09:00:02Z  ssh.host-key.unknown ",
            ])
        #expect(JournalEntry(#"{"MESSAGE":[104,195,169,300,-1,"x"]}"#)?.message == "hé")
    }

    @Test("kubectl: pods, with and without times") func pods() {
        let reported = failures(
            """
            [pod/sync-7f9/app] ssh: connect to host db1 port 22: Connection timed out
            [pod/sync-8aa/app] 2026-01-05T09:00:01.123456789Z ssh: connect to host db2 port 22: No route to host
            """)
        #expect(
            summary(reported) == [
                "- sync-7f9/app ssh.connect.timed-out db1", "2026-01-05T09:00:01Z sync-8aa/app ssh.connect.host-unreachable db2",
            ])
    }

    @Test("with -v, a run that lost its connection has one failure, and a successful run has none") func verbose() {
        let run = { (end: String) in
            """
            OpenSSH_9.2p1, OpenSSL 3.0.19
            debug1: Connecting to web1 [192.0.2.1] port 22.
            debug1: Connection established.
            debug1: SSH2_MSG_KEXINIT sent
            debug1: SSH2_MSG_NEWKEYS received
            Authenticated to web1 ([192.0.2.1]:22) using "publickey".
            debug1: Entering interactive session.
            debug1: Sending command: make
            \(end)

            """
        }
        let lost = run(
            "Connection to web1 closed by remote host.\nTransferred: sent 1, received 2 bytes, in 0.1 seconds\ndebug1: Exit status -1"
        )
        #expect(failures(lost + run("debug1: Exit status 0")).map(\.error.code) == [.sessionConnectionLost])
        let escaped = "debug2: PTY allocation request accepted on channel 0\ndebug2: channel 0: read failed\n"
        #expect(failures(run(escaped + "debug1: Exit status -1")).map(\.error.code) == [.localCancelled])
        #expect(
            failures(run(escaped + "debug2: channel 0: rcvd close\ndebug1: Exit status -1")).map(\.error.code)
                == [.commandOutcomeUnknown])
        #expect(failures(run("make: *** [all] Error 1\ndebug1: Exit status 2")).map(\.error.code) == [.commandExitNonzero])
    }

    @Test("a failure without an end has the time of its own last line") func ownTime() {
        let reported = failures(
            """
            Jan  5 04:00:01 box a[1]: Load key "/k": invalid format
            Jan  5 09:00:00 box b[2]: ssh: connect to host web2 port 22: Connection refused
            """)
        #expect(Set(reported.map { $0.time?.description }) == ["2026-01-05T03:00:01Z", "2026-01-05T08:00:00Z"])
    }

    @Test("a failure has the time of the line before its stack, even if that line says nothing about SSH") func timeBefore() {
        let reported = failures(
            """
            2026-01-05 03:00:01 INFO deploy begins
            2026-01-05 03:00:07 ERROR deploy ends
            java.net.UnknownHostException: web1
            \tat com.jcraft.jsch.Util.createSocket(Util.java:349)

            2026-01-05 03:00:09 INFO next
            2026-01-05 03:00:10 ssh: connect to host web2 port 22: Connection refused
            ssh: connect to host web3 port 22: Connection refused
            """)
        #expect(
            reported.map { "\($0.time?.description ?? "-") \($0.error.code)" } == [
                "2026-01-05T02:00:07Z ssh.resolve.host-not-found", "2026-01-05T02:00:10Z ssh.connect.refused",
                "2026-01-05T02:00:10Z ssh.connect.refused",
            ])
    }

    @Test("no time is too extreme", arguments: ["1e300", "nan", "inf", "-5", "99999999999999999999999999"])
    func wildTimes(_ time: String) {
        let reported = failures(
            #"{"__REALTIME_TIMESTAMP":"\#(time)","MESSAGE":"ssh: connect to host web2 port 22: Connection refused"}"#)
        #expect(reported.count == 1 && reported.first?.time?.description.isEmpty == false)
    }

    @Test("if there are more processes than can be followed, no logged message is lost") func many() {
        var text = ""
        for number in 0..<200 { text += "Jan  5 04:00:01 box a[\(number)]: Load key \"/k\(number)\": invalid format\n" }
        #expect(failures(text).count == 200)
    }

    @Test(
        "the report does not depend on how a log is split into pieces", arguments: RecordedTranscript.all.filter { $0.exit != 0 }
    )
    func pieces(_ transcript: RecordedTranscript) {
        var log = SSHTranscriptLog()
        var reported: [SSHError.Code] = []
        for line in transcript.text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = String(line)
            line.withUTF8 { log.take($0) { reported.append($0.error.code) } }
        }
        log.finish { reported.append($0.error.code) }
        #expect(reported == failures(transcript.text).map(\.error.code))
    }

    @Test(
        "times as a person writes them",
        arguments: [
            ("2026-01-05", "2026-01-04T23:00:00Z"), ("2026-01-05 09:00", "2026-01-05T08:00:00Z"),
            ("2026-01-05T09:00:01Z", "2026-01-05T09:00:01Z"), ("2026-01-05T09:00:01+02:00", "2026-01-05T07:00:01Z"),
            ("today", "2026-05-31T23:00:00Z"), ("yesterday", "2026-05-30T23:00:00Z"), ("2h", "2026-05-31T22:00:00Z"),
            ("90m", "2026-05-31T22:30:00Z"), ("1d", "2026-05-31T00:00:00Z"),
        ])
    func moments(_ text: String, _ expected: String) {
        #expect(Self.clock.moment(text)?.description == expected)
    }

    @Test(
        "other words are not times",
        arguments: ["", "m", "2x", "-1h", "2026", "2026-13-01", "2026-01-05 9:00", "2026-01-05x", "tomorrow"])
    func noMoments(_ text: String) { #expect(Self.clock.moment(text) == nil) }

    @Test(
        "calendar days",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (4_102_444_799, "2099-12-31T23:59:59Z"),
        ])
    func calendar(_ seconds: Double, _ text: String) {
        #expect(LogTime(seconds: seconds).description == text)
        #expect(LogTimeParser.time(of: text[...], Self.clock)?.time.seconds == seconds)
    }
}
