/// The long part of `bridge-ssh copy --help`.
enum CopyHelp {
    static let discussion = """
        A remote place is written as [user@]host:path, user@[2001:db8::7]:path, sftp://[user@]host[:port]/path or scp://…; a \
        remote path that does not begin with / starts in the home directory. A name with a colon is local when it is written \
        ./a:b. Both sides may be remote: then the files go through this host. In a remote source *, ? and […] stand for the \
        names there that match; quote them for your own shell.

        Each file is written under a temporary name beside its target (.NAME.….bridge-partial), and gets its right name, in \
        place of an old file, in one step when all of it is there; a line says so where a server cannot do that in one step. \
        Where the directory does not let you replace a file that you may write to, the file is written in place, and a line says \
        so. /dev/stdout, a pipe and a device are written to and never replaced. A copy that fails or is cancelled removes its \
        partial file, unless --resume was given: then the next copy with --resume of the same, unchanged source goes on with it.

        With --recursive symbolic links are copied as links and never followed; links that lead out of a directory copied from \
        a server are left out. --checksum compares SHA-256 sums, on a server with sha256sum, shasum or openssl. What is left out \
        or could not be verified is named with the reason.

        A failure of one file lets the others be copied all the same; the last line counts what failed. A server's directory of \
        more than 250,000 entries, a name of more than 1,024 bytes, a path of more than 4,096, 256 levels, 1,000,000 entries in \
        all or 12 MiB of names that wait at once are refused, with the name of the directory.

        EXAMPLES
          bridge-ssh copy report.pdf deploy@web1:
          bridge-ssh copy -rp deploy@web1:/srv/app/config ./backup
          bridge-ssh copy web1:'log/*.txt' web2:/srv/logs/
          bridge-ssh copy --persist 10m app.conf web1:/etc/app/
          bridge-ssh copy --resume --checksum disk.img sftp://backup@store:2222//var/images/

        EXIT STATUS
          0      everything was copied
          1      a file could not be copied (missing, not permitted, no space, …), was left out, or could not be verified
          193    the host could not be reached
          194    something timed out
          195    the other side does not speak SSH or SFTP, or nothing that both understand
          196    the host key is unknown, changed or revoked
          197    the server refused who you are, or the agent failed
          198    the session was refused or lost, or the server has no SFTP
          199    wrong usage, or a key file that cannot be used
          130    interrupted (SIGINT); 129 by SIGHUP, 143 by SIGTERM
        """
}
