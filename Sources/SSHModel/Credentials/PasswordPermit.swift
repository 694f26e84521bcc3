/// Decides, for the host that it belongs to, whether the password is offered at all, and learns what became of it: many hosts that are
/// given the same wrong password would lock as many accounts.
package protocol PasswordPermit: Sendable {
    /// Called before the password is offered for the first time in a connection. Time spent here counts against no deadline.
    func mayOffer() async -> Bool
    /// The password that might be offered was not, and will not be on this connection.
    func unused() async
    /// The server has accepted or refused the password. Not called where the connection ends without an answer, in which the server
    /// may have counted a try.
    func answered(accepted: Bool) async
}
