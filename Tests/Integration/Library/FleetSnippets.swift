import BridgeSSHFleet

// The programs of docs/guides/library.md that use the fleet: LibraryGuideTests compares.

func rollOut(to hosts: HostSet, with configuration: SSHConnectionConfiguration, resuming run: String?) async throws {
    var limits = FleetLimits()
    limits.batches = [.hosts(1), .percent(10), .percent(100)]
    let options = FleetOptions(
        settings: { host in
            if host.host.name.hasPrefix("db") { host.configuration.timeouts.connect = .seconds(60) }
        },
        betweenBatches: { number in await isHealthy() ? nil : "batch \(number) has harmed something" },
        journal: FleetJournal(in: "/var/lib/deploy/runs", resuming: run))
    let results = try await Fleet.run(
        .command("systemctl restart web"), on: hosts, configuration: configuration, limits: limits, stop: [.failures(3)],
        options: options)
    for result in results where result.outcome != .ok { print(result.host, result.outcome, result.error?.message ?? "") }
}

func isHealthy() async -> Bool { true }
