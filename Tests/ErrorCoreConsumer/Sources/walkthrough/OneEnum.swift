import ErrorCore
import Foundation

/// Design 1: one app-wide enum, with texts and recovery options.
func oneEnum() async {
    let error = AppError(URLError(.notConnectedToInternet))
    switch error {
    case .networkUnavailable: break
    default: expect(false, "another case")
    }
    expect(error.title == "No Connection" && error.icon == "wifi.slash", "its title and icon")
    expect(error.recoveryOptions == [.openSettings, .retry], "its options")
    expect(error.localizedDescription == error.userMessage, "its description")

    let german = ErrorText([.title("network.unavailable"): "Keine Verbindung"])
    ErrorText.scoped(to: german) { expect(error.title == "Keine Verbindung", "another language") }
}
