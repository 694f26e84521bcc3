import ErrorCore
import Foundation
import Testing

@Suite struct CodingMappingTests {
    struct Street: Codable { var name: String }
    struct User: Codable { var addresses: [Street]; var age: Int }

    static let rows: [(json: String, error: AppError)] = [
        (
            #"{"addresses":[{"name":"a"},{}],"age":1}"#,
            .decodingError(type: "the expected form", detail: "addresses[1].name is missing")
        ),
        (#"{"addresses":[],"age":"x"}"#, .decodingError(type: "Int", detail: "age is not Int")),
        (#"{"addresses":[{"name":null}],"age":1}"#, .decodingError(type: "String", detail: "addresses[0].name has no value")),
        ("[]", .decodingError(type: "Dictionary<String, Any>", detail: "the whole is not Dictionary<String, Any>")),
    ]

    @Test("names the type and the path", arguments: rows) func namesTheTypeAndThePath(_ json: String, _ expected: AppError) {
        #expect(throws: (any Error).self) {
            do {
                _ = try JSONDecoder().decode(User.self, from: Data(json.utf8))
            } catch {
                #expect(AppError(error) == expected)
                throw error
            }
        }
    }

    @Test("broken data and a hint") func brokenDataAndAHint() {
        do {
            _ = try JSONDecoder().decode(User.self, from: Data("{".utf8))
            Issue.record("it decoded")
        } catch {
            guard case .decodingError("User", let detail) = AppError(error, hints: .init(type: "User")) else {
                Issue.record("\(AppError(error))")
                return
            }
            #expect(!detail.isEmpty)
        }
    }

    @Test("encoding errors name the place, not the value") func encodingNamesThePlaceNotTheValue() {
        do {
            _ = try JSONEncoder().encode(["a": [1.0, Double.infinity]])
            Issue.record("it encoded")
        } catch {
            #expect(AppError(error) == .encodingError(type: "Double", detail: "a[1]"))
        }
    }
}
