/// Alternatives that several readings share.
enum SharedAlternatives {
    static let closedEarly = [
        "it refuses connections: too many are open, or this address is blocked", "it does not speak SSH",
    ]
    static let login = [
        "the password was refused", "there was no key, agent or password that the server accepts",
        "it asks for another factor", "too many keys were tried",
    ]
}
