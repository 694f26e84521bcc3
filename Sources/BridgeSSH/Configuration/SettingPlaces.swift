/// The places in ssh's configuration of settings that can cause a failure.
package struct SettingPlaces: Sendable, Hashable {
    /// `file:line` or `command-line`, by keyword as spelled in ssh_config(5).
    var keywords: [String: String] = [:]
    /// The places of identities, by path.
    var identities: [String: String] = [:]
    /// The methods in PreferredAuthentications that libssh2 lacks.
    var foreignMethods: [String] = []

    init() {}

    /// Methods that OpenSSH's ssh has and libssh2 lacks.
    private static let known = ["gssapi-with-mic", "hostbased"]

    init(_ resolved: SSHConfigSettings) {
        for keyword in [
            "KexAlgorithms", "HostKeyAlgorithms", "Ciphers", "MACs", "PreferredAuthentications", "BindAddress",
            "PubkeyAcceptedAlgorithms",
        ] {
            keywords[keyword] = resolved.place(of: keyword.lowercased())?.description
        }
        if let preferred = resolved.value("preferredauthentications") {
            let names = preferred.split(separator: ",").map(String.init)
            foreignMethods = names.filter { SSHAuthenticationMethod(rawValue: $0) == nil && Self.known.contains($0) }
        }
        if resolved.value("pubkeyauthentication") == "false" {
            keywords["PubkeyAuthentication"] = resolved.place(of: "pubkeyauthentication")?.description
        }
        for value in resolved.values("identityfile") {
            guard let place = resolved.place(of: "identityfile", value: value), let path = try? resolved.path(value) else {
                continue
            }
            if identities[path] == nil { identities[path] = place.description }
        }
    }
}

extension SSHConnectionConfiguration {
    /// The setting that made a failure possible, if there is one.
    package func setting(behind evidence: SSHEvidence) -> SSHSettingEvidence? {
        switch evidence.event {
        case .keyUnusable(let problem):
            return settingPlaces.identities[problem.path].map { SSHSettingEvidence(keyword: "IdentityFile", place: $0) }
        case .connectionFailed:
            guard localAddress != nil, evidence.lacksLocalAddress else { return nil }
            return setting("BindAddress") ?? SSHSettingEvidence(keyword: "BindAddress", place: "localAddress")
        case .credentialsExhausted:
            if credentials.methods.isEmpty, !settingPlaces.foreignMethods.isEmpty {
                return setting("PreferredAuthentications", excluded: settingPlaces.foreignMethods)
            }
            if evidence.leavesOutAllKeys { return setting("PubkeyAcceptedAlgorithms") }
            if credentials.methods.contains(.publicKey) { return nil }
            let keyword = ["PubkeyAuthentication", "PreferredAuthentications"].first { settingPlaces.keywords[$0] != nil }
            return keyword.flatMap { setting($0) }
        default:
            return algorithmSetting(evidence)
        }
    }

    /// The fault for an empty list of algorithms. If ssh's configuration set the list, the fault names that setting.
    func attributed(_ fault: Fault) -> Fault {
        guard case .usage(let keyword, let problem) = fault.event, let place = settingPlaces.keywords[keyword] else {
            return fault
        }
        var (file, line) = (place, Int?.none)
        if let colon = place.lastIndex(of: ":"), let number = Int(place[place.index(after: colon)...]), !place.hasPrefix("-") {
            (file, line) = (String(place[..<colon]), number)
        }
        var attributed = fault
        attributed.event = .configurationInvalid(file: file, line: line, problem: "\(keyword): \(problem)")
        return attributed
    }

    /// The configured algorithms that libssh2 lacks, with keyword and place, if the rest of the list is offered.
    func leftOut(of offered: SSHAlgorithmLists) -> [String] {
        let lists = [
            ("KexAlgorithms", algorithms.keyExchange, offered.keyExchange),
            ("HostKeyAlgorithms", algorithms.hostKey, offered.hostKey), ("Ciphers", algorithms.ciphers, offered.cipherToServer),
            ("MACs", algorithms.macs, offered.macToServer),
        ]
        return lists.compactMap { keyword, wanted, offered in
            guard let place = settingPlaces.keywords[keyword] else { return nil }
            let missing = wanted.filter { !offered.contains($0) }
            guard !missing.isEmpty else { return nil }
            return "\(keyword) (\(place)): libssh2 does not have \(missing.joined(separator: ", ")), which is left out"
        }
    }

    private func setting(_ keyword: String, excluded: [String] = []) -> SSHSettingEvidence? {
        settingPlaces.keywords[keyword].map { SSHSettingEvidence(keyword: keyword, place: $0, excluded: excluded) }
    }

    /// A list is the cause if the default list has an algorithm in common with the server's.
    private func algorithmSetting(_ evidence: SSHEvidence) -> SSHSettingEvidence? {
        guard let mismatch = AlgorithmAgreement.mismatch(evidence) else { return nil }
        let defaults = SSHAlgorithmPreferences()
        let list: [String] =
            switch mismatch.kind {
            case .keyExchange: defaults.keyExchange
            case .hostKey: defaults.hostKey
            case .cipher: defaults.ciphers
            case .mac: defaults.macs
            case .compression: []
            }
        let excluded = list.filter(mismatch.server.contains)
        return excluded.isEmpty ? nil : setting(mismatch.kind.serverKeyword, excluded: excluded)
    }
}

extension SettingPlaces: FieldCoded {
    package static var blank: SettingPlaces { SettingPlaces() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try Self.code(&keywords, &coder)
        try Self.code(&identities, &coder)
        try coder.code(&foreignMethods)
    }

    private static func code(_ places: inout [String: String], _ coder: inout FieldCoder) throws(SSHWireError) {
        var names = places.keys.sorted()
        var values = names.map { places[$0] ?? "" }
        try coder.code(&names)
        try coder.code(&values)
        places = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }
}
