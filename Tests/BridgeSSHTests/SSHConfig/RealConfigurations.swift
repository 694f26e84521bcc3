/// Configurations of the shapes that people's own have.
enum RealConfigurations {
    static let all = [personal, jumpHosts, cloud, catchAllFirst, finalBlock, tokens, hardened, legacy, mac, crlf]

    static let personal = """
        # personal
        Host github.com gitlab.com
            User git
            IdentityFile ~/.ssh/id_git
            IdentitiesOnly yes
            PreferredAuthentications publickey

        Host web? db?.prod.example.com
            User deploy
            Port 2222
            ForwardAgent no

        Host *
            AddKeysToAgent yes
            ServerAliveInterval 60
            ServerAliveCountMax 5
            HashKnownHosts yes
            SendEnv LANG LC_*
        """

    static let jumpHosts = """
        Host jump
            HostName bastion.example.com
            User ops
            ControlMaster auto
            ControlPath ~/.ssh/cm-%r@%h:%p
            ControlPersist 10m

        Host *.prod.example.com !jump
            ProxyJump ops@jump:22,inner
            UserKnownHostsFile ~/.ssh/known_hosts.prod ~/.ssh/known_hosts

        Host 192.168.*
            ProxyCommand ssh -W %h:%p jump # through the bastion
            StrictHostKeyChecking no
            UserKnownHostsFile /dev/null
            LogLevel ERROR
        """

    static let cloud = """
        Match originalhost web1,db* exec "test -d /tmp"
            IdentityFile ~/.ssh/cloud-%r
            CertificateFile ~/.ssh/cloud-%r-cert.pub
            User cloud
        Match host "*.example.com" !user root
            HostKeyAlias Example
        Match all
            ConnectTimeout 10
            ConnectionAttempts 3
        """

    static let catchAllFirst = """
        Host *
            User everyone
            IdentityFile ~/.ssh/first
        Host web1
            User never
            IdentityFile ~/.ssh/second
            Port 2022
        """

    static let finalBlock = """
        Host web1
            HostName WWW.%h.Example.COM
        Match final host *.example.com
            User late
            IdentityFile ~/.ssh/late
        Match final all
            Port 2200
            SendEnv LATE
        """

    static let tokens = """
        Host *
            IdentityAgent ${CONFIG_TEST_SOCKET}
            UserKnownHostsFile ~/.ssh/known/%k ~/.ssh/${CONFIG_TEST_NAME}/%h-%p-%r-%n-%u-%i-%l-%L-%C-%d-%%
            ControlPath ~/.ssh/%C
            RemoteCommand echo "%n %h %p" $HOME ${HOME}
            RequestTTY yes
            SetEnv GREETING="hello there" EMPTY=
        """

    static let hardened = """
        Host *
            Ciphers chacha20-poly1305@openssh.com,aes256-gcm@openssh.com
            MACs -*sha1*,umac-64*
            KexAlgorithms ^curve25519-sha256,diffie-hellman-group18-sha512
            HostKeyAlgorithms -*cert*
            PubkeyAcceptedAlgorithms ssh-ed25519,rsa-sha2-512
            VisualHostKey yes
            UpdateHostKeys ask
            PasswordAuthentication no
            ChallengeResponseAuthentication no
        """

    static let legacy = """
        Host web1
            KexAlgorithms +diffie-hellman-group1-sha1
            HostKeyAlgorithms +ssh-rsa,ssh-dss
            Ciphers +aes128-cbc,3des-cbc
            PubkeyAcceptedKeyTypes=+ssh-rsa
            Protocol 2
            RSAAuthentication yes
            Cipher blowfish
        """

    static let mac = """
        IgnoreUnknown UseKeychain,AddKeysToAgent
        Host *
          UseKeychain yes
          AddKeysToAgent yes
          IdentityFile "~/.ssh/my key"
        Host web1 db1.prod.example.com
          LocalForward 8080 localhost:80
          LocalForward 127.0.0.1:5432 db.internal:5432
          RemoteForward 9000 [::1]:9000
          DynamicForward 1080
          ExitOnForwardFailure yes
        """

    static let crlf = "Host web1\r\n\tUser\talice\r\n\tPort=2222\r\n\r\n# end\r\nHost *\r\n  Compression yes\r\n"
}
