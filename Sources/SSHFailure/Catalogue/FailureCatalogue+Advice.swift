extension FailureCatalogue {
    /// The remedy for a failure, and how it typically happens, independent of the evidence.
    package struct Advice: Sendable, Hashable {
        /// The next step.
        package let remedy: String
        /// A situation that leads to it.
        package let example: String

        init(_ remedy: String, _ example: String) {
            self.remedy = remedy
            self.example = example
        }
    }

    /// The advice on a code; nil for one that this version does not know.
    package static func advice(_ code: SSHError.Code) -> Advice? { adviceByCode[code] }

    private static let adviceByCode: [SSHError.Code: Advice] = reachAdvice.merging(accessAdvice) { first, _ in first }
        .merging(runAdvice) { first, _ in first }.merging(fileAdvice) { first, _ in first }

    private static let reachAdvice: [SSHError.Code: Advice] = [
        .resolveHostNotFound: Advice(
            "Check the spelling and the network or VPN; `getent hosts NAME` shows what this machine knows.",
            "web-1.invalid, or a name that only the office's name server knows"),
        .resolveTemporaryFailure: Advice(
            "Try again; check the network and /etc/resolv.conf.", "no network, a name server that is down"),
        .resolveFailed: Advice("Leave out -4 or -6; check /etc/nsswitch.conf.", "-6 for a host with only an IPv4 address"),
        .resolveHostNameInvalid: Advice("Correct the name; an IPv6 address with a port is written [::1]:22.", "-oProxy, a..b"),
        .connectRefused: Advice(
            "Check the port, and that sshd runs there: `ss -ltn` on the server.", "port 2222 where sshd is on 22"),
        .connectTimedOut: Advice("Check the address, the VPN and firewalls.", "a firewall that drops packets"),
        .connectHostUnreachable: Advice(
            "Check that the host is on and in a network that is reached from here.", "a host that is off"),
        .connectNetworkUnreachable: Advice(
            "Check this machine's own connection: `ip route`.", "an IPv6 address without IPv6 here"),
        .connectBlockedLocally: Advice(
            "Check this machine's firewall and sandbox: `nft list ruleset`.", "a container without network"),
        .connectLocalResources: Advice("Close connections or raise `ulimit -n`.", "a process with 1024 open files"),
        .connectProxyFailed: Advice("Run the proxy command by itself.", "ProxyCommand nc %h %p without nc"),
        .connectFailed: Advice("Look at each address's own reason.", "IPv6 unreachable, IPv4 refused"),
        .bannerTimedOut: Advice("Check the port; look whether the server hangs.", "a web server's port, a stopped sshd"),
        .bannerClosed: Advice("Try again; look at the server's log.", "hosts.deny, a load balancer without a server behind it"),
        .bannerServerBusy: Advice(
            "Wait and try again; MaxStartups in sshd_config sets the limit.", "a deployment to all hosts at once"),
        .bannerSourcePenalised: Advice(
            "Wait at least 15 seconds and do not keep trying; PerSourcePenalties sets it.", "five wrong passwords in a row"),
        .bannerNotSSH: Advice("Check the port: SSH is usually on 22.", "port 443, where HTTPS answers"),
        .bannerUnsupportedVersion: Advice("Update the server, or turn on version 2.", "SSH-1.5-Cisco-1.25"),
        .bannerLibraryLimit: Advice("Use libssh2 1.11 or later.", "a long text before the identification line"),
        .kexNoCommonKex: Advice(
            "Update the older side, or enable a common KexAlgorithms.", "a server with post-quantum methods only"),
        .kexNoCommonHostKeyAlgorithm: Advice("Give the server an Ed25519 or ECDSA host key.", "a server with only a DSA key"),
        .kexNoCommonCipher: Advice("Add aes256-ctr to Ciphers in sshd_config.", "a server with 3des-cbc only"),
        .kexNoCommonMAC: Advice("Add hmac-sha2-256 to MACs in sshd_config.", "a server with umac-64 only"),
        .kexNoCommonCompression: Advice("Set Compression to delayed or no in sshd_config.", "a server that insists on zlib"),
        .kexClosedEarly: Advice("Try again; look at the server's log.", "a rule that turns the address away after the greeting"),
        .kexClosed: Advice("Try again; look at the server's log.", "a firewall that inspects SSH"),
        .kexDisconnected: Advice("Take the server at its word.", "\"Too many connections\""),
        .kexTimedOut: Advice("Try again; check the MTU on the way.", "a VPN that drops large packets"),
        .kexHostKeySignatureInvalid: Advice("Do not log in; tell the server's administrator.", "somebody in the server's place"),
        .kexProtocolError: Advice("Try from another network.", "a device that changes the data"),
    ]

    private static let accessAdvice: [SSHError.Code: Advice] = [
        .hostKeyChanged: Advice(
            "Have the new fingerprint confirmed by the administrator, then `bridge-ssh trust --update HOST`.",
            "a server that was installed anew"),
        .hostKeyRevoked: Advice("Do not log in; ask for the new key.", "a @revoked line in known_hosts"),
        .hostKeyUnknown: Advice(
            "Compare the fingerprint with the server's own: `bridge-ssh trust HOST`.", "the first connection to a host"),
        .hostKeyOtherTypeKnown: Advice(
            "Compare the fingerprint, then add the new type: `bridge-ssh trust HOST`.", "RSA is known, the server shows Ed25519"),
        .hostKeyKnownHostsUnreadable: Advice("Check the path and its permissions.", "--known-hosts /missing"),
        .keyNotFound: Advice("Check the path given with --identity.", "-i ~/.ssh/id_ed2551"),
        .keyUnreadable: Advice("Check its owner and permissions: `ls -l`.", "a key of another user, a directory"),
        .keyIsPublicKey: Advice("Give the file without .pub.", "-i ~/.ssh/id_ed25519.pub"),
        .keyFormatUnsupported: Advice("Convert it, or make a new key: `ssh-keygen -t ed25519`.", "a PuTTY .ppk file"),
        .keyFormatInvalid: Advice("Restore it from a copy, or make a new key.", "a key whose last line was not copied"),
        .keyPassphraseRequired: Advice(
            "Run on a terminal, give --passphrase-file, or `ssh-add` it.", "an encrypted key in a cron job"),
        .keyPassphraseWrong: Advice("Check the passphrase: `ssh-keygen -y -f KEY`.", "a mistyped passphrase"),
        .keyCipherUnsupported: Advice(
            "Encrypt it anew: `ssh-keygen -p -Z aes256-ctr -a 16 -f KEY`.", "a PEM key with DES, more than 1,024 rounds of bcrypt"
        ),
        .keyTypeUnsupported: Advice("Use an Ed25519, ECDSA or RSA key.", "a DSA key"),
        .keyPublicKeyMismatch: Advice(
            "Write the right one: `ssh-keygen -y -f KEY > KEY.pub`.", "a .pub file left from another key"),
        .keyPermissionsTooOpen: Advice("`chmod 600 KEY`.", "a key of mode 0644"),
        .agentUnavailable: Advice("Start one: `eval \"$(ssh-agent)\" && ssh-add`.", "SSH_AUTH_SOCK of an agent that has ended"),
        .agentEmpty: Advice("Load a key: `ssh-add`.", "an agent just started, or locked"),
        .agentRefused: Advice("Unlock it (`ssh-add -X`), or confirm the key's use.", "ssh-add -c, and the person said no"),
        .authPasswordRejected: Advice("Check the user name and the password.", "a wrong password, or no such user"),
        .authKeyRejected: Advice(
            "Put the public key into authorized_keys: `ssh-copy-id`.", "a key that the server does not know"),
        .authKeyboardInteractiveRejected: Advice("Check the password and the one-time code.", "a code that is too old"),
        .authRSASHA1Rejected: Advice("Use an Ed25519 key, or libssh2 1.11.", "an RSA key with an old client at OpenSSH 8.8"),
        .authMethodNotOffered: Advice(
            "Give a credential of a kind that the server takes.", "a password where only keys are taken"),
        .authNoCredentials: Advice("Give --identity, an agent or --password-file.", "a fresh container without ~/.ssh"),
        .authMoreFactorsRequired: Advice("Give the other factor too.", "AuthenticationMethods publickey,password"),
        .authTooManyAttempts: Advice("Offer only the right key: --identity FILE --identities-only.", "an agent with eight keys"),
        .authAccountDenied: Advice("Ask the administrator: `chage -l USER`, /etc/nologin, PAM.", "an account that has expired"),
        .authPasswordExpired: Advice("Log in once on a terminal and change it.", "a password older than its maximum age"),
        .authInteractionRequired: Advice("Run in a terminal, or give --password-file.", "a one-time code asked for in a script"),
        .authTimedOut: Advice("Try again with a longer --connect-timeout.", "a slow directory service, LoginGraceTime"),
        .authConnectionDropped: Advice("Try again; look at the server's log.", "a server that restarts during a login"),
    ]

    private static let runAdvice: [SSHError.Code: Advice] = [
        .channelSessionLimit: Advice(
            "Wait for other commands; MaxSessions sets the limit.", "MaxSessions 10 and eleven commands"),
        .channelProhibited: Advice("Ask the administrator (AllowTcpForwarding, authorized_keys).", "a forwarding-only account"),
        .channelJumpTargetUnreachable: Advice(
            "Log in to the jump host and try from there.", "a jump host that cannot resolve the next"),
        .channelExecDenied: Advice("Use another account; some devices run no commands.", "a router's SSH server"),
        .channelPTYDenied: Advice("Run without --tty.", "no-pty in authorized_keys"),
        .channelSubsystemMissing: Advice("Add a Subsystem line to sshd_config.", "sftp where no sftp-server is configured"),
        .channelTimedOut: Advice("Look at the server's load and its login scripts.", "a PAM session module that hangs"),
        .sessionConnectionLost: Advice(
            "Look on the server whether the command ran before running it again.", "a reboot, a lost VPN"),
        .sessionKeepaliveTimedOut: Advice("Look on the server whether the command still runs.", "a laptop that slept"),
        .sessionDisconnected: Advice("Take the server at its word.", "a server that shuts down"),
        .sessionProtocolError: Advice("Look whether the command ran; try another network.", "faulty hardware on the way"),
        .commandExitNonzero: Advice("See its standard error, and `cause` in --json.", "grep without a match"),
        .commandNotFound: Advice("Install it, or give its full path.", "a program in ~/bin, which is not in the PATH"),
        .commandNotExecutable: Advice("`ls -l`, `file`, `chmod +x`.", "a script without its x bit"),
        .commandKilledBySignal: Advice("For KILL: `journalctl -k | grep -i oom` on the server.", "out of memory"),
        .commandTimedOut: Advice("Raise --timeout; look whether it still runs.", "--timeout 5 sleep 60"),
        .commandIdleTimedOut: Advice(
            "Raise --idle-timeout; look whether it still runs.", "a build that prints nothing for minutes"),
        .commandOutcomeUnknown: Advice("Look on the server before running it again.", "a network device that sends no status"),
        .commandLoginShellDenied: Advice("Use another account, or change its shell: `chsh`.", "/usr/sbin/nologin"),
        .commandOutputLimitExceeded: Advice("Raise --output-limit, or stream without --json.", "--json and cat of a disk image"),
        .localCancelled: Advice("Nothing, unless the command may have run: then look on the server.", "Ctrl-C"),
        .localUsage: Advice(
            "See `bridge-ssh run --help`, or that of the subcommand that was called.", "an option that does not exist"),
        .localOutputFailed: Advice(
            "Free space where the output goes, or send it elsewhere. The command has run.", "a full disk"),
        .localConfigInvalid: Advice("Correct the line, or run with --config none.", "a keyword without a value"),
        .localLibraryFailure: Advice("Report it with the output of --json.", "a defect, or no memory"),
    ]
}
