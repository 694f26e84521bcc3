extension AppError {
    init(decoding error: DecodingError, type: String?) {
        let facts = CodingFacts(error)
        self = .decodingError(type: type ?? facts.type ?? Reason.expectedForm.rawValue, detail: facts.detail)
    }

    init(encoding error: EncodingError, type: String?) {
        guard case .invalidValue(let value, let context) = error else {
            self = .encodingError(type: type ?? Reason.value.rawValue, detail: "")
            return
        }
        // Leave out the value itself: it is the app's data.
        let place = CodingFacts.place(context.codingPath)
        self = .encodingError(
            type: type ?? String(describing: Swift.type(of: value)), detail: place.isEmpty ? context.debugDescription : place)
    }
}

/// The facts of a `DecodingError`, for people.
struct CodingFacts {
    /// The type that was expected.
    var type: String?
    /// The missing field, with its path.
    var missingField: String?
    var detail: String

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.type = String(describing: type)
            detail = "\(Self.place(context.codingPath, else: "the whole")) is not \(self.type ?? "")"
        case .valueNotFound(let type, let context):
            self.type = String(describing: type)
            detail = "\(Self.place(context.codingPath, else: "the whole")) has no value"
        case .keyNotFound(let key, let context):
            let field = Self.place(context.codingPath + [key])
            missingField = field
            detail = "\(field) is missing"
        case .dataCorrupted(let context):
            let place = Self.place(context.codingPath)
            detail = place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
        @unknown default:
            detail = ""
        }
    }

    /// A coding path, written as in code: `user.addresses[2].street`.
    static func place(_ path: [any CodingKey], else whole: String = "") -> String {
        var result = ""
        for key in path {
            if let index = key.intValue {
                result += "[\(index)]"
            } else {
                result += (result.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return result.isEmpty ? whole : result
    }
}
