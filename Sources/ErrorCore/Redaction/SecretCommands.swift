/// Which words of a command are secrets.
struct SecretCommand: Sendable {
    var options: [String: SecretForm] = [:]
    /// Words that must precede the command's arguments, in this order: `docker login`.
    var subcommand: [String] = []
    /// A letter that must be among its short options: `htpasswd -b`.
    var flag: Character?
    /// A text that one of its words must contain.
    var marker: String?
    /// Options whose value is neither a secret nor an argument.
    var valued: [String] = []
    /// The positions of secret arguments, from 1; negative positions count from the end.
    var arguments: [Int] = []
    /// Whether all arguments from the first of these positions on are secret.
    var isRest = false
    var argumentForm = SecretForm.separate
    /// Whether short options may share one word, of which only the last takes a value: `curl -su me:X`.
    var isCombined = false
    /// Whether another command follows the value.
    var endsAtValue = false

    /// Whether the words after the command's name fit this entry.
    func fits(_ words: ArraySlice<String>) -> Bool {
        if let flag, !words.contains(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains(flag) }) { return false }
        if let marker, !words.contains(where: { $0.contains(marker) }) { return false }
        return begins(with: words)
    }

    /// Whether these words contain the subcommand's words in order.
    func begins(with words: ArraySlice<String>) -> Bool {
        var rest = subcommand[...]
        for word in words where ShellLine.plain(word) == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    /// - Parameters:
    ///   - argument: its position, from 1.
    ///   - left: the number of arguments after it.
    func isSecret(argument: Int, of left: Int) -> Bool {
        if isRest { return argument >= arguments.first ?? 1 }
        return arguments.contains(argument) || arguments.contains(-1 - left)
    }
}

