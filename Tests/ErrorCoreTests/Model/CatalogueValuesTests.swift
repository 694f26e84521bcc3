import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

/// Every text of every case with values as they come: empty, white space, very long, on several lines, right to left.
@Suite struct CatalogueValuesTests {
    static let words: [String] = [
        "", " ", "\n\t", String(repeating: "very long ", count: 60), "first line\nsecond line\r\n\r\nthird", "שלום/עולם",
        "ملف.txt",
        "a\u{202E}txt.exe", "ends with a stop.", "[{x}|y]\\", "“quoted”", "\u{2069}\u{2068}", "e\u{301}🎉",
    ]

    static func errors(_ word: String, _ number: Int) -> [AppError] {
        [
            .networkUnavailable, .timeout(seconds: number), .serverError(status: number, message: word),
            .serverError(status: number, message: nil), .sslError(description: word), .dnsError(host: word),
            .webSocketConnectionFailed(reason: word), .webSocketDisconnected(code: nil, reason: word),
            .webSocketDisconnected(code: number, reason: nil), .webSocketMessageInvalid(detail: word), .webSocketPingTimeout,
            .apiNotFound(endpoint: word), .apiBadRequest(message: word), .apiUnauthorized, .apiRateLimited(retryAfter: number),
            .apiRateLimited(retryAfter: nil), .apiDecodingError(type: word, detail: word), .apiMissingField(field: word),
            .agentBusy, .agentCreationFailed(reason: word), .agentAborted, .agentExecutionError(message: word),
            .agentSessionNotFound(sessionId: word), .agentModelUnavailable(model: word), .permissionDenied(tool: word),
            .permissionTimeout(tool: word, seconds: number), .permissionSystemError(detail: word),
            .sshConnectionFailed(host: word, reason: word), .sshAuthenticationFailed(method: word),
            .sshCommandFailed(command: word, exitCode: number, stderr: word),
            .sshCommandFailed(command: word, exitCode: -1, stderr: nil), .sshTimeout(seconds: number),
            .sshKeyInvalid(reason: word), .sshHostKeyMismatch(host: word), .fileNotFound(path: word),
            .fileReadError(path: word, reason: word), .fileWriteError(path: word, reason: word),
            .insufficientDiskSpace(required: Int64(number), available: Int64(number)), .filePermissionDenied(path: word),
            .encodingError(type: word, detail: word), .decodingError(type: word, detail: word),
            .databaseError(operation: word, detail: word), .migrationError(from: number, to: number, reason: word),
            .validationError(field: word, message: word), .invalidURL(string: word), .invalidProjectPath(path: word),
            .sessionNotFound(id: word), .sessionArchived(id: word), .sessionExportFailed(reason: word),
            .sessionSearchFailed(query: word, reason: word), .projectNotFound(path: word),
            .projectCloneFailed(url: word, reason: word), .projectAlreadyExists(path: word), .cancelled, .unknown(message: word),
            .internalError(detail: word), .featureUnavailable(feature: word),
        ]
    }

    @Test("messages are sentences", arguments: words, [-5, 0, 1, 403, Int.max]) func isASentence(_ word: String, _ number: Int) {
        let errors = Self.errors(word, number)
        #expect(Set(errors.map(\.kind)).count == AppError.Kind.allCases.count)
        for error in errors {
            let message = error.userMessage
            #expect(message.last.map { ".!?…。\u{2069}".contains($0) } == true, "\(message)")
            #expect(message.first?.isWhitespace == false && !message.contains("  "), "\(message)")
            #expect(message.firstIndex { $0.isNewline } == nil, "\(message)")
            for wrong in [" .", " ,", " :", "“”", ": .", "..", "()", "at .", "the  "] where !word.contains("[") {
                #expect(!message.contains(wrong), "\(message)")
            }
            #expect(message.count < 1000 && message.count > 10, "\(message)")
            #expect((1...4).contains(error.title.split(separator: " ").count))
            #expect(error.recoverySuggestion?.isEmpty == false)
            // A value's text must stay within its field.
            let scalars = message.unicodeScalars
            #expect(scalars.count { $0 == "\u{2068}" } == scalars.count { $0 == "\u{2069}" })
            #expect(!scalars.contains("\u{202E}"))
            #expect(!TerminalBanner().render(ErrorPresentation(error)).contains("\\u{2068}"))
        }
    }

    @Test("empty values count as missing") func emptyValuesReadAsIfTheyWereNotThere() {
        #expect(AppError.fileNotFound(path: "").userMessage == "The file does not exist.")
        #expect(AppError.filePermissionDenied(path: "").userMessage == "You do not have permission to access the file.")
        #expect(AppError.dnsError(host: " ").userMessage == "No address could be found for the host.")
        #expect(AppError.permissionDenied(tool: "").userMessage == "The tool was not allowed to do this.")
        #expect(AppError.invalidURL(string: "").userMessage == "The address is empty.")
    }

    @Test("right to left values are isolated") func rightToLeftValuesAreIsolated() {
        #expect(AppError.fileNotFound(path: "/ملف").userMessage == "There is no file at \u{2068}/ملف\u{2069}.")
        let html = ErrorHTML.fragment(ErrorPresentation(AppError.fileNotFound(path: "/ملف")))
        #expect(html.contains("There is no file at <bdi>/ملف</bdi>."))
        #expect(ErrorOccurrence(AppError.fileNotFound(path: "/ملف"), context: ErrorContext()).record.message.contains("at /ملف."))
    }
}
