import BridgeSSHFleet
import Testing

@Suite("File names for hosts") struct HostFileNameTests {
    @Test("different hosts have different files")
    func distinct() {
        let long = String(repeating: "x", count: 300)
        let names = ["a/b", "a%2Fb", "a%2fb", "", "%", "%%", long + "1", long + "2", "web1", "user@web1:22", "[::1]:22"]
        #expect(Set(names.map(HostFileName.of)).count == names.count)
        #expect(HostFileName.of("deploy@web-1.lan:2222") == "deploy@web-1.lan:2222")
        #expect(HostFileName.of("[::1]:22") == "[::1]:22")
    }
}
