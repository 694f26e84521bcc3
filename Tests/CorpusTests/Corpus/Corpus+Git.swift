extension Corpus {
    static let git: [Entry] =
        clones.speaking([.english, .german, .french, .spanish, .simplifiedChinese]) + moreClones + repositories

    private static let clones: [Entry] = [
        Entry("git clone http://nowhere.invalid/a.git", .clone("http://nowhere.invalid/a.git", "name-unknown")),
        Entry("git clone http://127.0.0.1:9/a.git", .clone("http://127.0.0.1:9/a.git", "connection-failed")),
        Entry("git clone /srv/nowhere/a.git", .clone("/srv/nowhere/a.git", "file-not-found")),
        Entry("git clone /srv/nowhere/a.git /srv/shared/a", .clone("/srv/nowhere/a.git", "file-not-found")),
        Entry(
            "git clone source.git /srv/shared/a", .clone("source.git", "permission-denied"),
            given: "git init -q --bare source.git"),
        Entry(
            "git clone source.git full", .clone("source.git", "file-exists"),
            given: "git init -q --bare source.git; mkdir full; touch full/x"),
    ]

    private static let moreClones: [Entry] = [
        Entry("git clone https://127.0.0.1:8443/a.git", .clone("https://127.0.0.1:8443/a.git", "tls-failed")),
        Entry("git clone https://user:secret@127.0.0.1:8443/a.git", .clone("https://***@127.0.0.1:8443/a.git", "tls-failed")),
        Entry("git clone http://127.0.0.1:8080/404/a.git", .clone("http://127.0.0.1:8080/404/a.git")),
        Entry("git clone http://127.0.0.1:8080/401/a.git", .clone("http://127.0.0.1:8080/401/a.git")),
        Entry("git clone http://127.0.0.1:8080/503/a.git", .clone("http://127.0.0.1:8080/503/a.git")),
        Entry("git clone git://127.0.0.1:9/a.git", .clone("git://127.0.0.1:9/a.git", "connection-refused")),
        Entry("git clone git://nowhere.invalid/a.git", .clone("git://nowhere.invalid/a.git", "name-unknown")),
        Entry("git clone http://10.9.8.8/a.git", .clone("http://10.9.8.8/a.git", "connection-failed")),
        Entry("git clone ssh://nowhere.invalid/a.git", .clone("ssh://nowhere.invalid/a.git", "ssh-name-unknown")),
        Entry("git clone ssh://127.0.0.1:9/a.git", .clone("ssh://127.0.0.1:9/a.git", "ssh-connection-failed")),
        Entry("git clone ssh://127.0.0.1:2222/a.git", .clone("ssh://127.0.0.1:2222/a.git", "ssh-host-key-rejected")),
        Entry(
            "git clone --depth 1 source.git /srv/full/clone",
            .clone("source.git", "no-space"),
            given:
                "git init -q --bare source.git; head -c 300k /dev/urandom > noise; git -c user.name=a -c user.email=a -C . init -q w; cp noise w/; git -C w add .; git -C w -c user.name=a -c user.email=a commit -qm x; git -C w push -q ../source.git HEAD:master"
        ),
        Entry(
            "git clone source.git /srv/frozen/clone", .clone("source.git", "read-only"), given: "git init -q --bare source.git"),
        Entry("cd /tmp && git clone -b main --depth 1 -- /srv/nowhere/b.git x", .clone("/srv/nowhere/b.git", "file-not-found")),
        Entry("git clone -b absent source.git out", .clone("source.git"), given: "git init -q --bare source.git"),
        Entry("git clone", .nothing),
        Entry("git clone --frobnicate source.git", .nothing),
        Entry("git clone source.git out; false", .nothing, given: "git init -q --bare source.git"),
    ]

    private static let inRepository =
        "git init -q; git config user.name a; git config user.email a; echo x > file; git add file; git commit -qm first"

    private static let repositories: [Entry] = [
        Entry("git status", .nothing),
        Entry("git -C /srv/nowhere status", .missing("/srv/nowhere")),
        Entry("git -C /srv/locked status", .denied("/srv/locked")),
        Entry("git checkout absent", .nothing, given: inRepository),
        Entry("git add absent", .nothing, given: inRepository),
        Entry("git commit -m nothing", .nothing, given: inRepository),
        Entry("git merge absent", .nothing, given: inRepository),
        Entry("git push", .nothing, given: inRepository),
        Entry("git fetch origin", .nothing, given: inRepository),
        Entry("git fetch http://127.0.0.1:9/a.git", .notConnected, given: inRepository),
        Entry("git fetch http://nowhere.invalid/a.git", .nameUnknown("nowhere.invalid"), given: inRepository),
        Entry("git pull http://silent.example/a.git", .notConnected, given: inRepository),
        Entry("git ls-remote https://127.0.0.1:8443/a.git", .tls),
        Entry("git ls-remote http://127.0.0.1:7001/a.git", .reset),
        Entry("git ls-remote git@127.0.0.1:a.git", .ssh("connection-failed", "sshConnectionFailed", "127.0.0.1")),
        Entry("git push ssh://nowhere.invalid/a HEAD", .ssh("name-unknown", "dnsError", "nowhere.invalid"), given: inRepository),
        Entry("git init /srv/shared/repository", .denied("/srv/shared/repository")),
        Entry("git init /srv/frozen/repository", .readOnly("/srv/frozen/repository")),
        Entry("git commit -am second", .exists("/srv/desk/*"), given: inRepository + "; echo y > file; touch .git/index.lock"),
        Entry(
            "git commit -am second", .denied(".git/objects"), given: inRepository + "; echo y > file; chmod -R a-w .git/objects"),
        Entry("git apply /srv/nowhere/fix.patch", .missing("/srv/nowhere/fix.patch"), given: inRepository),
        Entry("git diff --no-index a /srv/nowhere/b", .cannotOpen("a")),
        Entry("git config -f /srv/shared/gitconfig user.name x", .denied("/srv/shared/gitconfig")),
        Entry("git worktree add /srv/shared/tree", .denied("/srv/shared/tree/.git"), given: inRepository),
        Entry("git bundle verify /srv/nowhere/x", .cannotOpen("/srv/nowhere/x"), given: inRepository),
        Entry("git mv absent other", .nothing, given: inRepository),
        Entry("git frobnicate", .nothing),
        Entry("git checkout file; echo 'Cloning into x' >&2; exit 4", .nothing, given: inRepository),
    ]
}
