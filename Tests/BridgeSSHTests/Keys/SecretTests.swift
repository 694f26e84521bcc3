import BridgeSSH
import CTestProcess
import Foundation
import Testing

@testable import SSHKeys

@Suite struct SecretTests {
    @Test("gives the original bytes") func givesTheOriginalBytes() {
        let secret = SSHSecret("pässword")
        #expect(secret.count == 9)
        #expect(!secret.isEmpty)
        #expect(secret.withBytes { Array($0) } == Array("pässword".utf8))
        #expect(secret.withArray { $0 } == Array("pässword".utf8))
        #expect(SSHSecret(bytes: [0, 255]).withArray { $0 } == [0, 255])
        #expect(SSHSecret("").isEmpty)
    }

    @Test("arrays are overwritten in place") func arraysAreOverwrittenInPlace() {
        var array: [UInt8] = [1, 2, 3]
        wipe(&array)
        #expect(array == [0, 0, 0])
        var words: [UInt32] = [1, 2]
        wipe(&words)
        #expect(words == [0, 0])
    }

    @Test("moving overwrites the original") func movingOverwritesTheOriginal() {
        var data = Data([1, 2, 3])
        let secret = SecretBytes(moving: &data)
        #expect(data == Data(count: 3))
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    }

    #if os(Linux)
        @Test("the bytes are overwritten at the end, and so is the copy that a caller was lent") func overwritten() {
            let text = "overwritten-\(UInt64.random(in: 0 ... .max))"
            let count = { test_process_overwritten(text, Int32(text.utf8.count)) }
            do {
                let secret = SSHSecret(text)
                withExtendedLifetime(secret) {
                    #expect(secret.withArray { $0.count } == text.utf8.count)
                    #expect(count() == 1)
                }
            }
            #expect(count() == 2)
        }
    #endif

    @Test("an error while filling a secret is passed on") func aFailingFillIsPassedOn() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try SecretBytes(capacity: 8) { _ in throw Failure() } }
    }
}
