/// The private key files that `ssh` tries by default, in the order of OpenSSH 9.2 (ssh_config(5), IdentityFile), without the
/// types that cannot be used here (XMSS and DSA).
///
/// - Parameter home: the user's home directory.
package func defaultIdentityPaths(home: String) -> [String] {
    let directory = home.hasSuffix("/") ? home + ".ssh/" : home + "/.ssh/"
    return ["id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"].map { directory + $0 }
}
