import BridgeSSHFleet
import ErrorCore
import FleetOutput
import Synchronization

/// A terminal that refolds its lines when its window changes, and keeps the cursor at the same character, like tmux and VTE. What
/// a carriage return and an erasure mean depends on where the window folds.
final class FoldingTerminal: FleetSink {
    private struct State {
        var width: Int
        /// The unfolded lines, as in a window of any width.
        var lines: [[Character]] = [[]]
        var row = 0
        var column = 0
    }
    private let state: Mutex<State>

    init(width: Int) { state = Mutex(State(width: width)) }

    var width: Int {
        get { state.withLock { $0.width } }
        set { state.withLock { $0.width = newValue } }
    }

    /// The rows of the window.
    var rows: [String] {
        state.withLock { state in
            state.lines.flatMap { line in
                line.isEmpty
                    ? [""]
                    : stride(from: 0, to: line.count, by: state.width).map {
                        String(line[$0..<min(line.count, $0 + state.width)])
                    }
            }
        }
    }

    func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        state.withLock { state in
            var rest = String(decoding: bytes, as: UTF8.self)[...]
            while let character = rest.popFirst() {
                switch character {
                case "\r\n", "\n":
                    state.row += 1
                    state.column = 0
                    if state.row == state.lines.count { state.lines.append([]) }
                case "\r": state.column -= state.column % state.width
                case "\u{1B}":
                    let sequence = rest.prefix(2)
                    rest = rest.dropFirst(2)
                    let kept = state.lines[state.row].prefix(state.column)
                    if sequence == "[J" {
                        state.lines = Array(state.lines[..<state.row]) + [Array(kept)]
                    } else if sequence == "[K" {
                        // To the end of the row, not of the folded line.
                        let end = min(state.lines[state.row].count, (state.column / state.width + 1) * state.width)
                        state.lines[state.row].replaceSubrange(
                            state.column..<end, with: Array(repeating: " ", count: end - state.column))
                    }
                default:
                    if state.column < state.lines[state.row].count {
                        state.lines[state.row][state.column] = character
                    } else {
                        state.lines[state.row].append(character)
                    }
                    state.column += 1
                }
            }
        }
    }
}
