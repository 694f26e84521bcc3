extension Corpus {
    /// Each shell's own messages for the same failures.
    static let shells: [Entry] = common + particular + translatedShells

    /// Every shell has another message for the same cause.
    private static let common: [Entry] = Shell.all.flatMap { shell in
        // fish also reports which directory does not exist.
        let deep = shell.name == "fish"
        return [
            Entry("cat < /srv/nowhere/in.txt", .missing(deep ? "/srv/nowhere" : "/srv/nowhere/in.txt")),
            Entry("cat < \"two words.txt\"", .missing("two words.txt")),
            Entry("echo hi > /srv/nowhere/out.txt", .missing(deep ? "/srv/nowhere" : "/srv/nowhere/out.txt")),
            Entry("echo hi > /srv/shared/out.txt", .denied("/srv/shared/out.txt")),
            Entry("sort < /srv/shared/secret.key", .denied("/srv/shared/secret.key")),
            Entry("echo hi > /srv/frozen/out.txt", .readOnly("/srv/frozen/out.txt")),
            Entry("echo hi > /srv/shared", .isDirectory("/srv/shared")),
            Entry("echo hi > /srv/shared/config.ini/x", below(shell)),
            Entry("frobnicate --all", .nothing),
            Entry("/srv/shared/orphan", .nothing),
            Entry("if if if (", .nothing),
            Entry("false", .nothing),
            Entry("exit 3", .nothing),
            Entry("echo 'error: Permission denied' >&2", .nothing),
            Entry("cat /srv/nowhere/x; true", .nothing),
        ].map { $0.under(shell) }
    }

    /// Writing to a path below a file. Some shells report it as a missing directory.
    private static func below(_ shell: Shell) -> Expectation {
        switch shell.name {
        case "dash", "ash": .missing("/srv/shared/config.ini/x")
        case "fish": .notDirectory("/srv/shared/config.ini")
        default: .notDirectory("/srv/shared/config.ini/x")
        }
    }

    private static let changing: [Entry] = Shell.all.filter { $0.name != "dash" && $0.name != "ash" }.flatMap { shell in
        [
            Entry("cd /srv/nowhere", .missing("/srv/nowhere")), Entry("cd /srv/locked", .denied("/srv/locked")),
            Entry("cd /srv/shared/config.ini", .notDirectory("/srv/shared/config.ini")),
        ].map { $0.under(shell) }
    }

    private static let particular: [Entry] =
        changing + [
            // dash and busybox do not give the reason of a failed cd.
            Entry("cd /srv/nowhere", .cannotOpen("/srv/nowhere")).under(.dash),
            Entry("cd /srv/locked && ls", .cannotOpen("/srv/locked")).under(.dash),
            Entry("cd /srv/nowhere", .missing("/srv/nowhere")).under(.ash),
            Entry("cd /srv/locked", .denied("/srv/locked")).under(.ash),
            Entry(". /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.bash),
            Entry(". /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.dash),
            Entry(". /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.mksh),
            Entry(". /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.ksh),
            Entry("source /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.fish),
            Entry("source /srv/nowhere/env.sh", .missing("/srv/nowhere/env.sh")).under(.tcsh),
            Entry("source /srv/locked/env.sh", .denied("/srv/locked/env.sh")).under(.bash),
            Entry(
                "./deploy.sh", .missing("/srv/nowhere/list"),
                given: "printf '#!/bin/sh\\nset -e\\ncat /srv/nowhere/list\\necho done\\n' > deploy.sh; chmod +x deploy.sh"),
            Entry(
                "./deploy.sh", .missing("/srv/nowhere/list"),
                given: "printf '#!/bin/bash\\nexec < /srv/nowhere/list\\n' > deploy.sh; chmod +x deploy.sh"),
            Entry("set -C; echo hi > old", .exists("old"), given: "touch old"),
            Entry("set -C; echo hi > old", .exists("old"), given: "touch old").under(.dash),
            Entry("set -C; echo hi > old", .exists("old"), given: "touch old").under(.zsh),
            Entry("set -C; echo hi > old", .exists("old"), given: "touch old").under(.mksh),
            Entry("echo hi > /srv/full/out", .full),
            Entry("echo hi > /srv/full/out.zsh", .full).under(.zsh),
            Entry("echo hi > /srv/full/out.fish", .full).under(.fish),
            Entry("echo hi > /srv/full/out.mksh", .full).under(.mksh),
            Entry("echo hi > /srv/full/out.ksh", .full).under(.ksh),
            Entry("echo hi > /dev/full", .full),
            Entry("echo hi > /dev/full", .full).under(.zsh),
            // dash and tcsh do not report the error.
            Entry("echo hi > /dev/full", .inputOutput("")).under(.dash),
            Entry("echo hi > /dev/full", .nothing).under(.tcsh),
            Entry("exec 3< /srv/nowhere/fd", .missing("/srv/nowhere/fd")),
            Entry("exec 3< /srv/nowhere/fd", .missing("/srv/nowhere/fd")).under(.dash),
            Entry("ls /srv/shared/*.txt", .missing("/srv/shared/*.txt")),
            Entry("ls /srv/shared/*.txt", .nothing).under(.zsh),
            Entry("ls /srv/shared/*.txt", .nothing).under(.fish),
            Entry("ls /srv/shared/*.txt", .nothing).under(.tcsh),
            Entry("set -u; echo $undefined", .nothing),
            Entry("set -u; echo $undefined", .nothing).under(.dash),
            Entry("readonly x=1; x=2", .nothing),
            Entry("kill -0 999999", .nothing),
            Entry("kill -9 1", .denied("")),
            Entry("ulimit -n 99999999", .denied("")),
            Entry("wait 999999", .nothing),
            Entry("sh -c 'kill -KILL $$'; exit $?", .nothing),
            Entry("/srv/shared/config.ini", .nothing),
            Entry("/srv/shared/config.ini", .nothing).under(.zsh),
            Entry("/srv/shared/config.ini", .nothing).under(.fish),
            Entry("/srv/shared/config.ini", .denied("/srv/shared/config.ini")).under(.tcsh),
            // Busybox's own programs.
            Entry("cat /srv/nowhere/x", .missing("/srv/nowhere/x")).under(.ash),
            Entry("busybox ls /srv/nowhere", .missing("/srv/nowhere")),
            Entry("busybox ls /srv/locked", .denied("/srv/locked")),
            Entry("busybox cp /srv/nowhere x", .missing("/srv/nowhere")),
            Entry("busybox rm /srv/shared/config.ini", .denied("/srv/shared/config.ini")),
            Entry("busybox mkdir /srv/nowhere/a", .missing("/srv/nowhere/a")),
            Entry("busybox mkdir /srv/shared", .exists("/srv/shared")),
            Entry("busybox touch /srv/frozen/new", .readOnly("/srv/frozen/new")),
            Entry("busybox tar xf /srv/nowhere/a.tar", .missing("/srv/nowhere/a.tar")),
            Entry("busybox grep x /srv/nowhere/log", .missing("/srv/nowhere/log")),
            Entry("busybox sed s/a/b/ /srv/nowhere/log", .missing("/srv/nowhere/log")),
            Entry("busybox mv a b", .missing("a")),
            Entry("busybox dd if=/dev/zero of=/srv/full/dd bs=1k count=99", .full),
            Entry("busybox wget -O /dev/null http://nowhere.invalid/", .nameUnknown("nowhere.invalid")),
            Entry("busybox wget -O /dev/null http://127.0.0.1:9/", .refused),
            Entry("busybox nc 127.0.0.1 9 < /dev/null", .refused),
            Entry("busybox find /srv/nowhere", .missing("/srv/nowhere")),
            Entry("busybox chown root /srv/shared/config.ini", .denied("/srv/shared/config.ini")),
            Entry("busybox ln -s a /srv/shared/link", .denied("/srv/shared/link")),
            Entry("busybox rmdir full", .exists("full"), given: "mkdir full; touch full/x"),
            Entry("busybox frobnicate", .nothing),
        ]

    private static let translatedShells: [Entry] =
        [
            Entry("cat < /srv/nowhere/in.txt", .missing("/srv/nowhere/in.txt")),
            Entry("echo hi > /srv/shared/out.txt", .denied("/srv/shared/out.txt")),
            Entry("cd /srv/nowhere/deep", .missing("/srv/nowhere/deep")),
            Entry("echo hi > /srv/frozen/out.txt", .readOnly("/srv/frozen/out.txt")),
            Entry("frobnicate --all", .nothing),
        ].speaking(Language.translated).flatMap { entry in [.bash, .zsh, .tcsh].map { entry.under($0) } }
        + [
            Entry("cat < /srv/nowhere/in.txt", .missing("/srv/nowhere")),
            Entry("echo hi > /srv/shared/out.txt", .denied("/srv/shared/out.txt")),
            Entry("cd /srv/nowhere/deep", .missing("/srv/nowhere/deep")),
            Entry("echo hi > /srv/frozen/out.txt", .readOnly("/srv/frozen/out.txt")),
            Entry("frobnicate --all", .nothing),
        ].speaking(Language.translated).map { $0.under(.fish) }
}