/// The known commands; the options are from their manual pages.
enum SecretCommands {
    private static let table: [(names: String, command: SecretCommand)] = [
        ("sshpass", .init(options: ["-p": .either], endsAtValue: true)),
        ("plink pscp psftp putty", .init(options: ["-pw": .separate])),
        // Databases.
        (
            "mysql mysqldump mysqlimport mysqlcheck mysqlshow mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mysqlbinlog xtrabackup mariabackup",
            .init(options: ["-p": .glued])
        ),
        ("mysqladmin", .init(options: ["-p": .glued])),
        ("mysqladmin mariadb-admin", .init(subcommand: ["password"], arguments: [1])),
        ("redis-cli", .init(options: ["-a": .separate])),
        ("redis-cli", .init(options: ["'>": .glued, "\">": .glued], subcommand: ["SETUSER"])),
        ("redis-cli", .init(subcommand: ["AUTH"], arguments: [1], isRest: true)),
        ("redis-cli", .init(subcommand: ["auth"], arguments: [1], isRest: true)),
        ("redis-cli", .init(subcommand: ["requirepass"], arguments: [1])),
        ("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", .init(options: ["-p": .either])),
        ("cqlsh mycli hdbsql cypher-shell couchbase-cli", .init(options: ["-p": .either])),
        ("vsql", .init(options: ["-w": .either])),
        ("nzsql", .init(options: ["-pw": .separate])),
        ("sqlcmd bcp osql tsql", .init(options: ["-P": .either, "/P": .separate])),
        ("isql iusql", .init(arguments: [3])),
        ("etcdctl", .init(options: ["--user": .afterColon])),
        ("nodetool sas", .init(options: ["-pw": .separate])),
        ("jmxterm add-user.sh", .init(options: ["-p": .separate])),
        ("add-user.sh", .init(arguments: [2])),
        ("zkCli.sh zookeeper-shell", .init(subcommand: ["addauth"], arguments: [2], argumentForm: .afterColon)),
        (
            "sqlplus rman exp imp expdp impdp sqlldr",
            .init(
                options: ["userid=": .afterSlash, "USERID=": .afterSlash], valued: ["-C", "-R", "-m"], arguments: [1],
                argumentForm: .afterSlash)
        ),
        ("rman", .init(subcommand: ["target"], arguments: [1], argumentForm: .afterSlash)),
        ("rman", .init(subcommand: ["catalog"], arguments: [1], argumentForm: .afterSlash)),
        ("db2", .init(subcommand: ["using"], arguments: [1])),
        ("beeline", .init(options: ["-p": .separate])),
        ("influx", .init(options: ["-password": .separate, "-t": .separate])),
        ("rabbitmqctl", .init(subcommand: ["add_user"], arguments: [2])),
        ("rabbitmqctl", .init(subcommand: ["authenticate_user"], arguments: [2])),
        ("rabbitmqadmin fs_cli", .init(options: ["-p": .separate])),
        ("elasticsearch-users", .init(options: ["-p": .separate], subcommand: ["passwd"])),
        ("tabcmd", .init(options: ["-p": .separate], subcommand: ["login"])),
        ("mosquitto_pub mosquitto_sub mosquitto_rr", .init(options: ["-P": .separate])),
        ("mosquitto_passwd", .init(flag: "b", arguments: [3])),
        ("arangosh taos ysqlsh", .init(options: ["-p": .either])),
        // The web.
        (
            "curl",
            .init(
                options: [
                    "-u": .afterColon, "--user": .afterColon, "-U": .afterColon, "--proxy-user": .afterColon, "-b": .separate,
                    "--oauth2-bearer": .separate, "--pass": .separate, "--proxy-pass": .separate, "--tlspassword": .separate,
                    "-E": .afterColon, "--cert": .afterColon, "--aws-sigv4-key": .separate,
                ], isCombined: true)
        ),
        ("wget wget2", .init(options: ["-u": .afterColon, "--http-passwd": .separate])),
        ("http https httpie xh xhs", .init(options: ["-a": .afterColon, "--auth": .afterColon])),
        ("lftp", .init(options: ["-u": .afterComma])),
        ("curlftpfs", .init(options: ["user=": .afterColon])),
        ("yt-dlp youtube-dl nextcloudcmd hydra medusa", .init(options: ["-p": .either])),
        ("mega-login", .init(arguments: [2])),
        ("ncftp ncftpget ncftpput", .init(options: ["-p": .separate])),
        ("ab siege hey", .init(options: ["-A": .afterColon, "-P": .afterColon])),
        ("htpasswd", .init(flag: "b", arguments: [-1])),
        ("caddy", .init(subcommand: ["hash-password"], arguments: [1])),
        ("drush", .init(subcommand: ["upwd"], arguments: [2])),
        ("caddy", .init(options: ["-p": .separate, "--plaintext": .separate], subcommand: ["hash-password"])),
        // Directories and Windows.
        (
            "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop",
            .init(options: ["-w": .either])
        ),
        ("ldappasswd", .init(options: ["-w": .either, "-s": .either, "-a": .either])),
        (
            "smbclient rpcclient smbget smbcacls smbcquotas winexe wmic net samba-tool nmblookup smbtree",
            .init(options: ["-U": .afterPercent, "--user": .afterPercent])
        ),
        ("smbclient", .init(arguments: [2])),
        ("samba-tool", .init(subcommand: ["user", "create"], arguments: [2])),
        ("samba-tool", .init(subcommand: ["user", "add"], arguments: [2])),
        ("net", .init(subcommand: ["user"], arguments: [2])),
        ("net", .init(subcommand: ["rpc", "password"], arguments: [2])),
        // With and without the letter of a drive.
        ("net", .init(subcommand: ["use"], marker: "/user", arguments: [2])),
        ("net", .init(subcommand: ["use"], arguments: [3])),
        ("cmdkey", .init(options: ["/pass:": .glued])),
        (
            "psexec.py wmiexec.py smbexec.py atexec.py dcomexec.py secretsdump.py",
            .init(arguments: [1], argumentForm: .afterColon)
        ),
        ("dsconf dsctl", .init(options: ["-w": .either])),
        ("lpadmin", .init(options: ["-U": .afterPercent])),
        ("xfreerdp xfreerdp3 wlfreerdp freerdp", .init(options: ["/p:": .glued])),
        ("rdesktop", .init(options: ["-p": .either])),
        ("wbinfo", .init(options: ["-a": .afterPercent, "--authenticate": .afterPercent])),
        ("winrs", .init(options: ["-p:": .glued])),
        ("psexec psexec64 PsExec PsExec64 psexec.exe psexec64.exe", .init(options: ["-p": .either])),
        ("nsupdate dig delv", .init(options: ["-y": .afterColon])),
        ("schtasks", .init(options: ["/rp": .separate, "/RP": .separate])),
        ("ConvertTo-SecureString", .init(arguments: [1])),
        ("smbpasswd", .init(options: ["-w": .separate])),
        ("kadmin kadmin.local", .init(options: ["-w": .separate])),
        // The commands inside of `kadmin -q "…"`, and of lftp.
        ("kadmin kadmin.local addprinc add_principal ank cpw change_password", .init(options: ["-pw": .separate])),
        ("open", .init(options: ["-u": .afterComma])),
        (
            "ipa-client-install ipa-server-install ipa-replica-install",
            .init(options: ["-w": .either, "-p": .either, "-a": .either])
        ),
        ("crackmapexec nxc netexec smbmap evil-winrm", .init(options: ["-p": .separate])),
        // Accounts.
        ("useradd usermod groupadd groupmod", .init(options: ["-p": .either])),
        ("slappasswd", .init(options: ["-s": .either])),
        ("doveadm", .init(options: ["-p": .separate], subcommand: ["pw"])),
        ("ejabberdctl prosodyctl", .init(subcommand: ["register"], arguments: [3])),
        ("pihole", .init(subcommand: ["-a", "-p"], arguments: [1])),
        ("mkpasswd", .init(valued: ["-m", "-S", "-R", "-P", "--method", "--salt", "--rounds"], arguments: [1])),
        ("openssl", .init(subcommand: ["passwd"], valued: ["-salt", "-in"], arguments: [1])),
        ("dscl", .init(subcommand: ["-passwd"], arguments: [2], isRest: true)),
        ("dsconfigad altool", .init(options: ["-p": .separate])),
        ("networksetup", .init(subcommand: ["-setairportnetwork"], arguments: [3])),
        ("security", .init(options: ["-p": .separate], subcommand: ["unlock-keychain"])),
        ("security", .init(options: ["-w": .separate, "-p": .separate], subcommand: ["add-generic-password"])),
        ("security", .init(options: ["-w": .separate], subcommand: ["add-internet-password"])),
        ("security", .init(options: ["-P": .separate], subcommand: ["import"])),
        // Containers, registries and clouds.
        (
            "docker podman nerdctl helm oras crane buildah skopeo ctr regctl oc cf az flux",
            .init(options: ["-p": .either], subcommand: ["login"])
        ),
        ("crane helm", .init(options: ["-p": .either], subcommand: ["auth"])),
        (
            "skopeo buildah podman crictl",
            .init(options: [
                "--creds": .afterColon, "--src-creds": .afterColon, "--dest-creds": .afterColon,
                "--src-registry-token": .separate, "--dest-registry-token": .separate,
            ])
        ),
        ("ctr nerdctl", .init(options: ["-u": .afterColon, "--user": .afterColon], subcommand: ["pull"])),
        ("az", .init(options: ["--value": .separate], subcommand: ["keyvault", "secret"])),
        ("aws", .init(options: ["--value": .separate], subcommand: ["ssm", "put-parameter"])),
        ("aws", .init(options: ["--secret-string": .separate], subcommand: ["secretsmanager"])),
        ("gcloud", .init(subcommand: ["activate-refresh-token"], arguments: [2])),
        ("doctl", .init(options: ["-t": .separate])),
        ("kubectl oc", .init(options: ["--from-literal": .afterEquals], subcommand: ["create", "secret"])),
        ("kubectl oc", .init(options: ["-p": .separate, "--patch": .separate], subcommand: ["patch", "secret"])),
        ("heroku", .init(subcommand: ["config:set"], arguments: [1], isRest: true, argumentForm: .afterEquals)),
        ("fly flyctl", .init(options: ["-t": .separate])),
        ("fly flyctl", .init(subcommand: ["secrets", "set"], arguments: [1], isRest: true, argumentForm: .afterEquals)),
        ("wrangler", .init(options: ["--text": .separate], subcommand: ["secret"])),
        ("gh", .init(options: ["-b": .either, "--body": .separate], subcommand: ["secret", "set"])),
        ("glab", .init(options: ["-t": .separate], subcommand: ["auth", "login"])),
        ("glab", .init(subcommand: ["variable", "set"], arguments: [2])),
        ("gitlab-runner", .init(options: ["-r": .separate], subcommand: ["register"])),
        ("travis", .init(subcommand: ["encrypt"], arguments: [1], isRest: true, argumentForm: .afterEquals)),
        ("sonar-scanner mvn gradle", .init(options: ["-Dsonar.login=": .glued])),
        ("mc mcli", .init(subcommand: ["alias", "set"], arguments: [3, 4])),
        ("mc mcli", .init(subcommand: ["config", "host", "add"], arguments: [3, 4])),
        ("swift", .init(options: ["-K": .separate])),
        ("rclone", .init(subcommand: ["obscure"], arguments: [1])),
        ("rclone", .init(subcommand: ["config", "create", "pass"], arguments: [1])),
        ("rclone", .init(subcommand: ["config", "update", "pass"], arguments: [1])),
        ("rclone", .init(subcommand: ["config", "password", "pass"], arguments: [1])),
        ("cloudflared", .init(subcommand: ["service", "install"], arguments: [1])),
        ("drone", .init(options: ["--data": .separate], subcommand: ["secret"])),
        ("occ", .init(options: ["--value": .separate], marker: "passw")),
        ("cargo", .init(subcommand: ["login"], arguments: [1])),
        ("pulumi", .init(subcommand: ["config", "set"], marker: "--secret", arguments: [2])),
        ("doppler", .init(subcommand: ["secrets", "set"], arguments: [1], isRest: true, argumentForm: .afterEquals)),
        ("nuget dotnet", .init(options: ["-k": .separate], subcommand: ["nuget", "push"])),
        ("nuget", .init(subcommand: ["setapikey"], arguments: [1])),
        ("choco", .init(options: ["-k": .either], subcommand: ["apikey"])),
        ("snyk", .init(subcommand: ["auth"], arguments: [1])),
        ("bundle", .init(subcommand: ["config"], arguments: [1], isRest: true, argumentForm: .afterColon)),
        ("twine", .init(options: ["-p": .either], subcommand: ["upload"])),
        ("npm yarn pnpm", .init(options: ["--otp": .separate])),
        ("npm yarn pnpm", .init(subcommand: ["config", "set"], marker: "_auth", arguments: [2])),
        // Vaults.
        ("ansible-vault", .init(subcommand: ["encrypt_string"], arguments: [1])),
        ("vault bao", .init(subcommand: ["login"], arguments: [1])),
        ("vault bao", .init(subcommand: ["unwrap"], arguments: [1])),
        ("vault bao", .init(subcommand: ["unseal"], arguments: [1])),
        ("vault bao", .init(subcommand: ["kv", "put"], arguments: [2], isRest: true, argumentForm: .afterEquals)),
        ("vault bao", .init(subcommand: ["kv", "patch"], arguments: [2], isRest: true, argumentForm: .afterEquals)),
        ("vault bao", .init(subcommand: ["write"], arguments: [2], isRest: true, argumentForm: .afterEquals)),
        ("vault bao", .init(subcommand: ["token", "revoke"], arguments: [1])),
        ("vault bao", .init(options: ["-id": .separate], subcommand: ["token", "create"])),
        ("consul nomad", .init(options: ["-token": .separate, "-http-auth": .afterColon])),
        ("consul", .init(subcommand: ["acl", "bootstrap"], arguments: [1])),
        ("bw", .init(subcommand: ["unlock"], arguments: [1])),
        ("bw", .init(subcommand: ["login"], arguments: [2])),
        // Machines.
        ("ipmitool", .init(options: ["-P": .either])),
        ("ipmipower ipmi-power ipmiconsole bmc-info ipmi-sensors ipmi-sel", .init(options: ["-p": .separate])),
        ("ipmitool", .init(subcommand: ["user", "set", "password"], arguments: [2])),
        ("racadm esxcli ilorest", .init(options: ["-p": .separate])),
        ("dsmadmc", .init(options: ["-pa=": .glued])),
        ("knife", .init(options: ["-P": .either])),
        ("uci", .init(subcommand: ["set"], marker: ".key=", arguments: [1], argumentForm: .afterEquals)),
        ("p4", .init(options: ["-P": .separate])),
        ("snmp-server", .init(subcommand: ["community"], arguments: [1])),
        ("tacacs-server radius-server", .init(subcommand: ["key"], arguments: [1])),
        ("crypto", .init(subcommand: ["isakmp", "key"], arguments: [1])),
        ("iw", .init(subcommand: ["key"], arguments: [1], argumentForm: .afterColon)),
        (
            "pcs fence_ipmilan fence_apc fence_ilo fence_idrac fence_drac5 fence_vmware_soap fence_vmware_rest fence_wti",
            .init(options: ["-p": .separate])
        ),
        ("racadm", .init(subcommand: ["set"], arguments: [2])),
        ("xe", .init(options: ["-pw": .separate])),
        ("virsh", .init(options: ["--base64": .separate], subcommand: ["secret-set-value"])),
        ("virsh", .init(subcommand: ["secret-set-value"], arguments: [2])),
        ("govc", .init(options: ["-l": .afterColon])),
        ("multipass", .init(subcommand: ["authenticate"], arguments: [1])),
        ("sedutil-cli", .init(options: ["--initialsetup": .separate, "--revertTPer": .separate, "--PSIDrevert": .separate])),
        ("ip", .init(subcommand: ["xfrm", "enc"], arguments: [2])),
        ("ip", .init(subcommand: ["xfrm", "auth"], arguments: [2])),
        ("ip", .init(subcommand: ["xfrm", "aead"], arguments: [2])),
        ("check_http check_curl", .init(options: ["-a": .afterColon, "-b": .afterColon])),
        ("check_mysql check_mysql_query check_pgsql", .init(options: ["-p": .separate])),
        ("check_ldap", .init(options: ["-P": .separate])),
        ("check_snmp", .init(options: ["-C": .separate, "-A": .separate, "-X": .separate])),
        (
            "snmpwalk snmpget snmpset snmpbulkwalk snmpgetnext snmptrap snmptable snmpusm snmpinform",
            .init(options: ["-A": .separate, "-X": .separate, "-c": .either])
        ),
        ("wpa_passphrase", .init(arguments: [2])),
        ("nmcli", .init(subcommand: ["password"], arguments: [1])),
        ("nmcli", .init(subcommand: ["wifi-sec.psk"], arguments: [1])),
        ("nmcli", .init(subcommand: ["802-11-wireless-security.psk"], arguments: [1])),
        ("iwconfig", .init(subcommand: ["key"], arguments: [1])),
        ("pro ubuntu-advantage ua", .init(subcommand: ["attach"], arguments: [1])),
        ("radtest", .init(arguments: [2, 5])),
        ("wg", .init(subcommand: ["preshared-key"], arguments: [1])),
        ("virt-customize virt-sysprep", .init(options: ["--root-password": .afterColon, "--password": .afterColon])),
        // Keys and archives.
        (
            "keytool jarsigner",
            .init(options: [
                "-storepass": .separate, "-keypass": .separate, "-srcstorepass": .separate, "-deststorepass": .separate,
                "-srckeypass": .separate, "-destkeypass": .separate, "-new": .separate,
            ])
        ),
        ("apksigner", .init(options: ["--ks-pass": .afterColon, "--key-pass": .afterColon])),
        ("signtool", .init(options: ["/p": .separate])),
        ("certutil pk12util modutil", .init(options: ["-W": .separate, "-K": .separate])),
        (
            "openssl",
            .init(options: [
                "-passin": .afterColon, "-passout": .afterColon, "-pass": .afterColon, "-k": .separate, "-K": .separate,
                "-psk": .separate,
            ])
        ),
        ("openssl", .init(options: ["-hmac": .separate], subcommand: ["dgst"])),
        ("gpg gpg2", .init(options: ["--passphrase": .separate])),
        ("gpg-preset-passphrase", .init(options: ["-P": .separate])),
        ("pkcs11-tool tpm2_create tpm2_unseal tpm2_load tpm2_sign", .init(options: ["-p": .separate])),
        ("tpm2_changeauth", .init(options: ["-p": .separate], valued: ["-c"], arguments: [1])),
        ("ykman yubico-piv-tool", .init(options: ["-P": .separate, "-n": .separate, "-N": .separate])),
        ("osslsigncode", .init(options: ["-pass": .separate])),
        ("eyaml", .init(options: ["-s": .separate])),
        ("ssh-keygen", .init(options: ["-N": .separate, "-P": .separate])),
        ("zip unzip zipcloak", .init(options: ["-P": .either])),
        ("7z 7za 7zr 7zz", .init(options: ["-p": .glued])),
        ("rar unrar", .init(options: ["-p": .glued, "-hp": .glued])),
        ("pdftk", .init(subcommand: ["user_pw"], arguments: [1])),
        ("pdftk", .init(subcommand: ["owner_pw"], arguments: [1])),
        ("pdftk", .init(subcommand: ["input_pw"], arguments: [1])),
        ("qpdf", .init(subcommand: ["--encrypt"], arguments: [1, 2])),
        ("steghide", .init(options: ["-p": .separate])),
        ("veracrypt", .init(options: ["-p": .separate])),
        // Mail and others.
        ("swaks", .init(options: ["-ap": .separate, "--auth-password": .separate])),
        ("postconf", .init(marker: "_password_maps=static:", arguments: [1], isRest: true, argumentForm: .afterColon)),
        ("sendemail sendEmail", .init(options: ["-xp": .separate])),
        ("jenkins-cli", .init(options: ["-auth": .afterColon])),
        ("java", .init(options: ["-auth": .afterColon])),
        // These commands have no secret in their arguments, but they read one.
        (
            "sudo su passwd chpasswd smbpasswd cryptsetup kinit doas zfs encfs realm secret-tool pass ftp saslpasswd2 kubeseal keepassxc-cli systemd-creds ecryptfs-add-passphrase "
                + "ssh-add pdbedit asadmin systemd-ask-password grub-mkpasswd-pbkdf2 logstash-keystore elasticsearch-keystore "
                + "kibana-keystore elasticsearch-reset-password hcloud adduser clevis openconnect lpass kwallet-query "
                + "mysql_config_editor",
            .init()
        ),
    ]

