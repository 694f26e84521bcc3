/// Keywords that bridge-ssh only reports: their values are checked and printed as ssh(1) does.
extension ValueReading {
    mutating func applyOther(_ keyword: SpecialKeyword, _ settings: inout SettingStore) throws(LineProblem) {
        switch keyword {
        case .rekeyLimit: try applyRekeyLimit(&settings)
        case .controlPersist: try applyControlPersist(&settings)
        case .tunnelDevice: set(try Self.tunnelDevice(word()), &settings)
        case .ipQoS: try applyQuality(&settings)
        case .canonicalDomains: try applyDomains(&settings)
        case .permittedCNAMEs: try applyCNAMEs(&settings)
        case .streamLocalBindMask: try applyBindMask(&settings)
        case .fingerprintHash:
            set(
                try choice(["md5": "MD5", "sha256": "SHA256", "sha384": "SHA384", "sha512": "SHA512", "sha1": "SHA1"]), &settings)
        case .logVerbose:
            var words: [String] = []
            while hasMore { words.append(try listed(words)) }
            // ssh(1) keeps the first one only.
            set(Array(words.prefix(1)), &settings)
        case .channelTimeout: try applyChannelTimeout(&settings)
        case .obscureKeystrokeTiming: try applyKeystrokeTiming(&settings)
        // A sentence needs no quotes.
        case .refuseConnection: set(try restOfSentence(), &settings)
        case .permitRemoteOpen: try applyPermitRemoteOpen(&settings)
        case .localForward, .remoteForward, .dynamicForward: try applyForward(keyword, &settings)
        default: break
        }
    }

    /// `TYPE=TIME` for each type of channel.
    private mutating func applyChannelTimeout(_ settings: inout SettingStore) throws(LineProblem) {
        var timeouts: [String] = []
        while hasMore {
            let word = try listed(timeouts)
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard word.lowercasedASCII == "none" || (parts.count == 2 && !parts[0].isEmpty && Self.isTime(parts[1])) else {
                throw LineProblem("“\(word)” of \(line.keyword) is not TYPE=TIME, such as session=5m")
            }
            timeouts.append(word)
        }
        set([timeouts.joined(separator: " ")], &settings)
    }

    private static func isTime(_ text: Substring) -> Bool { ConfigurationNumbers.seconds(String(text)) != nil }

    /// `yes`, `no` or `interval:N` with N milliseconds.
    private mutating func applyKeystrokeTiming(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        let prefix = "interval:"
        switch word {
        case "yes", "true": set("yes", &settings)
        case "no", "false": set("no", &settings)
        case _ where word.hasPrefix(prefix):
            guard let number = ConfigurationNumbers.decimal(String(word.dropFirst(prefix.count))), (1...1000).contains(number)
            else {
                throw LineProblem("\(word) has no number of milliseconds from 1 to 1000 after the colon")
            }
            // The default is printed as the word.
            set(number == 20 ? "yes" : "\(number)", &settings)
        default: throw LineProblem("\(line.keyword) cannot be \(word); it can be yes, no or interval:20, in milliseconds")
        }
    }

    private mutating func applyRekeyLimit(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        guard let bytes = word == "default" ? 0 : ConfigurationNumbers.scaled(word), bytes == 0 || bytes >= 16 else {
            throw LineProblem("\(word) is not a number of bytes that can be a limit; write 16 or more, such as 1G")
        }
        set("\(bytes)", &settings)
        guard let time = next(), time != "none" else { return }
        guard let seconds = ConfigurationNumbers.seconds(time) else { throw LineProblem("\(time) is not a time") }
        if isActive { settings.set("rekeylimit time", "\(seconds)", at: place) }
    }

    private mutating func applyControlPersist(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        switch word {
        case "yes", "true": set("yes", &settings)
        case "no", "false": set("no", &settings)
        default:
            guard let seconds = ConfigurationNumbers.seconds(word) else {
                throw LineProblem("\(line.keyword) cannot be \(word); it can be yes, no or a time")
            }
            set(seconds == 0 ? "yes" : "\(seconds)", &settings)
        }
    }

    /// `N`, `N:M` or `any` for either.
    private static func tunnelDevice(_ text: String) throws(LineProblem) -> String {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        for part in parts where part.lowercased() != "any" {
            guard let number = ConfigurationNumbers.decimal(String(part)), (0..<0x7FFF_FFFE).contains(number) else {
                throw LineProblem("\(text) is not a tunnel device; write a number, two with a colon between, or any")
            }
        }
        return "\(parts[0].lowercased()):\(parts.count > 1 ? parts[1].lowercased() : "any")"
    }

