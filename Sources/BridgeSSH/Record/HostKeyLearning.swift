/// What is done with further host keys that a server announces after the login (UpdateHostKeys in ssh_config(5)).
struct HostKeyLearning: Sendable {
    private let files: SSHKnownHostsFiles
    private let host: String
    private let port: Int
    /// The line by which the host is known.
    private let place: SSHKnownHostsLocation
    private let isConfirmed: Bool

    /// - Parameters:
    ///   - place: the line by which the host is known.
    ///   - isConfirmed: whether the key was known, or a person accepted it.
    init(hop: Hop, place: SSHKnownHostsLocation, isConfirmed: Bool) {
        files = hop.configuration.knownHosts
        (host, port) = hop.trustedName
        self.place = place
        self.isConfirmed = isConfirmed
    }

    /// Why no key is added, whatever the server announces; nil if keys may be added.
    var reason: String? {
        if !files.learnsAnnouncedKeys { return "UpdateHostKeys is not \"yes\"" }
        guard files.user.contains(place.file) else { return "the host is not known by a file of the user's" }
        return isConfirmed ? nil : "the key that the server presented was not confirmed"
    }

    /// Adds the proven keys to the file by which the host is known. Blocks the thread.
    ///
    func update(_ keys: AnnouncedHostKeys) -> HostKeyUpdate {
        var update = HostKeyUpdate(announced: keys.unknown)
        do {
            update.reason = try learn(keys, &update.learned)
            if update.reason == Self.unproven, !update.missing.contains(where: keys.asked.contains) {
                update.reason = "with libssh2 \(Library.version) a server proves RSA keys with SHA-1 only"
            }
        } catch let problem as SSHKnownHostsProblem {
            update.reason = problem.message
        } catch {
            update.reason = "\(error)"
        }
        if update.missing.isEmpty { update.reason = "" }
        return update
    }

    private static let unproven = "the server did not prove that it holds the private key"

    /// - Returns: why the keys that are not learned were left out.
    private func learn(_ keys: AnnouncedHostKeys, _ learned: inout [HostKeyUpdate.LearnedKey]) throws -> String {
        if let reason { return reason }
        let known = try files.load(policy: .acceptNew)
        if let objection = known.objection(toLearning: keys.all, host: host, port: port, in: files.user) { return objection }
        let valid = keys.proven.filter { !known.isRevoked($0, host: host, port: port) }
        guard !valid.isEmpty else { return keys.proven.isEmpty ? Self.unproven : "it is revoked" }
        var file = files
        file.user = [place.file]
        let outcomes = try file.add(valid.map { .init($0, host: host, port: port) }, besideOthers: true)
        for (key, outcome) in zip(valid, outcomes) {
            switch outcome {
            case .added(let place), .alreadyKnown(let place): learned.append(.init(key, place))
            case .contradicted: break
            }
        }
        return learned.count < keys.proven.count ? "it is revoked" : Self.unproven
    }
}

extension EvidenceRecorder {
    /// Adds the host keys that the server has announced and proven to known_hosts, and reports those that are not known.
    ///
    /// - Parameter isLast: whether the session ends now.
    func learnHostKeys(on session: Session, isLast: Bool) async {
        guard let learning = timeline.facts(of: hop).hostKeyLearning,
            let keys = await session.takeAnnouncedHostKeys(isLast: isLast)
        else { return }
        let update = await BlockingWork.run { learning.update(keys) }
        note { $0.hostKeyUpdate = update }
        for sentence in update.sentences { timeline.remark(sentence) }
    }
}
