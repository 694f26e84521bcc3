// The names of version 0.1, until 1.0. `Host` is not among them: Foundation has a type of this name, and a file that imports
// both could name neither.
public import HostSets

/// ``FleetInventory``.
@available(*, deprecated, renamed: "FleetInventory")
public typealias Inventory = FleetInventory

/// ``FleetHostResult``.
@available(*, deprecated, renamed: "FleetHostResult")
public typealias HostResult = FleetHostResult

/// ``FleetHostOutcome``.
@available(*, deprecated, renamed: "FleetHostOutcome")
public typealias HostOutcome = FleetHostOutcome

/// ``FleetKeptOutput``.
@available(*, deprecated, renamed: "FleetKeptOutput")
public typealias KeptOutput = FleetKeptOutput

extension FleetEvent {
    /// ``BridgeSSH/SSHEvidence/OutputStream``.
    @available(*, deprecated, renamed: "SSHEvidence.OutputStream")
    public typealias OutputStream = SSHEvidence.OutputStream
}