    private mutating func applyQuality(_ settings: inout SettingStore) throws(LineProblem) {
        let first = try QualityOfService.printed(word())
        let second = try next().map { text throws(LineProblem) in try QualityOfService.printed(text) }
        set("\(first) \(second ?? first)", &settings)
    }

    private mutating func applyDomains(_ settings: inout SettingStore) throws(LineProblem) {
        var domains: [String] = []
        while hasMore {
            let domain = try listed(domains).lowercasedASCII
            let isName = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) }
            guard domain.utf8.first.map(isName) == true, !domain.contains(".."),
                domain.utf8.allSatisfy({ isName($0) || "-._".utf8.contains($0) })
            else { throw LineProblem("\(domain) is not the name of a domain") }
            domains.append(domain)
        }
        guard domains.count <= 32 else { throw LineProblem("there are more than 32 domains") }
        set(domains, &settings)
    }

    private mutating func applyCNAMEs(_ settings: inout SettingStore) throws(LineProblem) {
        var rules: [String] = []
        while hasMore {
            var rule = try listed(rules)
            if rule == "*" {
                rule = "*:*"
            } else if rule.lowercasedASCII != "none" {
                rule = rule.lowercasedASCII
                guard let colon = rule.firstIndex(of: ":"), rule[colon...].count > 1 else {
                    throw LineProblem("“\(rule)” permits nothing; write names:targets")
                }
            }
            rules.append(rule)
        }
        set(rules, &settings)
    }

    private mutating func applyBindMask(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        let digits = word.utf8.prefix { (0x30...0x37).contains($0) }
        guard let mask = Int(String(decoding: digits, as: UTF8.self), radix: 8), mask <= 0o777 else {
            throw LineProblem("\(word) is not an octal mask up to 0777")
        }
        // The last one counts, from sections that do not match, too, as in ssh(1).
        settings.replace(name, with: ["0" + String(mask, radix: 8)])
    }

    private mutating func applyPermitRemoteOpen(_ settings: inout SettingStore) throws(LineProblem) {
        var targets = [try word()]
        if targets[0] != "any", targets[0] != "none" {
            while let target = next() { targets.append(target) }
            for target in targets.dropFirst() {
                let port = target.split(separator: ":").last.map(String.init) ?? ""
                guard target.contains(":"), port == "*" || ConfigurationNumbers.port(port, service: context.port) != nil else {
                    throw LineProblem("“\(target)” is not host:port")
                }
            }
        }
        set(targets, &settings)
    }

    private mutating func applyForward(_ keyword: SpecialKeyword, _ settings: inout SettingStore) throws(LineProblem) {
        let listen = try word()
        var target: String?
        if keyword != .dynamicForward { target = next().flatMap { $0.isEmpty ? nil : $0 } }
        guard target != nil || keyword != .localForward else { throw LineProblem("\(line.keyword) names no target") }
        let forward = try ForwardSpecification(
            listen: listen, target: target, isRemote: keyword == .remoteForward, context: context)
        if isActive, settings.values[name]?.contains(forward.printed) != true {
            settings.append(name, forward.printed, at: place)
        }
    }
}

/// `IPQoS`: names of RFC 4594 and RFC 8622, or numbers.
enum QualityOfService {
    private static let names: KeyValuePairs<String, Int> = [
        "af11": 0x28, "af12": 0x30, "af13": 0x38, "af21": 0x48, "af22": 0x50, "af23": 0x58, "af31": 0x68, "af32": 0x70,
        "af33": 0x78, "af41": 0x88, "af42": 0x90, "af43": 0x98, "cs0": 0x00, "cs1": 0x20, "cs2": 0x40, "cs3": 0x60,
        "cs4": 0x80, "cs5": 0xA0, "cs6": 0xC0, "cs7": 0xE0, "ef": 0xB8, "le": 0x04,
    ]

    /// RFC 1349's, which mean nothing since OpenSSH 10.0.
    private static let formerNames: Set<String> = ["lowdelay", "throughput", "reliability"]

    static func printed(_ text: String) throws(LineProblem) -> String {
        let name = text.lowercasedASCII
        if name == "none" || formerNames.contains(name) { return "none" }
        var value = names.first { $0.key == name }?.value
        if value == nil {
            // Before OpenSSH 10.0 a number could be hexadecimal.
            value = name.hasPrefix("0x") ? Int(name.dropFirst(2), radix: 16) : ConfigurationNumbers.decimal(name)
        }
        guard let value, (0...255).contains(value) else {
            throw LineProblem("\(text) is not a quality of service; write a name such as af21, a number up to 255, or none")
        }
        let hexadecimal = String(value, radix: 16)
        return names.first { $0.value == value }?.key ?? "0x" + (hexadecimal.count < 2 ? "0" : "") + hexadecimal
    }
}
