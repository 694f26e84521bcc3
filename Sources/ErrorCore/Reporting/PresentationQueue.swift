#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which of several errors is shown: the most severe, and of equally severe ones the first. A value without time or I/O.
struct PresentationQueue: Sendable {
    /// The greatest number that wait; of more, the least severe and latest are dropped.
    static let limit = 50

    /// Sorted: the first is shown.
    private(set) var waiting: [ErrorPresentation] = []

    var current: ErrorPresentation? { waiting.first }

    /// Puts an error in its place. `pinned` is the one that is being recovered from: nothing is put before it.
    mutating func add(_ presentation: ErrorPresentation, pinned: UUID? = nil) {
        var index = waiting.firstIndex { $0.severity < presentation.severity } ?? waiting.endIndex
        if let pinned, index == 0, waiting.first?.id == pinned { index = 1 }
        waiting.insert(presentation, at: index)
        if waiting.count > Self.limit { waiting.removeLast() }
    }

    mutating func remove(_ id: UUID) {
        waiting.removeAll { $0.id == id }
    }

    mutating func update(_ id: UUID, _ change: (inout ErrorPresentation) -> Void) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        change(&waiting[index])
    }

    subscript(id: UUID) -> ErrorPresentation? {
        waiting.first { $0.id == id }
    }
}
