/// Hosts in the order of arrival, each once. Hosts can be removed.
struct HostAccumulator {
    private var slots: [FleetHost?] = []
    private var places: [String: Int] = [:]

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }
    var hosts: [FleetHost] { slots.compactMap { $0 } }

    /// Reserves capacity for this many more hosts, up to the limit.
    mutating func reserve(_ capacity: Int) {
        let capacity = min(capacity, Int(NumberRange.maximumCount))
        // `reserveCapacity` reserves exactly the given capacity. Without doubling, many small reservations would copy the array
        // each time.
        if slots.count + capacity > slots.capacity { slots.reserveCapacity(max(slots.count + capacity, 2 * slots.capacity)) }
        places.reserveCapacity(places.count + capacity)
    }

    func contains(_ name: String) -> Bool { places[name] != nil }

    mutating func add(_ host: FleetHost) throws(HostSetProblem) {
        let place = Self.place(in: &places[host.name, default: slots.count])
        if place < slots.count {
            if let known = slots[place] { slots[place] = try known.merged(with: host) }
            return
        }
        if places.count > NumberRange.maximumCount {
            places[host.name] = nil
            throw HostSetProblem(
                .tooMany, "More than \(NumberRange.grouped(NumberRange.maximumCount)) hosts are named; no more are taken.")
        }
        slots.append(host)
    }

    /// The index of a name. Looks the name up only once, and adds it to the dictionary if it is missing.
    private static func place(in entry: inout Int) -> Int { entry }

    mutating func remove(_ name: String) {
        guard let place = places.removeValue(forKey: name) else { return }
        slots[place] = nil
    }

    /// Keeps only the hosts that the other set also has.
    mutating func keep(_ other: HostAccumulator) throws(HostSetProblem) {
        var kept = HostAccumulator()
        for host in hosts {
            guard let place = other.places[host.name], let twin = other.slots[place] else { continue }
            try kept.add(host.merged(with: twin))
        }
        self = kept
    }
}
