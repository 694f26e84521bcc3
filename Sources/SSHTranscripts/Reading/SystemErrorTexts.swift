#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Recognises the error texts of operating systems.
enum SystemErrorTexts {
    /// The failure for an English error text of getaddrinfo(3), in glibc, musl, macOS, OpenBSD or Windows.
    static func resolverFailure(_ reason: String) -> SSHEvidence.ResolverFailure {
        let lower = reason.lowercased()
        // Without the blanks, of which a page may add one where a line was broken.
        let passing = ["temporaryfailure", "temporaryerror", "tryagain", "servermisbehaving", "i/otimeout"]
        let joined = lower.replacing(" ", with: "")
        if passing.contains(where: { joined.mentions($0) }) { return .temporary }
        if lower.mentions("address family") { return .noAddressOfFamily }
        let missing = [
            "not known", "no address associated", "does not resolve", "no such host", "nodename nor servname", "is known",
            "does not exist",
        ]
        if missing.contains(where: { lower.mentions($0) }) { return .notFound }
        return ForeignText.resolverFailure(reason) ?? .other
    }

    /// The errno for an error text of connect(2), in glibc, musl, macOS or Windows; 0 for an unknown one.
    static func systemError(_ reason: String) -> Int32? {
        let texts: [(String, Int32)] = [
            ("connection refused", ECONNREFUSED), ("actively refused", ECONNREFUSED), ("econnrefused", ECONNREFUSED),
            ("timed out", ETIMEDOUT), ("etimedout", ETIMEDOUT), ("properly respond", ETIMEDOUT), ("i/o timeout", ETIMEDOUT),
            ("ehostunreach", EHOSTUNREACH), ("unreachable host", EHOSTUNREACH), ("enetunreach", ENETUNREACH),
            ("unreachable network", ENETUNREACH), ("ehostdown", EHOSTDOWN), ("no route to host", EHOSTUNREACH),
            ("host is unreachable", EHOSTUNREACH), ("host is down", EHOSTDOWN), ("network is unreachable", ENETUNREACH),
            ("network unreachable", ENETUNREACH), ("network is down", ENETDOWN), ("permission denied", EACCES),
            ("operation not permitted", EPERM), ("assign requested address", EADDRNOTAVAIL), ("can't assign", EADDRNOTAVAIL),
            ("address not available", EADDRNOTAVAIL), ("address family not supported", EAFNOSUPPORT),
            ("reset by peer", ECONNRESET), ("caused connection abort", ECONNRESET), ("too many open files", EMFILE),
            ("no buffer space", ENOBUFS),
            ("cannot allocate memory", ENOMEM), ("invalid argument", EINVAL),
        ]
        let lower = reason.lowercased()
        return texts.first { lower.mentions($0.0) }?.1 ?? ForeignText.systemError(reason) ?? windowsError(reason) ?? 0
    }

    /// The errno for a number of Windows Sockets in a text: `[WinError 10061] …`, `(10061)`.
    static func windowsError(_ reason: String) -> Int32? {
        let numbers: [(String, Int32)] = [
            ("10061", ECONNREFUSED), ("10060", ETIMEDOUT), ("10065", EHOSTUNREACH), ("10051", ENETUNREACH), ("10054", ECONNRESET),
            ("10053", ECONNRESET), ("10013", EACCES), ("10049", EADDRNOTAVAIL),
        ]
        return numbers.first { reason.mentions($0.0) }?.1
    }
}

extension String {
    /// The text without these characters, of one scalar each, at either end. Whole characters would cost several times as much.
    func trimming(_ characters: String) -> String {
        let (cut, text) = (characters.unicodeScalars, unicodeScalars)
        let start = text.firstIndex { !cut.contains($0) } ?? text.endIndex
        let end = text[start...].lastIndex { !cut.contains($0) }.map(text.index(after:)) ?? start
        return String(text[start..<end])
    }
}

extension TranscriptReading {
    /// An address that could not be connected to, for an error text of connect(2).
    static func unconnected(_ reason: String, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        unconnected(SystemErrorTexts.systemError(reason), confidence, alternatives: alternatives)
    }
}

/// The error texts of glibc and Windows in other languages than English. Sources: glibc, po/*.po; Microsoft's list of Windows
/// Sockets error codes, in its translations.
enum ForeignText {
    /// The errno for an error text of connect(2); nil if the text is not known.
    static func systemError(_ reason: String) -> Int32? {
        if !isForeign(reason) { return nil }
        let lower = reason.lowercased()
        return errors.first { texts, _ in texts.contains { lower.mentions($0) } }?.1
    }

