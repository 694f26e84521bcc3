/// Names that a language's own form of message marks.
enum RemoteMarkedPath {
    static func named(in line: RemoteLine, around match: RemoteWording.Match) -> RemotePath.Name? {
        let after = line.text(match.range.upperBound..<line.characters.count)
        if after.hasPrefix(" @ ") || after.hasPrefix(" -- ") { return ruby(after, match.trouble) }
        if let call = after.firstRange(of: ":calling ") { return openssl(after[call.upperBound...]) }
        if after.hasPrefix(" trying to connect") || after.hasPrefix(" while trying to connect") { return socket(after) }
        return nil
    }

    /// Ruby: `… @ rb_sysopen - x (Errno::ENOENT)`, `… @ rb_file_s_rename - (a, b)`, `… -- x.rb (LoadError)`.
    private static func ruby(_ text: String, _ trouble: RemoteTrouble) -> RemotePath.Name? {
        guard let dash = text.firstRange(of: text.hasPrefix(" -- ") ? " -- " : " - ") else { return nil }
        var path = text[dash.upperBound...]
        if path.hasSuffix(")"), let open = path.lastIndex(of: "("), open > path.startIndex { path = path[..<open] }
        let name = path.trimmingBlanks
        guard name.hasPrefix("("), name.hasSuffix(")") else {
            return name.isEmpty ? nil : RemotePath.Name(path: name, isSure: true)
        }
        let names = name.dropFirst().dropLast().split(separator: ", ")
        return (trouble == .fileNotFound ? names.first : names.last).map { RemotePath.Name(path: String($0), isSure: false) }
    }

    /// OpenSSL 3: `…:No such file or directory:file.c:266:calling stat(x)`.
    private static func openssl(_ text: Substring) -> RemotePath.Name? {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        return RemotePath.Name(path: String(text[text.index(after: open)..<close].prefix { $0 != "," }), isSure: true)
    }

    /// Docker: `… while trying to connect to the Docker daemon socket at unix:///run/docker.sock: …`.
    private static func socket(_ text: String) -> RemotePath.Name? {
        guard let scheme = text.firstRange(of: "unix://") else { return nil }
        let path = text[scheme.upperBound...].prefix { !$0.isWhitespace }
        return RemotePath.Name(path: String(path.last == ":" ? path.dropLast() : path), isSure: true)
    }
}
