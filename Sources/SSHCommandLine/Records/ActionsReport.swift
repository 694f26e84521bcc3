import BridgeSSH
import ErrorCore
import SSHRun

/// A run's report in a job of GitHub Actions: an annotation for each cause on standard error, and a job summary.
///
/// Workflow commands, with their special characters escaped: "Workflow commands for GitHub Actions" and `command.ts` of
/// actions/toolkit. GitHub takes ten annotations of a step and 1 MiB of its summary.
package struct ActionsReport: Sendable {
    /// Hosts that failed alike.
    package struct Cause: Sendable {
        package var code: String
        package var title: String
        package var message: String
        package var remedy: String
        /// Folded.
        package var hosts: String

        package init(code: String, title: String, message: String, remedy: String, hosts: String) {
            (self.code, self.title, self.message) = (code, title, message)
            (self.remedy, self.hosts) = (remedy, hosts)
        }
    }

    private static let maximumAnnotations = 10
    private static let maximumRows = 50
    private static let maximumLength = 2000

    private let summaryFile: String?

    /// - Parameters:
    ///   - choice: what the option says; nil asks the environment.
    ///   - variable: the value of a variable of this process.
    /// - Returns: nil if there is nothing to show.
    package init?(_ choice: AnnotationChoice?, variable: (String) -> String? = LaunchEnvironment.variable) {
        guard choice == .github || choice == nil && variable("GITHUB_ACTIONS") == "true" else { return nil }
        summaryFile = variable("GITHUB_STEP_SUMMARY")
    }

    /// - Parameter isQuiet: whether to show only annotations that were explicitly requested.
    /// - Returns: nil if there is nothing to show.
    package init?(_ options: FailureRecordOptions, isQuiet: Bool) {
        if isQuiet, options.annotations == nil { return nil }
        self.init(options.annotations)
    }

    /// Writes both.
    ///
    /// - Parameter headline: one sentence.
    package func write(_ headline: String, _ causes: [Cause]) {
        let lines = causes.prefix(Self.maximumAnnotations).map(Self.annotation)
        if !lines.isEmpty { Console.standardError(lines.joined()) }
        guard let summaryFile else { return }
        guard let file = try? RecordFile(summaryFile, option: "GITHUB_STEP_SUMMARY") else {
            return Console.note("the job summary was not written: \(TerminalText.inert(summaryFile, limit: 200))")
        }
        file.append(Array(Self.summary(headline, causes).utf8))
        if let problem = file.problem { Console.note("the job summary was not written: \(problem)") }
    }

    /// `::error title=ssh.connect.refused::web1: …`, on one line whatever the text.
    static func annotation(_ cause: Cause) -> String {
        let text = [cause.hosts + ": " + cause.message, cause.remedy].filter { !$0.isEmpty }.joined(separator: "\n")
        return "::error title=\(escaped(cause.code, isProperty: true))::\(escaped(text, isProperty: false))\n"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var output = ""
        for scalar in TerminalText.inert(text, limit: maximumLength, keepsLines: true).unicodeScalars {
            switch scalar {
            case "%": output += "%25"
            case "\r": output += "%0D"
            case "\n": output += "%0A"
            case ":" where isProperty: output += "%3A"
            case "," where isProperty: output += "%2C"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// A heading, and a table of the causes.
    static func summary(_ headline: String, _ causes: [Cause]) -> String {
        var lines = ["### \(markdown(headline))", ""]
        if !causes.isEmpty {
            lines += ["| Hosts | What happened | Code | What to do |", "|---|---|---|---|"]
            lines += causes.prefix(maximumRows).map { cause in
                "| \(markdown(cause.hosts)) | \(markdown(cause.message)) | \(markdown(cause.code)) | \(markdown(cause.remedy)) |"
            }
            if causes.count > maximumRows { lines += ["", "\(causes.count - maximumRows) more causes."] }
            lines.append("")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text that Markdown shows literally: each special character gets a backslash (CommonMark, section 2.4).
    private static func markdown(_ text: String) -> String {
        var output = ""
        for scalar in TerminalText.inert(text, limit: maximumLength).unicodeScalars {
            let isPunctuation =
                scalar.isASCII && scalar.value > 0x20 && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
            if isPunctuation { output += "\\" }
            output.unicodeScalars.append(scalar)
        }
        return output
    }
}

extension ActionsReport.Cause {
    /// The failure of one host.
    init(_ error: SSHError, destination: String) {
        self.init(
            code: error.code.rawValue, title: error.code.title, message: error.message, remedy: error.remedy, hosts: destination)
    }
}
