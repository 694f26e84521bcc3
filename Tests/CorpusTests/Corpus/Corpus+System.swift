extension Corpus {
    /// Programs that need another user's permissions, or a missing service.
    static let elevation: [Entry] = sudo.speaking() + sudoers + system + docker

    private static let sudo: [Entry] = [
        Entry("sudo -n true", .notAllowed("sudo")),
        Entry("sudo systemctl restart web", .notAllowed("sudo")),
    ]

    private static let sudoers: [Entry] = [
        Entry("sudo -n id", .nothing).by("keeper"),
        Entry("sudo -n cat /srv/locked/secret.txt", .notAllowed("sudo")).by("keeper"),
        Entry("sudo -n -u tester id", .nothing).by("keeper"),
        Entry("sudo -k -S true < /dev/null", .notAllowed("sudo")),
        Entry("echo wrong | sudo -S true", .notAllowed("sudo")),
        Entry("./deploy", .notAllowed("sudo"), given: "printf '#!/bin/sh\\nset -e\\nsudo -n id\\n' > deploy; chmod +x deploy"),
        Entry("sudo --frobnicate", .nothing),
        Entry("setpriv --no-new-privs sudo id", .notAllowed("sudo")),
        Entry("su -c id < /dev/null", .notAllowed("su")),
    ]

    private static let system: [Entry] = [
        Entry("apt-get update", .denied("/var/lib/apt/lists/lock")),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")).speaking(.german),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")).speaking(.french),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")).speaking(.spanish),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")).speaking(.japanese),
        Entry("apt-get install -y cowsay", .denied("/var/lib/dpkg/lock-frontend")).speaking(.simplifiedChinese),
        Entry("apt-get -s install no-such-package", .nothing),
        Entry("apt-cache show no-such-package", .nothing),
        Entry("apt-get frobnicate", .nothing),
        Entry(
            "apt-get update -o Dir::State::lists=lists -o Debug::NoLocking=1 -o Dir::Cache=cache -o APT::Update::Error-Mode=any",
            .refused, given: "mkdir -p lists/partial cache/archives/partial"),
        Entry("dpkg -i /srv/nowhere/a.deb", .notAllowed("dpkg")),
        Entry("dpkg -r bash", .notAllowed("dpkg")),
        Entry("dpkg -r bash", .notAllowed("dpkg")).speaking(.german),
        Entry("dpkg -L no-such-package", .nothing),
        Entry("dpkg-deb -I /srv/nowhere/a.deb", .missing("/srv/nowhere/a.deb")),
        Entry("systemctl restart web", .nothing),
        Entry("systemctl status web", .nothing),
        Entry("passwd -S root", .nothing),
        Entry("chsh -s /bin/zsh < /dev/null", .notAllowed("chsh")),
        Entry("/usr/sbin/useradd deploy", .denied("")),
        Entry("/usr/sbin/sysctl -w kernel.hostname=x", .denied("kernel.hostname")),
        Entry("/usr/sbin/ldconfig", .denied("/etc/ld.so.cache~")),
        Entry("ionice -c 1 true", .denied("")),
        Entry("renice -n -5 1", .denied("")),
        Entry("setpriv --reuid 0 id", .nothing),
        Entry("unshare -n true", .denied("")),
    ]

    private static let docker: [Entry] = [
        Entry("docker ps", .notConnected),
        Entry("docker run --rm alpine true", .notConnected),
        Entry("docker -H tcp://127.0.0.1:9 ps", .notConnected),
        Entry(
            "docker -H unix://$PWD/shut ps", .denied("/srv/desk/*"),
            given: "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"shut\")'; chmod 0 shut"),
        Entry("docker -H tcp://nowhere.invalid:2375 ps", .nameUnknown("nowhere.invalid")),
        Entry("docker -H ssh://nowhere.invalid ps", .ssh("name-unknown", "dnsError", "nowhere.invalid")),
        Entry("docker run --env-file /srv/nowhere/env alpine", .missing("/srv/nowhere/env")),
        Entry("docker frobnicate", .nothing),
        Entry("docker run", .nothing),
    ]
}