    private static let commands: [String: [SecretCommand]] = {
        var commands: [String: [SecretCommand]] = [:]
        for (names, command) in table {
            for name in names.split(separator: " ") { commands[String(name), default: []].append(command) }
        }
        return commands
    }()

    private static let commonWords: Set<String> = [
        "open", "ank", "cpw", "pro", "ua", "ip", "dig", "mvn", "iw", "crypto", "occ", "pcs", "sas",
    ]

    /// For a quick test: nearly all texts contain none of these names. Names that are parts of common words have a word more.
    static let names = PatternSet(
        commands.keys.filter { !commonWords.contains($0) } + [
            "--password-stdin", "--token-stdin", "--with-token", "--password <<<", "op signin", "pro attach", "ua attach",
            "xfrm ", "dig -y", "sonar.login", "iw dev", "crypto isakmp", "pcs ", "occ config", "sas -",
        ] + LiteralSource.hints + SecretSettings.hints + SecretFiles.hints + producers.map { "<(\($0)" }, ignoresCase: false)

    static func all(named name: String) -> [SecretCommand] { commands[name] ?? [] }

    /// The number of words that are inspected after a command's name.
    static let reach = 64

    /// Commands that print their arguments, for another command to read.
    static let producers: Set<String> = ["echo", "printf", "print", "yes"]

