// The names of version 0.1, kept until 1.0. `Host` is not among them: Foundation has a type of that name, so a file that imports
// both modules could name neither.
public import HostSets

/// The former name of ``FleetInventory``.
@available(*, deprecated, renamed: "FleetInventory")
public typealias Inventory = FleetInventory

/// The former name of ``FleetHostResult``.
@available(*, deprecated, renamed: "FleetHostResult")
public typealias HostResult = FleetHostResult

/// The former name of ``FleetHostOutcome``.
@available(*, deprecated, renamed: "FleetHostOutcome")
public typealias HostOutcome = FleetHostOutcome

/// The former name of ``FleetKeptOutput``.
@available(*, deprecated, renamed: "FleetKeptOutput")
public typealias KeptOutput = FleetKeptOutput

extension FleetEvent {
    /// The former name of `SSHEvidence.OutputStream`.
    @available(*, deprecated, renamed: "SSHEvidence.OutputStream")
    public typealias OutputStream = SSHEvidence.OutputStream
}
