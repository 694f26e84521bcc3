/// The runs that were read before. A job that fails again and again writes the same lines, and a line that follows the same lines as
/// before is not read again.
struct KnownRuns: Sendable {
    /// Where a run is.
    enum Place: Sendable {
        /// After lines that were read before: the index of the state.
        case known(Int)
        case unknown(LogRun)
    }

    private struct Line: Hashable, Sendable {
        let text: String
        let indent: Int
    }

    private struct Step: Sendable {
        let state: Int
        let failures: [RunFailure]
    }

    /// A run after some lines, and the lines that followed.
    private struct State: Sendable {
        let run: LogRun
        let depth: Int
        var steps: [Line: Step] = [:]
    }

    private static let start = [State(run: LogRun(), depth: 0)]
    private var states = Self.start
    private var stepCount = 0
    private let maximumSteps: Int

    /// With the number of steps, these bound the memory to a few MiB.
    private static let (maximumLines, maximumLineBytes) = (32, 512)

    /// - Parameter maximumSteps: the number of lines to remember.
    init(maximumSteps: Int = 512) { self.maximumSteps = maximumSteps }

    /// The place before the first line of a run.
    static let beginning = Place.known(0)

    /// Whether the next line must be read, whatever its text.
    func readsAll(_ place: Place) -> Bool {
        switch place {
        case .known(let state): states[state].run.readsAll
        case .unknown(let run): run.readsAll
        }
    }

    /// The run at a place, to be changed.
    func run(at place: Place) -> LogRun {
        switch place {
        case .known(let state): states[state].run
        case .unknown(let run): run
        }
    }

    /// Reads the next line of a run.
    mutating func take(_ text: String, indent: Int, _ place: inout Place, _ ended: (RunFailure) -> Void) {
        guard case .known(let state) = place else {
            var run = run(at: place)
            place = Self.beginning
            run.take(text, indent: indent, ended)
            place = run.isFresh ? Self.beginning : .unknown(run)
            return
        }
        let line = Line(text: text, indent: indent)
        if let step = states[state].steps[line] {
            step.failures.forEach(ended)
            place = .known(step.state)
            return
        }
        var run = states[state].run
        var failures: [RunFailure] = []
        run.take(text, indent: indent) { failures.append($0) }
        failures.forEach(ended)
        place = learn(line, after: state, run, failures)
    }

    /// Remembers where a line leads, if there is room.
    private mutating func learn(_ line: Line, after state: Int, _ run: LogRun, _ failures: [RunFailure]) -> Place {
        let next = run.isFresh ? 0 : states.count
        guard stepCount < maximumSteps, states[state].depth < Self.maximumLines, line.text.utf8.count <= Self.maximumLineBytes
        else {
            return next == 0 ? Self.beginning : .unknown(run)
        }
        stepCount += 1
        if next > 0 { states.append(State(run: run, depth: states[state].depth + 1)) }
        states[state].steps[line] = Step(state: next, failures: failures)
        return .known(next)
    }

    /// Whether no further line can be remembered.
    var isFull: Bool { stepCount >= maximumSteps }

    /// Forgets all runs. No place may be known then, other than the beginning.
    mutating func removeAll() { (states, stepCount) = (Self.start, 0) }
}
