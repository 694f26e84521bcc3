/// What a remote command left to judge by.
struct RemoteFailure: Sendable {
    let status: Int
    let command: String
    /// The telling lines of standard error; noise is left out, and so is what programs said whose status was not the command's.
    let lines: [String]
    /// The commands whose status may be the command line's.
    let deciding: [[String]]
    /// The names of all programs of the command line.
    let programs: Set<String>
    /// Programs that ran before those: what they said may not be why.
    private let earlier: Set<String>

    init(status: Int, command: String, standardError: String) {
        let line = RemoteCommandLine(command)
        self.status = status
        self.command = command
        deciding = line.deciding
        let names = Set(line.deciding.compactMap(\.first).map(RemoteProgram.base))
        programs = names.union(line.earlier.compactMap(\.first).map(RemoteProgram.base))
        let earlier = Set(line.earlier.compactMap(\.first).map(RemoteProgram.base)).subtracting(names)
        self.earlier = earlier
        let isClosed = !earlier.isEmpty && line.deciding.allSatisfy(RemoteCommandLine.runsNothingElse)
        let telling = RemoteText.tellingLines(standardError).suffix(64)
        lines = telling.filter { !isClosed || !Self.speaks(earlier, $0) }
    }

    /// The first deciding command of one of these programs.
    func first(_ names: Set<String>) -> [String]? {
        deciding.first { $0.first.map { names.contains(RemoteProgram.base($0)) } == true }
    }

    /// Whether a line is of a program that ran before the one that decided.
    func isDoubtful(_ line: String) -> Bool { Self.speaks(earlier, line) }

    private static func speaks(_ programs: Set<String>, _ text: String) -> Bool {
        guard !programs.isEmpty else { return false }
        let line = RemoteLine(text)
        // A builtin's name stands behind the shell's: `bash: line 1: cd: …`.
        return line.segments(in: 0..<line.characters.count).prefix(3).contains {
            programs.contains(RemoteProgram.base(line.text($0)))
        }
    }
}
