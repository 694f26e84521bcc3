// The names of version 0.1, until 1.0.
public import HostSets

/// ``FleetHost``.
@available(*, deprecated, renamed: "FleetHost")
public typealias Host = FleetHost

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
