import BridgeSSH
import NIOPosix
import Testing

@Suite("Opening connections") struct ConnectorTests {
    @Test("a local address decides the family", arguments: [nil, "127.0.0.1", "::1"], [SSHAddressFamily.any, .ipv4, .ipv6])
    func family(localAddress: String?, family: SSHAddressFamily) {
        let deadline = PausableDeadline(seconds: 1, on: MultiThreadedEventLoopGroup.singleton.any())
        let connector = Connector(
            family: family, localAddress: localAddress, resolveTimeout: 1, deadline: deadline, resolved: { _ in },
            tried: { _ in },
            watch: { _ in })
        #expect(connector.family == (localAddress == nil ? family : localAddress == "::1" ? .ipv6 : .ipv4))
    }
}
