/// The journal of a run that keeps none, `--journal none`.
package struct Unrecorded: RunJournal {
    package init() {}

    package func arm(_ host: String) async throws {}
    package func record(_ result: FleetHostResult) async throws {}
    package func finish(_ summary: FleetSummary) async throws {}
}
