/// The plural categories of whole numbers (Unicode CLDR, "Language Plural Rules", cardinal), which Foundation offers only
/// through string tables.
enum PluralRules {
    /// `zero`, `one`, `two`, `few`, `many` or `other`. A language that is not listed counts as English does.
    static func category(of number: Int, language: String) -> String {
        let n = Int(number.magnitude % 1_000_000)
        let (tens, hundreds) = (n % 10, n % 100)
        switch language {
        case "ja", "zh", "ko", "th", "vi", "id", "ms", "lo", "my": return "other"
        case "fr", "pt", "hi", "bn", "fa", "gu", "hy": return n <= 1 ? "one" : "other"
        case "ru", "uk", "be":
            if tens == 1, hundreds != 11 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "pl":
            if n == 1 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "hr", "sr", "bs":
            if tens == 1, hundreds != 11 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "other"
        case "cs", "sk": return n == 1 ? "one" : (2...4).contains(n) ? "few" : "other"
        case "sl": return hundreds == 1 ? "one" : hundreds == 2 ? "two" : (3...4).contains(hundreds) ? "few" : "other"
        case "ro": return n == 1 ? "one" : n == 0 || (1...19).contains(hundreds) ? "few" : "other"
        case "lt":
            if (11...19).contains(hundreds) || tens == 0 { return "other" }
            return tens == 1 ? "one" : "few"
        case "lv":
            if tens == 0 || (11...19).contains(hundreds) { return "zero" }
            return tens == 1 ? "one" : "other"
        case "he": return n == 1 ? "one" : n == 2 ? "two" : "other"
        case "ar":
            if n <= 2 { return ["zero", "one", "two"][n] }
            return (3...10).contains(hundreds) ? "few" : (11...99).contains(hundreds) ? "many" : "other"
        default: return n == 1 ? "one" : "other"
        }
    }
}
