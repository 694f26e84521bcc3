internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// The input of a run's hosts. It is examined before the first host begins, and compared when a run is resumed.
struct RunInputChoice {
    private let source: HostInput
    private let limit: Int?

    /// - Parameter limit: the most bytes kept of a pipe.
    init(_ source: HostInput, limit: Int? = nil) {
        (self.source, self.limit) = (source, limit)
    }

    /// The input, and the run's subject with the facts about it.
    typealias ResolvedInput = (input: SharedInput?, subject: RunSubject)

    /// A description for a person; nil for no input.
    var text: String? {
        switch source {
        case .none: nil
        case .file(let name, _, _, let count, _):
            "\(Formatted.bytes(Int(clamping: count))) of \(name == "-" ? "standard input" : name)"
        case .stream(let name, _): name == "-" ? "standard input" : name
        }
    }

    /// Whether there is input to read, as far as is known.
    var hasBytes: Bool { source.hasBytes }

    /// The name of a file that can be read again, and the SHA-256 of its content; nil for other input, and for none.
    func fileDigest() async throws -> (name: String, digest: [UInt8])? {
        guard case .file(let name, _, _, _, _) = source, name != "-", let input = shared else { return nil }
        return (name, try await digest(of: input))
    }

    private var shared: SharedInput? {
        switch source {
        case .none: return nil
        case .file(let name, let descriptor, let offset, let count, let owner):
            return SharedInput(name, file: .init(descriptor: descriptor, offset: offset, count: count, owner: owner))
        case .stream(let name, let next):
            var limits = SharedInput.Limits()
            if let limit { limits.total = UInt64(limit) }
            limits.directory = FleetProcess.variable("TMPDIR") ?? "/var/tmp"
            return SharedInput(name, limits: limits, stream: next)
        }
    }

    /// - Parameters:
    ///   - subject: the subject of the run.
    ///   - keepsJournal: whether the run can be resumed, which needs the digest of a file.
    ///   - isPlanned: whether the subject, from a plan, prescribes the input.
    /// - Throws: `UsageProblem` if the run cannot be carried out with this input.
    func resolved(
        _ subject: RunSubject, _ resumption: ResumedRun?, keepsJournal: Bool, isPlanned: Bool = false
    ) async throws -> ResolvedInput {
        if isPlanned { return (try await planned(subject), subject) }
        if let resumption { return (try await resumed(resumption), subject) }
        guard let input = shared else { return (nil, subject) }
        if input.isStream { return (input, subject.reading(input.name, digest: nil)) }
        guard keepsJournal, input.count > 0 else { return (input, subject) }
        return (input, subject.reading(input.name, digest: try await digest(of: input)))
    }

    private func planned(_ subject: RunSubject) async throws -> SharedInput? {
        guard let known = subject.input else { return nil }
        guard let input = shared, subject.hasRead(try await digest(of: input)) else {
            throw UsageProblem(
                field: "--stdin", problem: "\(known.name) has changed since the plan was written; put it back")
        }
        return input
    }

    private func resumed(_ resumption: ResumedRun) async throws -> SharedInput? {
        guard let known = resumption.subject.input else {
            guard resumption.subject.kind == "run", source.hasBytes else { return nil }
            throw UsageProblem(
                field: resumption.run,
                problem: "its hosts had no standard input, and now there is some; add < /dev/null")
        }
        guard known.isKnown else {
            throw UsageProblem(
                field: resumption.run,
                problem:
                    "its standard input had not been read to the end when the run ended, so that it cannot be known whether its "
                    + "hosts would read the same; begin a new run on those that are left, such as @run:\(resumption.run):error")
        }
        guard let input = shared else {
            let file = known.name == "-" ? "FILE" : known.name.shellWord
            throw UsageProblem(
                field: resumption.run,
                problem:
                    "its hosts read \(known.name == "-" ? "standard input" : known.name), which is not kept; give them the same "
                    + "again: `bridge-ssh fleet resume\(resumption.words) < \(file)`")
        }
        guard resumption.subject.hasRead(try await digest(of: input)) else {
            throw UsageProblem(
                field: resumption.run,
                problem: "its hosts have read something else on standard input; give them the same again, or begin a new run")
        }
        return input
    }

    private func digest(of input: SharedInput) async throws -> [UInt8] {
        switch await input.whole() {
        case .whole(let digest, _): return digest
        case .failed(let reason): throw UsageProblem(field: input.name == "-" ? "standard input" : input.name, problem: reason)
        case .closed: throw CancellationError()
        }
    }
}

/// The earlier run that this one resumes.
struct ResumedRun {
    let path: String
    /// The path of its journal as the person typed it; nil if they named the run in another way.
    let file: String?
    /// The run's name.
    let run: String
    let subject: RunSubject
    /// The arguments that name it in a command, with a leading space.
    let words: String
    let hosts: [NamedHost]
    /// Reads the hosts to run again, once no other process can change them.
    let begin: () throws -> [String]
    /// The number of hosts of the whole run.
    let count: Int
    /// The directory of the claims that apply to it, if it was merged from shards.
    var claims: String?
    /// Hosts that a person wants to run again even if another journal has claimed them.
    var overridden: Set<String> = []

    /// The hosts on which the command ran or may have run.
    ///
    /// - Throws: `UsageProblem`.
    func earlier() throws -> [FleetHostResult] {
        try JournalLocation.refusing("run") { () throws(JournalProblem) in try JournalReader(path, check: nil).earlier() }
    }
}
