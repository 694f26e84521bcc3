/// Hosts in the order in which they came, each once, of which some may go again.
struct HostAccumulator {
    private var slots: [Host?] = []
    private var places: [String: Int] = [:]

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }
    var hosts: [Host] { slots.compactMap { $0 } }

    /// Makes room for so many hosts more, as far as they are taken.
    mutating func reserve(_ capacity: Int) {
        let capacity = min(capacity, Int(NumberRange.maximumCount))
        // An array takes the capacity that is asked for exactly: asked for a little more each time, it would be copied each time.
        if slots.count + capacity > slots.capacity { slots.reserveCapacity(max(slots.count + capacity, 2 * slots.capacity)) }
        places.reserveCapacity(places.count + capacity)
    }

    func contains(_ name: String) -> Bool { places[name] != nil }

    mutating func add(_ host: Host) throws(HostSetProblem) {
        if let place = places[host.name] {
            if let known = slots[place] { slots[place] = try known.merged(with: host) }
            return
        }
        if places.count >= NumberRange.maximumCount {
            throw HostSetProblem(
                .tooMany, "More than \(NumberRange.grouped(NumberRange.maximumCount)) hosts are named; no more are taken.")
        }
        places[host.name] = slots.count
        slots.append(host)
    }

    mutating func remove(_ name: String) {
        guard let place = places.removeValue(forKey: name) else { return }
        slots[place] = nil
    }

    /// Keeps what the other one has too.
    mutating func keep(_ other: HostAccumulator) throws(HostSetProblem) {
        var kept = HostAccumulator()
        for host in hosts {
            guard let place = other.places[host.name], let twin = other.slots[place] else { continue }
            try kept.add(host.merged(with: twin))
        }
        self = kept
    }
}
