import SSHTestSupport

/// An SFTP server that lies, in one of several ways: `ForceCommand` runs it instead of sftp-server.
enum HostileSFTP: String, CaseIterable, Sendable {
    /// Text of a login script before the protocol.
    case text
    /// Version 2.
    case old
    /// Answers with the id of no request.
    case wrongID
    /// Ends when a file is opened.
    case dies
    /// Gives more data than requested.
    case generous
    /// Lists `../evil`.
    case parent
    /// Lists `/tmp/evil`.
    case absolute
    /// Lists a name that holds a NUL.
    case nul
    /// Lists without end.
    case endless
    /// Every directory contains another one.
    case bottomless
    /// A link out of the tree and a directory of the same name, with a file in it.
    case disguise
    /// Files that end early.
    case short
    /// Has no connection to its files.
    case unconnected
    /// Reports a checksum that belongs to no file.
    case forger
    /// Correct answers of one byte each.
    case sparing
    /// Reports the size of a page for a file, like those of /sys.
    case claiming
    /// Lists a million files.
    case million
    /// Lists `.` without end.
    case dots
    /// Lists names that are not UTF-8 without end.
    case foreign
    /// Lists a name of 200,000 bytes.
    case long
    /// Lists each name twice.
    case twice
    /// Every directory contains 500 others.
    case branching
    /// Answers a listing with a status of 250,000 bytes.
    case verbose
    /// Gives a handle of 1 MiB.
    case handle
    /// Gives every file 30,000 extended attributes.
    case extended
    /// Continues to send data after the end of the file.
    case gushing
    /// Version 0.
    case zero
    /// Version 4294967295.
    case billions

    var options: SSHDSandbox.Options { FakeSFTP.options(Self.script, mode: rawValue) }

    private static let script = #"""
        def attrs(m, size=4096 if mode == "claiming" else 5): return u32(5) + struct.pack(">Q", size) + u32(m)
        FILE, DIR, LINK = 0o100644, 0o40755, 0o120777
        def name(n, m): return string(n) + string(b"-") + attrs(m)
        listings = {
            "parent": [(b"../evil", FILE)], "absolute": [(b"/tmp/evil", FILE)], "nul": [(b"a\0b", FILE)],
            "disguise": [(b"a", LINK), (b"a", DIR)], "short": [(b"f", FILE)], "bottomless": [(b"d", DIR)],
            "long": [(b"n" * 200000, FILE)], "twice": [(b"f", FILE), (b"f", FILE), (b"d", DIR), (b"d", DIR)],
            "branching": [(b"%d" % i + b"d" * 200, DIR) for i in range(500)],
        }
        if os.environ.get("SSH_ORIGINAL_COMMAND") == "sh":
            print("0" * 64)
            sys.exit(0)
        if mode == "text": os.write(1, b"Welcome to this machine!\n")
        handles, count = {}, 0
        while True:
            request = packet()
            kind = request[0]
            if kind == 1:
                send(2, u32({"old": 2, "zero": 0, "billions": 4294967295}.get(mode, 3)))
                continue
            ident, rest = request[1:5], request[5:]
            if mode == "wrongID": ident = u32(4000000000)
            size = struct.unpack(">I", rest[:4])[0]
            argument = rest[4:4 + size]
            def status(code): send(101, ident + u32(code) + string(b"") + string(b""))
            if kind in (7, 17) and b"*" in argument: status(2)
            elif kind in (7, 8, 17): # lstat, fstat, stat
                inner = argument.endswith(b"f") or argument.endswith(b"x") or argument in handles and handles[argument][0] == "file"
                found = attrs(FILE if inner else DIR)
                if mode == "extended": found = u32(0x80000005) + found[4:] + u32(30000) + (string(b"") * 2) * 30000
                send(105, ident + found)
            elif kind == 16: send(104, ident + u32(1) + string(b"/home/alice") + string(b"") + u32(0))
            elif kind == 19: send(104, ident + u32(1) + string(b"/tmp/outside") + string(b"") + u32(0))
            elif kind == 11:
                count += 1
                handle = b"h" * (1 << 20) if mode == "handle" else b"%d" % count
                handles[handle] = ["dir", argument, False]
                send(102, ident + string(handle))
            elif kind == 12:
                entry = handles[argument]
                if mode == "endless":
                    count += 1
                    send(104, ident + u32(100) + b"".join(name(b"%d-%d" % (count, i), FILE) for i in range(100)))
                elif mode == "million" and count < 1001:
                    count += 1
                    send(104, ident + u32(1000) + b"".join(name(b"%d-%d" % (count, i), FILE) for i in range(1000)))
                elif mode == "dots": send(104, ident + u32(5000) + name(b".", DIR) * 5000)
                elif mode == "foreign": send(104, ident + u32(5000) + name(b"\xff", FILE) * 5000)
                elif mode == "verbose": send(101, ident + u32(4) + string(b"m" * 250000) + string(b""))
                elif mode == "twice" and entry[1].endswith(b"d"): status(1)
                elif entry[2]: status(1)
                else:
                    entry[2] = True
                    inside = mode == "disguise" and entry[1].endswith(b"a")
                    names = [(b"x", FILE)] if inside else listings.get(mode, [])
                    if names: send(104, ident + u32(len(names)) + b"".join(name(n, m) for n, m in names))
                    else: status(1)
            elif kind == 3:
                if mode == "dies": sys.exit(3)
                if mode == "unconnected":
                    status(6)
                    continue
                count += 1
                handle = b"%d" % count
                handles[handle] = ["file", argument]
                send(102, ident + string(handle))
            elif kind == 5:
                asked = struct.unpack(">I", rest[4 + size + 8:4 + size + 12])[0]
                if mode == "generous": send(103, ident + string(b"x" * (asked + 1)))
                elif mode == "short": status(1)
                elif mode == "gushing":
                    for _ in range(1000): send(103, ident + string(b"x" * 5))
                elif mode in ("sparing", "claiming"):
                    offset = struct.unpack(">Q", rest[4 + size:4 + size + 8])[0]
                    if offset < 5: send(103, ident + string(b"abcde"[offset:offset + 1]))
                    else: status(1)
                else: send(103, ident + string(b"x" * min(asked, 5)))
            elif kind == 4: status(0)
            else: status(8)
        """#
}
