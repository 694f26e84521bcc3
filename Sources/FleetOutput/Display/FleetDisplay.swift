package import BridgeSSHFleet
import ErrorCore

/// Shows a run: passes its events to the renderers, and writes their pieces one after the other. The progress line disappears
/// while something is written, and returns below it.
package actor FleetDisplay {
    package struct Options: Sendable {
        package var form = OutputForm()
        /// The current width of the terminal in columns; nil for the width of ``form``.
        package var width: (@Sendable () -> Int)?
        package var modes = OutputModes.standard
        /// Whether JSON lines contain output as it arrives.
        package var streams = false
        /// Whether bridge-ssh's own messages are suppressed.
        package var isQuiet = false
        /// How suggested commands name the run; nil without a journal.
        package var run: RunReference?
        /// Whether failures are reported as they happen, and the totals at the end.
        package var hasNotices = true
        /// Whether progress is reported in lines if standard error is not a terminal.
        package var isVerbose = false
        /// The bytes of output kept in memory until the end.
        package var keptInMemory = MemoryShares(of: 64 << 20).shown
        /// The directory for output that does not fit.
        package var spillDirectory = "/tmp"

        package init() {}
    }

    /// How often the progress line is drawn.
    package static let frame = Duration.milliseconds(200)
    /// How often progress is reported in lines.
    private static let report = Duration.seconds(10)

    private let options: Options
    private let sink: any FleetSink
    private let running: @Sendable () -> RunningHosts
    private let now: @Sendable () -> Duration
    private var renderers: [any FleetRenderer]
    private var notices: RunNotices
    private var progress = FleetProgress()
    private var isDrawn = false
    private var isOver = false
    private var isHidden = false
    private var isElsewhere = false
    /// Whether standard output could not be written. Standard error still gets its part.
    private var isOutputLost = false
    private var nextReport: Duration?
    /// Whether a write is in progress; it never ends if nothing reads it.
    package private(set) var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - folded: folds names into one expression.
    ///   - running: the running hosts.
    ///   - now: the time since any fixed moment.
    /// - Throws: `SSHError` if an output directory cannot be written to.
    package init(
        _ options: Options, sink: any FleetSink, folded: @escaping @Sendable ([String]) -> String,
        running: @escaping @Sendable () -> RunningHosts = { RunningHosts() },
        now: @escaping @Sendable () -> Duration = FleetDisplay.time
    ) throws {
        self.options = options
        self.sink = sink
        self.running = running
        self.now = now
        notices = RunNotices(options.form, run: options.run, folded: folded)
        let store = OutputStore(memory: options.keptInMemory, directory: options.spillDirectory)
        renderers = try options.modes.modes.compactMap { mode in
            switch mode {
            case .live: LiveRenderer(options.form)
            case .fold: FoldRenderer(options.form, store, folded: folded)
            case .diff: FoldRenderer(options.form, store, comparing: true, folded: folded)
            case .jsonl: JSONLinesRenderer(streams: options.streams)
            case .files(let directory): try FilesRenderer(directory: directory)
            case .quiet: nil
            }
        }
        needsPieces = renderers.contains { $0.needsPieces }
    }

    /// Whether the run must emit `output` events.
    package nonisolated let needsPieces: Bool

    /// Whether ``tick()`` ever shows anything.
    package nonisolated var showsProgress: Bool { !options.isQuiet && (options.form.mayRedraw || options.isVerbose) }

    /// Shows the next event.
    ///
    /// - Throws: what the sink throws. `SSHError`, once, if a form of output cannot write its file; it then stops, and the
    ///   others go on.
    package func take(_ event: FleetEvent) async throws {
        progress.take(event, at: now())
        notices.fit(width)
        var pieces: [RenderedPiece] = []
        if case .summary = event { isOver = true } else if showsNotices { notices.take(event, &pieces) }
        var (problem, broken) = (SSHError?.none, Set<Int>())
        for index in renderers.indices {
            do {
                try renderers[index].take(event, &pieces)
            } catch let error as SSHError {
                if renderers[index].endsWithFailure { broken.insert(index) }
                problem = problem ?? error
            }
        }
        if !broken.isEmpty { renderers = renderers.indices.filter { !broken.contains($0) }.map { renderers[$0] } }
        try await show(event, pieces)
        if let problem { throw problem }
    }

    private func show(_ event: FleetEvent, _ rendered: [RenderedPiece]) async throws {
        var pieces = rendered
        // The totals come last, below the output.
        if case .summary = event, showsNotices {
            notices.incompleteHosts = renderers.flatMap(\.incompleteHosts)
            notices.take(event, &pieces)
        }
        guard !pieces.isEmpty || isOver else { return }
        try await writing {
            try await clear()
            var failure: (any Error)?
            for piece in pieces where !isOutputLost || piece.stream == .standardError {
                let bytes = try piece.make()
                do { try await sink.write(bytes, to: piece.stream) } catch {
                    guard piece.stream == .standardOutput else { throw error }
                    (isOutputLost, failure) = (true, error)
                }
            }
            if !isOver { try await draw() }
            if let failure { throw failure }
        }
    }

    /// Redraws the progress line; to be called every ``frame``.
    package func tick() async throws {
        guard !isWriting, !isOver, !options.isQuiet else { return }
        if options.form.mayRedraw {
            isDrawn = isDrawn || progress.total > 0
            try await writing { try await draw() }
        } else if options.isVerbose, progress.total > 0 {
            let time = now()
            defer { if nextReport.map({ $0 <= time }) ?? true { nextReport = time + Self.report } }
            guard let due = nextReport, due <= time else { return }
            let line = options.form.own("bridge-ssh: " + progress.line(running(), at: time, width: 1000)) + "\n"
            try await writing { try await sink.write(Array(line.utf8), to: .standardError) }
        }
    }

    /// Shows one of bridge-ssh's own messages on standard error, above the progress line.
    package func say(_ text: String) async throws {
        guard !isOver else { return }
        try await writing {
            try await clear()
            try await sink.write(Array(options.form.own(text).utf8), to: .standardError)
            try await draw()
        }
    }

    /// The same for a message, in lines that fit the terminal.
    package func note(_ text: String) async throws {
        var form = options.form
        form.width = width
        try await say(form.message(text))
    }

    /// Hides the progress line while a person is asked a question, or shows it again.
    package func hideProgress(_ isHidden: Bool) async throws {
        try await writing {
            if isHidden { try await clear() }
            self.isHidden = isHidden
        }
    }

    /// Suspends the progress line while another program owns the terminal, for instance in the background. Erase nothing, because
    /// the text on the screen belongs to the other program.
    package func setTerminalIsElsewhere(_ isElsewhere: Bool) { self.isElsewhere = isElsewhere }

    private var mayDraw: Bool { isDrawn && !isHidden && !isElsewhere }

    private var showsNotices: Bool { !options.isQuiet && options.hasNotices }

    /// Read each time, because the window may be resized.
    private var width: Int { options.width?() ?? options.form.width }

    private func draw() async throws {
        guard mayDraw else { return }
        let line = progress.line(running(), at: now(), width: max(1, width - 1), options.form)
        try await sink.write(Array(ProgressLine.drawn(line).utf8), to: .standardError)
    }

    private func clear() async throws {
        guard mayDraw else { return }
        try await sink.write(Array(ProgressLine.erased.utf8), to: .standardError)
    }

    /// Allows one write at a time: the actor alone would let another call in while a write waits.
    private func writing(_ body: () async throws -> Void) async throws {
        while isWriting { await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        defer {
            isWriting = false
            let woken = waiting
            waiting = []
            for continuation in woken { continuation.resume() }
        }
        try await body()
    }

    /// The time since this process started to measure.
    package static let time: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }()
}

/// A request that a person makes with a key during a run.
package enum RunKey: Sendable, Equatable {
    /// Enter: list the running hosts, and how long each has been running.
    case list
    /// `+`: run twice as many hosts at once.
    case more
    /// `-`: run half as many.
    case fewer
    /// `?`: show the keys.
    case help

    /// Nil for a key without a meaning.
    package init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): self = .list
        case UInt8(ascii: "+"), UInt8(ascii: "="): self = .more
        case UInt8(ascii: "-"): self = .fewer
        case UInt8(ascii: "?"): self = .help
        default: return nil
        }
    }

    /// The text that `?` shows.
    package static let helpText = """
        Enter  what runs, and since when
        +  -   double, halve the number of hosts at once
        ?      these keys
        ^C     start no more hosts; again: end the running commands; again: quit

        """
}
