import BridgeSSH
import ErrorCore
import Testing

@testable import SSHFailure

/// Messages of cmd.exe and PowerShell over SSH, on Windows 10, 11 and Server 2019 to 2025.
@Suite("Words of Windows") struct WindowsWordsTests {
    /// PowerShell 5.1's view of an error, folded at 80 columns, as without a terminal.
    private static func record(_ message: String, _ category: String, _ identifier: String, at place: String = "At line:1 char:1")
        -> String
    {
        "\(message)\r\n\(place)\r\n+ something here\r\n+ ~~~~~~~~~\r\n    + CategoryInfo          : \(category)\r\n"
            + "    + FullyQualifiedErrorId : \(identifier)\r\n \r\n"
    }

    private static let unknown = record(
        "frobnicate : The term 'frobnicate' is not recognized as the name of a cmdlet, \r\nfunction, script file, or operable program. Check "
            + "the spelling of the name, or \r\nif a path was included, verify that the path is correct and try again.",
        "ObjectNotFound: (frobnicate:String) [], CommandNotFoundException", "CommandNotFoundException")

    struct Case: Sendable {
        let text: String
        let code: String
        let error: AppError
        var status = 1
    }

    private static let notFound = AppError.fileNotFound(path: "frobnicate")

    static let cases: [Case] = [
        // cmd.exe, in five languages.
        Case(
            text: "'frobnicate' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n",
            code: "command-not-found", error: notFound),
        Case(
            text: "Der Befehl \"frobnicate\" ist entweder falsch geschrieben oder\r\nkonnte nicht gefunden werden.\r\n",
            code: "command-not-found", error: notFound),
        Case(
            text:
                "'frobnicate' n'est pas reconnu en tant que commande interne\r\nou externe, un programme ex\u{FFFD}cutable ou un fichier de commandes.\r\n",
            code: "command-not-found", error: notFound),
        Case(
            text:
                "\"frobnicate\" no se reconoce como un comando interno o externo,\r\nprograma o archivo por lotes ejecutable.\r\n",
            code: "command-not-found", error: notFound),
        Case(
            text: "'frobnicate' は、内部コマンドまたは外部コマンド、\r\n操作可能なプログラムまたはバッチ ファイルとして認識されていません。\r\n",
            code: "command-not-found", error: notFound),
        Case(
            text: "'frobnicate' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n",
            code: "command-not-found", error: notFound, status: 9009),
        // PowerShell 5.1: by the identifier, which is not translated.
        Case(text: unknown, code: "command-not-found", error: notFound),
        Case(
            text: record(
                "frobnicate : Die Benennung \"frobnicate\" wurde nicht als Name eines Cmdlet, einer Funktion, einer \r\nSkriptdatei oder "
                    + "eines ausf\u{FFFD}hrbaren Programms erkannt.",
                "ObjectNotFound: (frobnicate:String) [], CommandNotFoundException", "CommandNotFoundException",
                at: "In Zeile:1 Zeichen:1"),
            code: "command-not-found", error: notFound),
        Case(
            text: record(
                "Get-Content : Cannot find path 'C:\\no such\\file' because it does not exist.",
                "ObjectNotFound: (C:\\no such\\file:String) [Get-Content], ItemNotFoundException",
                "PathNotFound,Microsoft.PowerShell.Commands.GetContentCommand"),
            code: "file-not-found", error: .fileNotFound(path: "C:\\no such\\file")),
        Case(
            text: record(
                "Get-ChildItem : Der Pfad \"C:\\nix\" kann nicht gefunden werden, da er nicht vorhanden ist.",
                "ObjectNotFound: (C:\\nix:String) [Get-ChildItem], ItemNotFoundException",
                "PathNotFound,Microsoft.PowerShell.Commands.GetChildItemCommand", at: "In Zeile:1 Zeichen:1"),
            code: "file-not-found", error: .fileNotFound(path: "C:\\nix")),
        Case(
            text: record(
                "Get-ChildItem : Access to the path 'C:\\Secret' is denied.",
                "PermissionDenied: (C:\\Secret:String) [Get-ChildItem], UnauthorizedAccessException",
                "DirUnauthorizedAccessError,Microsoft.PowerShell.Commands.GetChildItemCommand"),
            code: "permission-denied", error: .filePermissionDenied(path: "C:\\Secret")),
        Case(
            text: record(
                "C:\\x.ps1 : File C:\\x.ps1 cannot be loaded because running scripts is disabled on this system. For more \r\ninformation, see "
                    + "about_Execution_Policies at https:/go.microsoft.com/fwlink/?LinkID=135170.",
                "SecurityError: (:) [], PSSecurityException", "UnauthorizedAccess"),
            code: "scripts-disabled", error: .permissionDenied(tool: "PowerShell")),
        Case(
            text: record(
                "Die Datei \"C:\\x.ps1\" kann nicht geladen werden, da die Ausf\u{FFFD}hrung von Skripts auf diesem System deaktiviert ist.",
                "Sicherheitsfehler: (:) [], PSSecurityException", "UnauthorizedAccess", at: "In Zeile:1 Zeichen:1"),
            code: "scripts-disabled", error: .permissionDenied(tool: "PowerShell")),
        // `powershell -File` shows no position; the message is folded.
        Case(
            text: "File C:\\deploy.ps1 cannot be loaded because running scripts is disabled on this system. For more \r\n"
                + "information, see about_Execution_Policies at https:/go.microsoft.com/fwlink/?\r\nLinkID=135170.\r\n"
                + "    + CategoryInfo          : SecurityError: (:) [], ParentContainsErrorRecordException\r\n"
                + "    + FullyQualifiedErrorId : UnauthorizedAccess\r\n \r\n",
            code: "scripts-disabled", error: .permissionDenied(tool: "PowerShell")),
        Case(
            text: "File C:\\deploy.ps1 cannot be loaded. The file C:\\deploy.ps1 is not digitally signed. You cannot run \r\n"
                + "this script on the current system. For more information, see about_Execution_Policies at \r\nhttps:/go.microsoft.com/fwlink/?LinkID=135170.\r\n"
                + "    + CategoryInfo          : SecurityError: (:) [], ParentContainsErrorRecordException\r\n"
                + "    + FullyQualifiedErrorId : UnauthorizedAccess\r\n \r\n",
            code: "scripts-disabled", error: .permissionDenied(tool: "PowerShell")),
        Case(
            text:
                "'frobnicate' n’est pas reconnu en tant que commande interne\r\nou externe, un programme exécutable ou un fichier de commandes.\r\n",
            code: "command-not-found", error: notFound),
        // PowerShell 7.
        Case(
            text:
                "\u{1b}[31;1mfrobnicate: \u{1b}[31;1mThe term 'frobnicate' is not recognized as a name of a cmdlet, function, script file, or executable program.\u{1b}[0m\n"
                + "\u{1b}[31;1mCheck the spelling of the name, or if a path was included, verify that the path is correct and try again.\u{1b}[0m\n",
            code: "command-not-found", error: notFound),
        Case(
            text:
                "\u{1b}[91mGet-Item: \u{1b}[0m/x.ps1:1\n\u{1b}[96mLine |\u{1b}[0m\n\u{1b}[96m   1 | \u{1b}[0m Get-Item C:\\nope\n"
                + "     | \u{1b}[91m ~~~~~~~~~\u{1b}[0m\n     | \u{1b}[91mCannot find path 'C:\\nope' because it does not exist.\u{1b}[0m\n",
            code: "file-not-found", error: .fileNotFound(path: "C:\\nope")),
        // Windows' own messages.
        Case(
            text: "The process cannot access the file because it is being used by another process.\r\n", code: "file-busy",
            error: .fileWriteError(
                path: "", reason: "The process cannot access the file because it is being used by another process.")),
        Case(
            text: "Der Prozess kann nicht auf die Datei zugreifen, da sie von einem anderen Prozess verwendet wird.\r\n",
            code: "file-busy",
            error: .fileWriteError(
                path: "",
                reason: "Der Prozess kann nicht auf die Datei zugreifen, da sie von einem anderen Prozess verwendet wird.")),
        Case(
            text: "The requested operation requires elevation.\r\n", code: "privilege-required",
            error: .permissionDenied(tool: "Windows")),
        Case(
            text: "Der angeforderte Vorgang erfordert erhöhte Rechte.\r\n", code: "privilege-required",
            error: .permissionDenied(tool: "Windows")),
        Case(
            text:
                "\r\nError: 740\r\n\r\nElevated permissions are required to run DISM.\r\nUse an elevated command prompt to complete these tasks.\r\n",
            code: "privilege-required", error: .permissionDenied(tool: "Windows")),
        Case(text: "Zugriff verweigert\r\n", code: "permission-denied", error: .filePermissionDenied(path: "")),
        Case(text: "Acceso denegado.\r\n", code: "permission-denied", error: .filePermissionDenied(path: "")),
        Case(
            text: "System error 5 has occurred.\r\n\r\nAccess is denied.\r\n\r\n", code: "permission-denied",
            error: .filePermissionDenied(path: "")),
        Case(
            text: "Das System kann den angegebenen Pfad nicht finden.\r\n", code: "file-not-found", error: .fileNotFound(path: "")
        ),
        Case(
            text: "El sistema no puede encontrar el archivo especificado.\r\n", code: "file-not-found",
            error: .fileNotFound(path: "")),
        Case(
            text: record(
                "Invoke-WebRequest : The remote name could not be resolved: 'web9.example'",
                "InvalidOperation: (System.Net.HttpWebRequest:HttpWebRequest) [Invoke-WebRequest], WebException",
                "WebCmdletWebResponseException,Microsoft.PowerShell.Commands.InvokeWebRequestCommand"),
            code: "name-unknown", error: .dnsError(host: "web9.example")),
        Case(
            text: record(
                "Resolve-DnsName : web9.example : DNS name does not exist",
                "ResourceUnavailable: (web9.example:String) [Resolve-DnsName], Win32Exception",
                "DNS_ERROR_RCODE_NAME_ERROR,Microsoft.DnsClient.Commands.ResolveDnsName"),
            code: "name-unknown", error: .dnsError(host: "web9.example")),
    ]

