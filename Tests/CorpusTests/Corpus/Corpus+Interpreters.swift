extension Corpus {
    static let interpreters: [Entry] = python + perl + ruby + node + others

    private static let python: [Entry] = [
        Entry("python3 -c 'open(\"/srv/nowhere/x\")'", .missing("/srv/nowhere/x")),
        Entry("python3 -c 'open(\"/srv/shared/out\", \"w\")'", .denied("/srv/shared/out")),
        Entry("python3 -c 'open(\"/srv/shared/config.ini\", \"a\")'", .denied("/srv/shared/config.ini")),
        Entry("python3 -c 'import os; os.mkdir(\"/srv/frozen/a\")'", .readOnly("/srv/frozen/a")),
        Entry("python3 -c 'import os; os.mkdir(\"/srv/shared\")'", .exists("/srv/shared")),
        Entry("python3 -c 'import os; os.rename(\"a\", \"/srv/nowhere/b\")'", .missing("a"), given: ""),
        Entry("python3 -c 'open(\"/srv/shared\").read()'", .isDirectory("/srv/shared")),
        Entry("python3 -c 'import os; os.listdir(\"/srv/shared/config.ini\")'", .notDirectory("/srv/shared/config.ini")),
        Entry("python3 -c 'open(\"/srv/full/py\", \"w\").write(\"x\" * 1000000)'", .full),
        Entry("python3 -c 'open(\"/srv/nowhere/it'\"\\\\'\"'s\")'", .missing("/srv/nowhere/it's")),
        Entry("python3 /srv/nowhere/tool.py", .missing("/srv/nowhere/tool.py")),
        Entry("python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:9/\")'", .refused),
        Entry("python3 -c 'import urllib.request as u; u.urlopen(\"http://nowhere.invalid/\")'", .nameUnknown("")),
        Entry("python3 -c 'import urllib.request as u; u.urlopen(\"https://127.0.0.1:8443/\")'", .tls),
        Entry("python3 -c 'import socket; socket.create_connection((\"10.9.8.8\", 80))'", .unreachable),
        Entry("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 7003), 1).recv(1)'", .unanswered),
        Entry("python3 -c 'import socket; socket.create_connection((\"10.9.9.9\", 80), 1)'", .unanswered),
        Entry("python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:7001/\")'", .reset),
        Entry("python3 -c 'import subprocess; subprocess.run([\"frobnicate\"])'", .missing("frobnicate")),
        Entry(
            "python3 -c 'import subprocess; subprocess.run([\"cat\", \"/srv/nowhere/x\"], check=True)'",
            .missing("/srv/nowhere/x")),
        Entry("python3 -c 'import frobnicate'", .nothing),
        Entry("python3 -c '1/0'", .nothing),
        Entry("python3 -c 'raise ValueError(\"user said: Permission denied\")'", .nothing),
        Entry(
            "python3 -c 'assert \"No such file or directory\" in \"ok\", \"expected No such file or directory, got ok\"'",
            .nothing),
        Entry("python3 -c 'print('", .nothing),
        Entry("python3 -c 'import sys; sys.exit(\"deploy: 3 checks failed\")'", .nothing),
        Entry("python3 -c 'import os; os.kill(1, 9)'", .denied("")),
        Entry("python3 -c 'open(\"/srv/nowhere/x\")'", .missing("/srv/nowhere/x")).speaking(.german),
        Entry("python3 -c 'open(\"/srv/shared/out\", \"w\")'", .denied("/srv/shared/out")).speaking(.japanese),
        Entry("python3 -c 'open(\"/srv/frozen/out\", \"w\")'", .readOnly("/srv/frozen/out")).speaking(.french),
        Entry("python3 -m json.tool /srv/nowhere/a.json", .missing("/srv/nowhere/a.json")),
        Entry("python3 -m http.server 8080 --bind 127.0.0.1", .nothing),
    ]

    private static let perl: [Entry] = [
        Entry(
            "perl -e 'open(F, \"<\", \"/srv/nowhere/x\") or die \"Cannot open /srv/nowhere/x: $!\"'", .missing("/srv/nowhere/x")),
        Entry(
            "perl -e 'open(F, \">\", \"/srv/shared/x\") or die \"cannot write \\\"/srv/shared/x\\\": $!\\n\"'",
            .denied("/srv/shared/x")),
        Entry("perl -e 'mkdir \"/srv/frozen/x\" or die \"mkdir /srv/frozen/x failed: $!\"'", .readOnly("/srv/frozen/x")),
        Entry("perl -e 'use autodie; open(my $f, \"<\", \"/srv/nowhere/x\")'", .missing("/srv/nowhere/x")),
        Entry("perl /srv/nowhere/tool.pl", .missing("/srv/nowhere/tool.pl")),
        Entry("perl -e 'use Frobnicate;'", .nothing),
        Entry("perl -e 'die \"bad input\\n\"'", .nothing),
        Entry("perl -e 'use IO::Socket::INET; IO::Socket::INET->new(\"127.0.0.1:9\") or die \"connect: $!\"'", .refused),
        Entry("perl -e 'opendir(D, \"/srv/locked\") || die \"can'\"'\"'t opendir /srv/locked: $!\"'", .denied("/srv/locked")),
        Entry("perl -e 'require \"/srv/nowhere/lib.pl\"'", .cannotOpen("/srv/nowhere/lib.pl")),
    ]

    private static let ruby: [Entry] = [
        Entry("ruby -e 'File.read(\"/srv/nowhere/x\")'", .missing("/srv/nowhere/x")),
        Entry("ruby -e 'File.write(\"/srv/shared/x\", \"\")'", .denied("/srv/shared/x")),
        Entry("ruby -e 'Dir.mkdir(\"/srv/frozen/x\")'", .readOnly("/srv/frozen/x")),
        Entry("ruby -e 'File.read(\"/srv/shared\")'", .isDirectory("/srv/shared")),
        Entry("ruby -e 'Dir.mkdir(\"/srv/shared\")'", .exists("/srv/shared")),
        Entry("ruby /srv/nowhere/tool.rb", .missing("/srv/nowhere/tool.rb")),
        Entry("ruby -rsocket -e 'TCPSocket.new(\"127.0.0.1\", 9)'", .refused),
        Entry("ruby -rsocket -e 'TCPSocket.new(\"nowhere.invalid\", 9)'", .nameUnknown("")),
        Entry("ruby -ropen-uri -e 'URI.open(\"https://127.0.0.1:8443/\")'", .tls),
        Entry("ruby -e 'raise \"nope\"'", .nothing),
        Entry("ruby -e 'require \"frobnicate\"'", .nothing),
        Entry("ruby -e 'Dir.chdir(\"/srv/nowhere\")'", .missing("/srv/nowhere")),
    ]

    private static let node: [Entry] = [
        Entry("node -e 'fs.readFileSync(\"/srv/nowhere/x\")'", .missing("/srv/nowhere/x")),
        Entry("node -e 'fs.writeFileSync(\"/srv/shared/x\", \"\")'", .denied("/srv/shared/x")),
        Entry("node -e 'fs.mkdirSync(\"/srv/frozen/x\")'", .readOnly("/srv/frozen/x")),
        Entry("node -e 'fs.readdirSync(\"/srv/shared/config.ini\")'", .notDirectory("/srv/shared/config.ini")),
        Entry("node -e 'fs.mkdirSync(\"/srv/shared\")'", .exists("/srv/shared")),
        Entry("node -e 'fs.readFileSync(\"/srv/shared\")'", .isDirectory("")),
        Entry("node -e 'fs.writeFileSync(\"/srv/full/node\", \"x\".repeat(1000000))'", .full),
        Entry("node -e 'fs.promises.open(\"/srv/nowhere/y\")'", .missing("/srv/nowhere/y")),
        Entry("node -e 'net.connect(9, \"127.0.0.1\")'", .refused),
        Entry("node -e 'net.connect(80, \"nowhere.invalid\")'", .nameUnknown("nowhere.invalid")),
        Entry("node -e 'net.connect(80, \"other.broken\")'", .nameUnknown("other.broken")),
        Entry("node -e 'https.get(\"https://127.0.0.1:8443/\")'", .tls),
        Entry("node -e 'http.get(\"http://127.0.0.1:7001/\")'", .reset),
        Entry("node /srv/nowhere/tool.js", .nothing),
        Entry("node -e 'throw new Error(\"nope\")'", .nothing),
        Entry("node -e 'net.createServer().listen(8080, \"127.0.0.1\")'", .nothing),
        Entry("node -e 'require(\"child_process\").spawn(\"frobnicate\")'", .nothing),
    ]

    private static let others: [Entry] = [
        Entry("php -r 'if (!file_get_contents(\"/srv/nowhere/x\")) exit(1);' >&2", .missing("/srv/nowhere/x")),
        Entry("php -r 'require \"/srv/nowhere/lib.php\";' >&2", .missing("/srv/nowhere/lib.php")),
        Entry("php -d display_errors=stderr -r 'fopen(\"/srv/shared/x\", \"w\") or exit(2);'", .denied("/srv/shared/x")),
        Entry("php -d display_errors=stderr -r 'mkdir(\"/srv/frozen/x\") or exit(2);'", .readOnly("")),
        Entry("php -d display_errors=stderr -r 'fsockopen(\"127.0.0.1\", 9) or exit(2);'", .refused),
        Entry("php -r 'exit(3);'", .nothing),
        Entry("lua5.4 -e 'assert(io.open(\"/srv/nowhere/x\"))'", .missing("/srv/nowhere/x")),
        Entry("lua5.4 -e 'error(\"nope\")'", .nothing),
        Entry("lua5.4 /srv/nowhere/tool.lua", .missing("/srv/nowhere/tool.lua")),
        Entry("gawk 'BEGIN { getline x < \"/srv/nowhere/y\"; exit 2 }'", .nothing),
        Entry("gawk -f /srv/nowhere/prog.awk", .missing("/srv/nowhere/prog.awk")),
        Entry("bash /srv/nowhere/tool.sh", .nothing),
        Entry("sh -e /srv/nowhere/tool.sh", .missing("/srv/nowhere/tool.sh")),
    ]

    /// make and the programs that it runs.
    static let builders: [Entry] = [
        Entry("make", .nothing),
        Entry("make all", .missing("/srv/nowhere/x"), given: "printf 'all:\\n\\tcat /srv/nowhere/x\\n' > Makefile"),
        Entry("make all", .denied("/srv/shared/out"), given: "printf 'all:\\n\\techo hi > /srv/shared/out\\n' > Makefile"),
        Entry(
            "make -j2 all", .missing("/srv/nowhere/a"),
            given: "printf 'all: a b\\na:\\n\\tcat /srv/nowhere/a\\nb:\\n\\ttrue\\n' > Makefile"),
        Entry("make all", .nothing, given: "printf 'all:\\n\\tfrobnicate --all\\n' > Makefile"),
        Entry("make all", .nothing, given: "printf 'all:\\n\\t./frobnicate\\n' > Makefile"),
        Entry("make all", .nothing, given: "printf 'all:\\n\\tfrobnicate; exit 127\\n' > Makefile"),
        Entry("make all", .nothing, given: "printf 'all: absent.c\\n' > Makefile"),
        Entry("make all", .nothing, given: "printf 'all:\\n\\tfalse\\n' > Makefile"),
        Entry("make all", .notConnected, given: "printf 'all:\\n\\tcurl -sS http://127.0.0.1:9/\\n' > Makefile"),
        Entry(
            "make all", .nameUnknown("nowhere.invalid"),
            given: "printf 'all:\\n\\tcurl -sS http://nowhere.invalid/\\n' > Makefile"),
        Entry("make all", .missing("/srv/nowhere/x"), given: "printf 'all:\\n\\tcat /srv/nowhere/x\\n' > Makefile").speaking(
            .german),
        Entry("make all", .missing("/srv/nowhere/x"), given: "printf 'all:\\n\\tcat /srv/nowhere/x\\n' > Makefile").speaking(
            .japanese),
        Entry("make all", .notAllowed("sudo"), given: "printf 'all:\\n\\tsudo -n id\\n' > Makefile"),
        Entry("make all", .missing("gone.mk"), given: "printf 'include gone.mk\\nall:\\n' > Makefile"),
        Entry(
            "make all", .missing("/srv/nowhere/x"),
            given:
                "printf 'all:\\n\\t$(MAKE) -C sub all\\n' > Makefile; mkdir sub; printf 'all:\\n\\tcat /srv/nowhere/x\\n' > sub/Makefile"
        ),
    ]
}