    /// The failure for an error text of getaddrinfo(3); nil if the text is not known.
    static func resolverFailure(_ reason: String) -> SSHEvidence.ResolverFailure? {
        let lower = reason.lowercased()
        if passing.contains(where: { lower.mentions($0) }) { return .temporary }
        return missing.contains { lower.mentions($0) } ? .notFound : nil
    }

    /// Whether the text is not plain English: it has letters of another alphabet, or words of a known translation.
    static func isForeign(_ reason: String) -> Bool {
        if reason.utf8.contains(where: { $0 >= 0x80 }) || reason.mentions("\\3") || reason.mentions("\\2") { return true }
        return known.occurs(in: reason.lowercased())
    }

    private static let known = WordSet(errors.flatMap(\.0) + missing + passing)

    private static let errors: [([String], Int32)] = [
        (
            [
                "verbindungsaufbau abgelehnt", "zielcomputer die verbindung verweigerte", "connexion refusée",
                "l'a expressément refusée", "l’a expressément refusée", "conexión rehusada", "conexión rechazada",
                "denegó expresamente", "connessione rifiutata", "rifiuto persistente", "conexão recusada", "ligação recusada",
                "recusaram ativamente", "as recusou ativamente", "в соединении отказано", "отверг запрос на подключение",
                "拒绝连接", "连接被拒绝", "积极拒绝", "拒絕連線", "連線被拒", "接続を拒否されました", "によって拒否された",
                "verbinding is geweigerd", "połączenie odrzucone", "spojení odmítnuto", "bağlantı reddedildi", "연결이 거부",
            ], ECONNREFUSED
        ),
        (
            [
                "die wartezeit für die verbindung ist abgelaufen", "das zeitlimit für die verbindung", "zeitüberschreitung",
                "nicht richtig reagiert hat", "expiration du délai d'attente", "délai d'attente", "pas répondu convenablement",
                "expiró el tiempo de conexión", "tiempo de espera", "no respondió adecuadamente", "connessione scaduta",
                "tempo esgotado para conexão", "tempo de espera", "não respondeu corretamente",
                "время ожидания соединения истекло", "не получен нужный отклик", "连接超时", "没有正确答复", "連線逾時",
                "接続がタイムアウト", "正しく応答しなかった", "limit czasu połączenia", "연결 시간 초과",
            ], ETIMEDOUT
        ),
        (
            [
                "keine route zum zielrechner", "aucun chemin d'accès pour atteindre", "ninguna ruta hasta el",
                "no hay ruta hasta", "nessun instradamento per", "não há rota para", "нет маршрута до", "没有到主机的路由", "沒有到主機的路由",
                "ホストへの経路がありません", "brak trasy do hosta", "호스트로 갈 루트가 없음",
            ], EHOSTUNREACH
        ),
        (
            [
                "das netzwerk ist nicht erreichbar", "réseau n'est pas accessible", "la red es inaccesible",
                "la rete non è raggiungibile", "rede está fora de alcance", "сеть недоступна", "网络不可达", "網路無法連接",
                "ネットワークに到達できません",
            ], ENETUNREACH
        ),
        (
            [
                "kommunikationspartner zurückgesetzt", "vom remotehost geschlossen", "ré-initialisée par le correspondant",
                "fermée par l'hôte distant", "fermée par l’hôte distant", "reinicializada por la máquina remota",
                "interrupción de una conexión existente", "interrotta dal corrispondente", "interrotta forzatamente",
                "fechada pela outra ponta", "cancelamento de uma conexão existente", "разорвано другой стороной",
                "принудительно разорвал", "被对方重设", "被对端重置", "强迫关闭了一个现有的连接", "強制關閉", "相手からリセット",
                "強制的に切断",
            ], ECONNRESET
        ),
    ]

    private static let missing = [
        "der name oder der dienst ist nicht bekannt", "der angegebene host ist unbekannt", "kein solcher host bekannt",
        "nom ou service inconnu", "hôte inconnu", "nombre o servicio desconocido", "host desconocido",
        "nome o servizio sconosciuto", "host sconosciuto", "nome ou serviço desconhecido", "este host não é conhecido",
        "имя или служба не известны", "этот хост неизвестен", "未知的名称或服务", "不知道这样的主机", "名前またはサービスが不明",
        "そのようなホストは不明", "naam of dienst is niet bekend", "nieznana nazwa lub usługa", "ad ya da hizmet bilinmiyor",
        // Windows' Chinese text in GBK, as ssh writes bytes that it cannot print.
        "\\262\\273\\326\\252\\265\\300",
    ]

    private static let passing = [
        "temporärer fehler bei der namensauflösung", "échec temporaire dans la résolution", "fallo temporal en la resolución",
        "errore temporaneo nella risoluzione", "falha temporária na resolução", "временный сбой в разрешении", "域名解析暂时失败",
        "域名解析出现暂时性错误", "名前解決に一時的に失敗",
    ]
}
