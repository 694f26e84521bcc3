import BridgeSSH
import SSHRun

/// What a run asks a helper for, with the streams for it.
protocol HelperErrand: Sendable {
    /// Says what is wanted. Called once for each helper that is asked.
    ///
    /// - Returns: the descriptors that the helper gets.
    func complete(_ request: inout RunRequest) -> [Int32]

    /// The helper has its descriptors.
    func sent()

    /// It has begun.
    func began(_ command: RemoteCommand)

    /// Nothing more comes from the helper.
    func ended() async

    /// Whether a stage that the helper enters is the run's own.
    func isShown(_ stage: SSHStage) -> Bool

    /// The verdict for a helper that went away with it.
    var lost: SSHError { get }
}
