/// The clients whose messages are known. A new one is a file with a `TranscriptFormat`, and its place here.
enum TranscriptRows {
    /// All of them; where two have the same words, the first reads a line.
    static let formats: [TranscriptFormat] =
        [
            TranscriptFormat("openssh", TranscriptVerbose.rows), TranscriptFormat("ansible", TranscriptAnsible.rows),
            TranscriptFormat("sshd", DaemonFormat.rows),
        ] + GoFormat.all + DropbearFormat.all + PuTTYFormat.all + JavaFormat.all + PHPFormat.all
        + DotNetFormat.all + RubyFormat.all + NodeFormat.all + NativeFormat.all + PythonFormat.all + TerminalFormat.all
        + [
            TranscriptFormat("openssh", OpenSSHTools.rows), TranscriptFormat("cloud", CloudFormat.rows),
            TranscriptFormat("curl", CloudFormat.curl),
            TranscriptFormat("openssh", openSSH), TranscriptFormat("paramiko", TranscriptParamiko.rows),
            TranscriptFormat("asyncssh", TranscriptAsyncSSH.rows), TranscriptFormat("parallel-ssh", TranscriptParallelSSH.rows),
            TranscriptFormat("libssh", TranscriptLibSSH.rows), TranscriptFormat("php-ssh2", TranscriptLibSSH.php),
            TranscriptFormat("libssh2", TranscriptLibSSH.libssh2), TranscriptFormat("", TranscriptPython.rows),
            TranscriptFormat("docker", GoFormat.docker),
        ] + WrapperFormat.all

    private static let openSSH =
        TranscriptReach.rows + TranscriptTrust.rows + TranscriptLogin.rows + TranscriptSession.rows + TranscriptLocal.rows

    /// The rows of all; the first that fits a line reads it.
    static let all: [TranscriptRow] = formats.flatMap(\.rows)
}
