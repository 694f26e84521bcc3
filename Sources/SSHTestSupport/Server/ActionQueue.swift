/// What a scripted server has yet to do on one connection.
struct ActionQueue {
    struct Step {
        let action: ServerAction
        let occasion: ServerOccasion
    }

    /// Whether keys are being renewed: what belongs to that comes before all that was to come anyway, and all else waits for its end.
    var isRenewingKeys = false
    private var unfinished: Step?
    private var renewal: [Step] = []
    private var ordinary: [Step] = []

    mutating func append(_ actions: [ServerAction], _ occasion: ServerOccasion) {
        let steps = actions.map { Step(action: $0, occasion: occasion) }
        switch occasion.moment {
        case .keyExchangeRequest where isRenewingKeys, .keyExchange where isRenewingKeys, .newKeys where isRenewingKeys:
            renewal += steps
        default: ordinary += steps
        }
    }

    /// Has a step done before all others.
    mutating func putBack(_ step: Step) { unfinished = step }

    mutating func next() -> Step? {
        if let step = unfinished {
            unfinished = nil
            return step
        }
        if !renewal.isEmpty { return renewal.removeFirst() }
        return isRenewingKeys || ordinary.isEmpty ? nil : ordinary.removeFirst()
    }
}
