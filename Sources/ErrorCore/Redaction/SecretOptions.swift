/// Secrets in the short options of well-known commands: `sshpass -p X`, `mysql -pX`, `curl -u me:X`. Long options are assignments.
enum SecretOptions {
    /// How an option is given its value, and what of it is secret.
    private enum Form { case separate, glued, either, afterColon, afterPercent, afterComma }

    /// By command; the options are from their manual pages.
    private static let options: [String: [String: Form]] = [
        "sshpass": ["-p": .either],
        "mysql": ["-p": .glued], "mysqldump": ["-p": .glued], "mysqladmin": ["-p": .glued], "mariadb": ["-p": .glued],
        "mariadb-dump": ["-p": .glued],
        "curl": ["-u": .afterColon, "--user": .afterColon, "-U": .afterColon, "--proxy-user": .afterColon, "-b": .separate],
        "wget": ["-u": .afterColon],
        "redis-cli": ["-a": .separate, "--pass": .separate],
        "ldapsearch": ["-w": .separate], "ldapmodify": ["-w": .separate], "ldapadd": ["-w": .separate],
        "smbclient": ["-U": .afterPercent],
        "docker": ["-p": .separate], "podman": ["-p": .separate],
        "zip": ["-P": .separate], "unzip": ["-P": .separate], "7z": ["-p": .glued], "7za": ["-p": .glued],
        "mongo": ["-p": .separate], "mongosh": ["-p": .separate], "mongodump": ["-p": .separate],
        "openssl": ["-passin": .afterColon, "-passout": .afterColon, "-pass": .afterColon],
        "lftp": ["-u": .afterComma],
    ]

    private static let commands = PatternSet(Array(options.keys), ignoresCase: false)

    static func mask(_ text: String) -> String {
        guard commands.isIn(text) else { return text }
        var output = ""
        var rest = text[...]
        var known: [String: Form] = [:]
        var isLogin = true
        var pending: Form?
        while !rest.isEmpty {
            let space = rest.prefix(while: \.isWhitespace)
            output += space
            rest = rest[space.endIndex...]
            if space.contains(where: \.isNewline) { (known, pending) = ([:], nil) }
            let word = popWord(&rest)
            if word.isEmpty { break }
            let name = word.split(separator: "/").last.map { String($0.filter { !"\"'`(".contains($0) }) } ?? ""
            if let form = pending {
                output += masked(word, form)
                pending = nil
                // What follows sshpass's password is a command of its own.
                if form == .either { known = [:] }
            } else if let found = options[name] {
                known = found
                // docker and podman give -p another meaning unless they log in: a port.
                isLogin = !["docker", "podman"].contains(name)
                output += word
            } else if let form = known[String(word)], isLogin {
                output += word
                if form != .glued { pending = form }
            } else if isLogin, let glued = maskedGlued(word, known) {
                output += glued
                if known.values.contains(.either) { known = [:] }
            } else {
                if word == "login" { isLogin = true }
                output += word
            }
            if word.last.map({ ";|&".contains($0) }) == true { (known, pending) = ([:], nil) }
        }
        return output
    }

    /// `-pX`, and `-ume:X`.
    private static func maskedGlued(_ word: Substring, _ known: [String: Form]) -> String? {
        for (option, form) in known where word.hasPrefix(option) && word.count > option.count && !option.hasPrefix("--") {
            switch form {
            case .glued, .either: return option + SecretScanner.replacement
            case .afterColon, .afterPercent, .afterComma: return option + masked(word.dropFirst(option.count), form)
            case .separate: continue
            }
        }
        return nil
    }

    private static func masked(_ word: Substring, _ form: Form) -> String {
        let separator: Character? =
            switch form {
            case .afterColon: ":"
            case .afterPercent: "%"
            case .afterComma: ","
            case .separate, .glued, .either: nil
            }
        guard let separator else { return keepingQuotes(word) }
        guard let index = word.firstIndex(of: separator) else { return String(word) }
        let quote = word.last.flatMap { "\"'".contains($0) ? String($0) : nil } ?? ""
        return word[...index] + SecretScanner.replacement + quote
    }

    private static func keepingQuotes(_ word: Substring) -> String {
        guard let quote = word.first, "\"'".contains(quote) else {
            return SecretScanner.replacement
        }
        return "\(quote)\(SecretScanner.replacement)\(word.count > 1 && word.last == quote ? String(quote) : "")"
    }

    /// Up to white space outside of quotes.
    private static func popWord(_ rest: inout Substring) -> Substring {
        var quote: Character?
        var index = rest.startIndex
        while index < rest.endIndex {
            let character = rest[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character.isWhitespace {
                break
            } else if "\"'".contains(character), closes(character, in: rest[rest.index(after: index)...]) {
                quote = character
            }
            index = rest.index(after: index)
        }
        defer { rest = rest[index...] }
        return rest[..<index]
    }

    /// An apostrophe in prose has no partner.
    private static func closes(_ quote: Character, in rest: Substring) -> Bool {
        rest.prefix { !$0.isNewline }.contains(quote)
    }
}
