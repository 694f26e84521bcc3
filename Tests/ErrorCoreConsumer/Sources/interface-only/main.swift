import ErrorCore
import ErrorCoreUI
import Foundation

// The product ErrorCoreUI alone brings the mapping of Foundation's errors.
let content = ErrorAlertContent(ErrorPresentation(URLError(.notConnectedToInternet)))
guard content.title == "No Connection", !content.message.contains("Error Domain") else {
    print("ErrorCoreUI alone: \(content.title): \(content.message)")
    exit(1)
}
print("ErrorCoreUI alone reads URLError")
