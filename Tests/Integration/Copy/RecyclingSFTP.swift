import SSHTestSupport

/// An SFTP server that reuses the handle of a closed file at once, as OpenSSH does, and records its use.
///
/// `top` contains `f000` to `f199`, each with its own name forty times. Every operation on a name that ends with 7 fails:
/// reading, and writing under any temporary name. The sizes of `excess` and `mixed` are counters: closes of files that were not
/// open, and writes to a wrong file.
enum RecyclingSFTP {
    static let names = (0..<200).map { "f" + String(String(1000 + $0).dropFirst()) }
    static let good = names.filter { !$0.hasSuffix("7") }

    static func content(_ name: String) -> String { String(repeating: name, count: 40) }

    static var options: SSHDSandbox.Options { FakeSFTP.options(script) }

    private static let script = #"""
        def attrs(mode, size): return u32(5) + struct.pack(">Q", size) + u32(mode)
        def own(path): return re.search(rb"f\d\d\d", path)[0]
        names = [b"f%03d" % i for i in range(200)]
        open_files, free, books, listed = {}, [], {b"excess": 0, b"mixed": 0}, False
        for kind, ident, argument, rest in requests():
            if kind in (7, 17):
                if argument in books: send(105, ident + attrs(0o100644, books[argument]))
                elif argument == b"top": send(105, ident + attrs(0o40755, 0))
                else: status(2)
            elif kind in (3, 11):
                handle = free.pop() if free else u32(len(open_files))
                open_files[handle] = argument
                send(102, ident + string(handle))
            elif kind == 12:
                if listed: status(1)
                else: send(104, ident + u32(200) + b"".join(string(n) + string(b"-") + attrs(0o100644, 160) for n in names))
                listed = True
            elif kind in (4, 5, 6, 10) and argument not in open_files:
                if kind == 4: books[b"excess"] += 1
                status(4)
            elif kind == 4:
                del open_files[argument]
                free.append(argument)
                status(0)
            elif kind == 5:
                path = open_files[argument]
                if path.endswith(b"7"): status(3)
                else: send(103, ident + string(own(path) * 40))
            elif kind == 6:
                path, data = open_files[argument], rest[12:]
                if data[:4] != own(path): books[b"mixed"] += 1
                status(4 if own(path).endswith(b"7") else 0)
            elif kind in (10, 13, 14, 18): status(0)
            else: status(8)
        """#
}
