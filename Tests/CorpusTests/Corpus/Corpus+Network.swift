extension Corpus {
    static let network: [Entry] = curl + wget + rsync + probes

    private static let curl: [Entry] = [
        Entry("curl http://nowhere.invalid/", .nameUnknown("nowhere.invalid")),
        Entry("curl -sS http://other.broken/x", .nameUnknown("other.broken")),
        Entry("curl -s http://nowhere.invalid/", .nameUnknown("")),
        Entry("curl -x proxy.invalid:3128 http://example.com/", .nameUnknown("proxy.invalid")),
        Entry("curl http://127.0.0.1:9/", .notConnected),
        Entry("curl -fsSL http://127.0.0.1:9/install.sh | sh -e; exit ${PIPESTATUS[0]}", .notConnected),
        Entry("curl -sS http://10.9.8.8/", .notConnected),
        Entry("curl -sS http://10.9.7.7/", .notConnected),
        Entry("curl -sS http://silent.example/", .unanswered),
        Entry("curl -sS -m 1 http://127.0.0.1:7003/", .unanswered),
        Entry("curl -sS --connect-timeout 1 http://10.9.9.9/", .unanswered),
        Entry("curl https://127.0.0.1:8443/", .tls),
        Entry("curl -sS --cacert /srv/nowhere/ca.pem https://127.0.0.1:8443/", .tls),
        Entry("curl -sS https://127.0.0.1:8080/", .tls),
        Entry("curl -sS https://127.0.0.1:7002/", .tls),
        Entry("curl -sS http://127.0.0.1:7001/", .reset),
        Entry("curl -sS http://127.0.0.1:7002/", .nothing),
        Entry("curl -sS -f http://127.0.0.1:8080/404", .nothing),
        Entry("curl -sS -f http://127.0.0.1:8080/503", .nothing),
        Entry("curl -sS nonsense://x/", .nothing),
        Entry("curl --frobnicate", .nothing),
        Entry("curl -sS file:///srv/nowhere/x", .cannotOpen("/srv/nowhere/x")),
        Entry("curl -sS -o /srv/nowhere/out http://127.0.0.1:8080/", .cannotWrite),
        Entry("curl -o /srv/nowhere/out http://127.0.0.1:8080/", .missing("/srv/nowhere/out")),
        Entry("curl -o /srv/shared/out http://127.0.0.1:8080/", .denied("/srv/shared/out")),
        Entry("curl -sS -o /srv/full/page http://127.0.0.1:8080/", .cannotWrite),
        Entry("curl -sS -T /srv/nowhere/up http://127.0.0.1:8080/", .cannotOpen("/srv/nowhere/up")),
        Entry("for i in 1 2; do curl -sS http://127.0.0.1:9/ || exit 1; done", .notConnected),
        Entry("curl -sS http://127.0.0.1:8080/ -o page && false", .nothing),
    ]

    private static let wget: [Entry] = [
        Entry("wget http://nowhere.invalid/", .nameUnknown("nowhere.invalid")),
        Entry("wget -nv http://nowhere.invalid/", .nameUnknown("nowhere.invalid")),
        Entry("wget -t 1 http://127.0.0.1:9/", .refused),
        Entry("wget -t 1 http://10.9.8.8/", .unreachable),
        Entry("wget -t 1 http://silent.example/", .unanswered),
        Entry("wget -t 1 -T 1 http://127.0.0.1:7003/", .unanswered),
        Entry("wget https://127.0.0.1:8443/", .tls),
        Entry("wget http://127.0.0.1:8080/404", .nothing),
        Entry("wget -t 1 -O /srv/shared/x http://127.0.0.1:8080/", .denied("/srv/shared/x")),
        Entry("wget -t 1 -P /srv/frozen http://127.0.0.1:8080/a", .readOnly("/srv/frozen/a")),
        Entry("wget -i /srv/nowhere/list", .nothing),
        Entry("wget http://nowhere.invalid/", .nameUnknown("nowhere.invalid")).speaking(.german),
        Entry("wget http://nowhere.invalid/", .nameUnknown("nowhere.invalid")).speaking(.french),
        Entry("wget http://nowhere.invalid/", .nameUnknown("nowhere.invalid")).speaking(.japanese),
        Entry("wget -t 1 http://127.0.0.1:9/", .refused).speaking(.spanish),
        Entry("wget -t 1 http://127.0.0.1:9/", .refused).speaking(.simplifiedChinese),
    ]

    private static let rsync: [Entry] = [
        Entry("rsync /srv/nowhere/a b", .missing("/srv/nowhere")),
        Entry("rsync a /srv/shared/", .denied("/srv/shared/.a.*"), given: "touch a"),
        Entry("rsync a /srv/frozen/a", .readOnly("/srv/frozen/.a.*"), given: "touch a"),
        Entry("rsync -r /srv/shared/ copy", .denied("/srv/shared/secret.key")),
        Entry("rsync a /srv/nowhere/b/c", .missing("/srv/nowhere/b*"), given: "touch a"),
        Entry("rsync noise /srv/full/", .full, given: "head -c 300k /dev/urandom > noise"),
        Entry("rsync x 127.0.0.1::y", .refused),
        Entry("rsync nowhere.invalid::y .", .nameUnknown("nowhere.invalid")),
        Entry("rsync --contimeout=1 silent.example::y .", .unanswered),
        Entry(
            "rsync -e 'ssh -p 9' a 127.0.0.1:/tmp/", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1"),
            given: "touch a"),
        Entry("rsync a nowhere.invalid:/tmp/", .ssh("name-unknown", "dnsError", "nowhere.invalid"), given: "touch a"),
        Entry("rsync --frobnicate", .nothing),
    ]

    private static let probes: [Entry] = [
        Entry("nc -v nowhere.invalid 80 < /dev/null", .nameUnknown("nowhere.invalid")),
        Entry("nc -v 127.0.0.1 9 < /dev/null", .refused),
        Entry("nc -vz 10.9.8.8 80", .unreachable),
        Entry("nc -vz silent.example 80", .unanswered),
        Entry("nc -z 127.0.0.1 9", .nothing),
        Entry("ping -c 1 nowhere.invalid", .nameUnknown("nowhere.invalid")),
        Entry("ping -c 1 other.broken", .nameUnknown("other.broken")),
        Entry("ping -c 1 10.9.7.7", .unreachable),
        Entry("ping -c 1 nowhere.invalid", .nameUnknown("nowhere.invalid")).speaking(.german),
        Entry("ping -c 1 nowhere.invalid", .nameUnknown("nowhere.invalid")).speaking(.japanese),
        Entry("bash -c 'echo > /dev/tcp/127.0.0.1/9'", .refused),
        Entry("echo > /dev/tcp/nowhere.invalid/80", .nameUnknown("nowhere.invalid")),
        Entry("echo > /dev/tcp/10.9.8.8/80", .unreachable),
        Entry("getent hosts nowhere.invalid", .nothing),
        Entry("openssl s_client -verify_return_error -connect 127.0.0.1:8443 < /dev/null", .tls),
        Entry("openssl s_client -connect 127.0.0.1:9", .refused),
        Entry("openssl x509 -in /etc/hosts", .nothing),
        Entry("openssl x509 -frobnicate", .nothing),
        Entry("openssl x509 -in /srv/nowhere/cert.pem", .missing("/srv/nowhere/cert.pem")),
    ]

    /// An ssh inside the command fails, and its output is a part of the command's output.
    static let nested: [Entry] = [
        Entry("ssh nowhere.invalid true", .ssh("name-unknown", "dnsError", "nowhere.invalid")),
        Entry("ssh -p 9 127.0.0.1 true", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1")),
        Entry("ssh 10.9.8.8 true", .ssh("connection-failed", "sshConnectionFailed", "10.9.8.8")),
        Entry("ssh silent.example true", .ssh("timed-out", "sshTimeout")),
        Entry("ssh -o ConnectTimeout=1 -p 7003 127.0.0.1 true", .ssh("timed-out", "sshTimeout")),
        Entry("ssh -p 7001 127.0.0.1 true", .ssh("connection-failed", "sshConnectionFailed")),
        Entry("ssh -p 7002 127.0.0.1 true", .ssh("connection-failed", "sshConnectionFailed")),
        Entry("ssh -p 2222 127.0.0.1 true", .ssh("host-key-rejected", "sshHostKeyMismatch")),
        Entry(
            "ssh -p 2222 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null 127.0.0.1 true",
            .ssh("authentication-failed", "sshAuthenticationFailed")),
        Entry(
            "ssh -p 2222 -o UserKnownHostsFile=known 127.0.0.1 true", .ssh("host-key-changed", "sshHostKeyMismatch"),
            given: changedKey),
        Entry("ssh -p 2222 -o Ciphers=3des-cbc 127.0.0.1 true", .ssh("no-common-algorithm", "sshConnectionFailed", "127.0.0.1")),
        Entry(
            "ssh-keygen -y -f loose", .ssh("key-invalid", "sshKeyInvalid"),
            given: "ssh-keygen -q -t ed25519 -N '' -f loose; chmod 644 loose"),
        Entry("scp -P 9 a 127.0.0.1:b", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1"), given: "touch a"),
        Entry("scp a nowhere.invalid:b", .ssh("name-unknown", "dnsError", "nowhere.invalid"), given: "touch a"),
        Entry("scp /srv/nowhere/a 127.0.0.1:b", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1")),
        Entry("sftp -P 2222 127.0.0.1", .ssh("host-key-rejected", "sshHostKeyMismatch")),
        Entry(
            "./deploy", .ssh("authentication-failed", "sshAuthenticationFailed"),
            given:
                "printf '#!/bin/sh\\nssh -p 2222 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null 127.0.0.1 true || exit 3\\n' > deploy; chmod +x deploy"
        ),
        Entry(
            "./deploy", .ssh("name-unknown", "dnsError", "web2.invalid"),
            given: "printf '#!/bin/sh\\nssh web2.invalid true || exit 3\\n' > deploy; chmod +x deploy"),
        Entry("ssh nowhere.invalid true", .ssh("name-unknown", "dnsError", "nowhere.invalid")).speaking(.german),
        Entry("ssh -p 9 127.0.0.1 true", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1")).speaking(.french),
        Entry("ssh silent.example true", .ssh("timed-out", "sshTimeout")).speaking(.german),
        Entry("ssh-keygen -y -f /srv/nowhere/key", .missing("/srv/nowhere/key")),
        Entry("ssh-keygen -q -N '' -f /srv/shared/key", .denied("/srv/shared/key")),
        Entry("ssh-add", .nothing),
        Entry("ssh -Q frobnicate", .nothing),
        Entry("ssh", .nothing),
    ]

    private static let changedKey =
        "ssh-keygen -q -t ed25519 -N '' -f other; echo \"[127.0.0.1]:2222 $(cut -d' ' -f1,2 other.pub)\" > known"
}