    /// ping.exe in five languages; the Spanish message has two lines.
    private static let pings: [String] = [
        "Ping request could not find host web9.example. Please check the name and try again.",
        "Ping-Anforderung konnte Host \"web9.example\" nicht finden. Überprüfen Sie den Namen, und versuchen Sie es erneut.",
        "La requête Ping n’a pas pu trouver l’hôte web9.example. Vérifiez le nom et essayez à nouveau.",
        "La solicitud de ping no pudo encontrar el host web9.example. Compruebe el nombre y\r\nvuelva a intentarlo.",
        "ping 要求ではホスト web9.example が見つかりませんでした。ホスト名を確認してもう一度実行してください。",
    ]

    @Test("ping names the host that it does not find", arguments: pings) func unknownHost(_ text: String) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "ping web9.example", standardError: text + "\r\n")
        let error = AppError.dnsError(host: "web9.example")
        #expect(cause?.code == "remote.name-unknown" && cause?.appError == error, "\(String(describing: cause))")
    }

    @Test(
        "a full disk, ERROR_DISK_FULL",
        arguments: [
            "There is not enough space on the disk.", "Es steht nicht genug Speicherplatz auf dem Datenträger zur Verfügung.",
            "Espace insuffisant sur le disque.", "Espacio en disco insuficiente.", "ディスクに十分な空き領域がありません。",
        ])
    func fullDisk(_ text: String) {
        let cause = SSHRemoteCauseClassifier.cause(
            exitStatus: 1, command: "copy a b", standardError: text + "\r\n        0 file(s) copied.\r\n")
        #expect(cause?.code == "remote.no-space", "\(String(describing: cause))")
        let last = SSHRemoteCauseClassifier.cause(exitStatus: 112, command: "copy a b", standardError: text)
        #expect(last?.code == "remote.no-space")
    }

    @Test("a program that a policy forbids, ERROR_ACCESS_DISABLED_BY_POLICY") func blocked() {
        let text = "This program is blocked by group policy. For more information, contact your system administrator.\r\n"
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "tool.exe", standardError: text)
        #expect(cause?.code == "remote.permission-denied", "\(String(describing: cause))")
    }

    @Test("messages of Windows give the cause", arguments: cases) func causes(_ row: Case) {
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: row.status, command: "frobnicate", standardError: row.text)
        #expect(cause?.code == "remote.\(row.code)" && cause?.appError == row.error, "\(String(describing: cause))")
    }

    @Test("a file in use is named if .NET names it") func inUse() {
        let text = Self.record(
            "Get-Content : The process cannot access the file 'C:\\x.log' because it is being used by another process.",
            "ReadError: (C:\\x.log:String) [Get-Content], IOException",
            "GetContentReaderIOError,Microsoft.PowerShell.Commands.GetContentCommand")
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "type x", standardError: text)
        guard case .fileWriteError("C:\\x.log", _)? = cause?.appError else {
            Issue.record("\(String(describing: cause))")
            return
        }
    }

    @Test("the last message is the error's text, without its frame") func lastMessage() {
        func last(_ text: String) -> String { RemoteText.tellingLine(text) }
        #expect(
            last("one\r\n" + Self.unknown)
                == "frobnicate : The term 'frobnicate' is not recognized as the name of a cmdlet, function, script file, or operable program. "
                + "Check the spelling of the name, or if a path was included, verify that the path is correct and try again.")
        #expect(
            last("'x' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n").hasPrefix(
                "'x' is not"))
        // A parser's message stands below the quoted code.
        #expect(
            last(
                "At line:1 char:11\r\n+ cd C:\\app && npm ci\r\n+           ~~\r\n"
                    + "The token '&&' is not a valid statement separator in this version.\r\n"
                    + "    + CategoryInfo          : ParserError: (:) [], ParentContainsErrorRecordException\r\n"
                    + "    + FullyQualifiedErrorId : InvalidEndOfLine\r\n \r\n")
                == "The token '&&' is not a valid statement separator in this version.")
        #expect(last("two\n+ three\n") == "+ three")
    }

    @Test(
        "output that only mentions these words is not a cause",
        arguments: [
            "usage: tool [-f]\n", "FAIL: 'x' was expected to be recognized\n", "line 1\n+ CategoryInfo\n",
        ])
    func nothing(_ text: String) {
        #expect(SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "tool", standardError: text) == nil)
    }

    @Test("a status of Windows is explained") func status() {
        let words = CommandRules.endings.last?.words(
            Seen.exit(0xC000_013A) { $0.endOfOutput = true })
        #expect(words?.message.contains("STATUS_CONTROL_C_EXIT: it was interrupted") == true)
    }

    @Test("for a key that Windows' OpenSSH refuses, the remedy names the file that it reads") func keyHint() {
        var evidence = Seen.login(.credentialsExhausted, [("publickey", .refused)])
        evidence.identification = "SSH-2.0-OpenSSH_for_Windows_9.5"
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.code == .authKeyRejected)
        #expect(error.remedy.contains("administrators_authorized_keys") && !error.remedy.contains("ssh-copy-id"))
        #expect(!error.alternatives.contains { $0.contains("StrictModes") })
        #expect(evidence.openSSHRelease == OpenSSHRelease(9, 5))
    }
}
