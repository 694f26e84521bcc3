/// The registry of known clients. A new client is a file with a `TranscriptFormat`, and an entry here.
enum TranscriptRows {
    /// All clients. If two have the same words, the first reads a line.
    static let formats: [TranscriptFormat] =
        [
            TranscriptFormat("", WrapperFormat.repeated + LibraryFrames.steps + LibraryFrames.ends),
            TranscriptFormat("openssh", OpenSSHVerboseRows.rows), TranscriptFormat("ansible", AnsibleRows.rows),
            TranscriptFormat("sshd", DaemonFormat.rows), TranscriptFormat("guacd", GuacamoleFormat.rows),
        ] + MobileFormat.all + ToolFormat.all + GoFormat.all + DropbearFormat.all + PuTTYFormat.all + JavaFormat.all
        + PHPFormat.all + DotNetFormat.all + RubyFormat.all + NodeFormat.all + NativeFormat.all + PythonFormat.all
        + TerminalFormat.all + DesktopFormat.all + PerlFormat.all + PythonPrograms.all + DeviceFormat.all + ApplicationFormat.all
        + [
            TranscriptFormat("openssh", OpenSSHTools.rows)
        ] + CloudFormat.all + [
            TranscriptFormat("curl", CloudFormat.curl), TranscriptFormat("openssh", openSSH),
            TranscriptFormat("net::sftp::foreign", DesktopFormat.perlFiles),
            TranscriptFormat("paramiko", ParamikoRows.rows),
            TranscriptFormat("asyncssh", AsyncSSHRows.rows), TranscriptFormat("parallel-ssh", ParallelSSHRows.rows),
            TranscriptFormat("libssh", LibSSHTexts.rows + LibSSHRows.rows), TranscriptFormat("php-ssh2", LibSSHRows.php),
            TranscriptFormat("libssh2", LibSSHRows.libssh2), TranscriptFormat("", PythonRows.rows),
            TranscriptFormat("docker", GoPrograms.docker),
        ] + MonitoringFormat.all + BackupFormat.all + SourceControlFormat.all + CommercialFormat.all + TransferFormat.all + [
            TranscriptFormat("", MissingPrograms.rows)
        ] + WrapperFormat.all + [TranscriptFormat("", StatusFormat.rows)] + LibraryExceptions.all + LibraryFrames.all
        + [TranscriptFormat("ansible", AnsibleRows.unknown)]

    private static let openSSH =
        OpenSSHConnectionRows.rows + OpenSSHTrustRows.rows + OpenSSHLoginRows.rows + OpenSSHSessionRows.rows
        + OpenSSHLocalRows.rows

    /// The rows of OpenSSH's ssh.
    static let openSSHClient =
        TranscriptFormat("openssh", OpenSSHVerboseRows.rows).rows + TranscriptFormat("openssh", openSSH).rows

    /// The rows of all clients. The first row that matches reads a line.
    static let all: [TranscriptRow] = formats.flatMap(\.rows)
}