    /// Commands that read a secret if one of these words is among their arguments; an empty list means always.
    private static let readers: [String: [String]] = [
        "sudo": ["-S", "--stdin", "-kS", "-Sk", "-SE", "-ES", "-nS", "-Sv", "-vS", "-Sp", "-Si", "-Su"], "su": [], "passwd": [],
        "chpasswd": [],
        "chgpasswd": [], "smbpasswd": [], "pdbedit": ["-t", "-a"], "ipa": ["--password", "passwd"], "op": ["signin"],
        "asadmin": ["login"], "systemd-ask-password": [], "grub-mkpasswd-pbkdf2": [], "cryptsetup": [], "kinit": [],
        "zfs": ["load-key", "create"],
        "gpg": ["--passphrase-fd"], "gpg2": ["--passphrase-fd"], "gpg-preset-passphrase": [], "encfs": ["--stdinpass", "-S"],
        "openssl": ["stdin", "-stdin"], "htpasswd": ["-i"], "realm": ["join"], "net": ["join"], "adcli": ["join"],
        "secret-tool": ["store"], "pass": ["insert"], "docker": ["secret", "unlock"], "podman": ["secret"], "gh": ["secret"],
        "systemd-creds": ["encrypt"], "ecryptfs-add-passphrase": [], "vault": ["-", "login", "unseal"],
        "bao": ["-", "login", "unseal"], "mosquitto_passwd": [],
        "mkpasswd": ["-s", "--stdin"], "kadmin": [], "kadmin.local": [], "npm": ["login"], "heroku": ["login"],
        "saslpasswd2": ["-p"], "ftp": [], "curl": ["-K", "-K-", "--config"], "p4": ["login"], "kubeseal": ["--raw"],
        "keepassxc-cli": [], "sshpass": [], "ssh-add": [], "doas": [], "wrangler": ["secret"], "htdigest": [],
        "vncpasswd": ["-f"], "logstash-keystore": ["add"], "elasticsearch-keystore": ["add"], "kibana-keystore": ["add"],
        "elasticsearch-reset-password": [], "hcloud": ["context"],
        "adduser": [], "clevis": ["bind"], "kubectl": ["secret"], "oc": ["secret"], "wg": ["pubkey", "set"], "lpass": ["login"],
        "kwallet-query": ["-w"], "mysql_config_editor": ["--password"], "sqlplus": ["/nolog"],
    ]
    private static let readingOptions: Set<String> = [
        "--password-stdin", "--token-stdin", "--with-token", "--pass-stdin", "--passphrase-fd", "--key-file=-", "--stdin",
        "--password-file=-", "--token-file=-", "password_stdin", "--passwd-on-stdin",
    ]

    /// Whether the command reads a secret from standard input.
    static func readsSecret(_ words: [String]) -> Bool {
        if LiteralSource.isRead(words) { return true }
        let words = words.map(ShellLine.plain)
        if words.contains(where: readingOptions.contains) { return true }
        return words.indices.contains { index in
            guard let wanted = readers[ShellLine.name(words[index])] else { return false }
            return wanted.isEmpty
                || words[(index + 1)...].prefix(reach).contains { word in
                    wanted.contains { $0 == word || word.hasSuffix(":\($0)") }
                }
        }
    }
}
