extension HTTPStatus {
    /// Why a server refuses a request, where it does not say so itself (RFC 9110 section 15.5, RFC 4918, RFC 6585): the end of
    /// "The server did not accept the request: …".
    static let refusals: [Int: String] = [
        400: "it is malformed",
        411: "the app did not say how long it is",
        412: "something has changed in the meantime",
        413: "what was sent is too large",
        414: "the address is too long",
        415: "what was sent is of a kind that is not supported",
        416: "the part that was asked for does not exist",
        417: "an expectation of the app cannot be met",
        421: "it went to the wrong server",
        422: "what was sent is not valid",
        423: "it is locked",
        424: "an earlier request failed",
        425: "it may be a repetition, which is not accepted this early",
        426: "a newer protocol is needed",
        428: "it must say which version it is based on",
        431: "its header is too large",
    ]
}
