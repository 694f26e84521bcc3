/// A problem with a file or the network, as reported by the C library.
enum RemoteTrouble: String, Sendable, Hashable, CaseIterable {
    case fileNotFound, permissionDenied, noSpace, quotaExceeded, readOnly, inputOutput, busy, isDirectory, notDirectory
    case tooLarge, exists, badPath, refused, unreachable, timedOut, reset, notConnected, nameUnknown

    /// One wording of a problem.
    struct Wording: Sendable {
        /// The position of a wording in a message.
        enum Kind: Sendable {
            /// On its own: `cat: x: No such file or directory`.
            case reason
            /// After its subject: `Path 'x' does not exist`.
            case predicate
            /// Before its object: `Could not resolve host: x`.
            case opening
            /// An errno name such as `ENOENT`, which must be in capitals.
            case code
        }

        let trouble: RemoteTrouble
        /// The text in lower case.
        let text: String
        let printed: String
        let kind: Kind
    }

    /// Longer wordings come first, so that they win over wordings that they contain.
    static let wordings: [Wording] =
        (wordings(table, .reason) + wordings(predicates, .predicate) + wordings(openings, .opening) + wordings(codes, .code)
        + wordings(classes, .reason))
        .sorted { $0.text.utf8.count > $1.text.utf8.count }

    private static func wordings(_ table: [(RemoteTrouble, [String])], _ kind: Wording.Kind) -> [Wording] {
        table.flatMap { trouble, texts in texts.map { Wording(trouble: trouble, text: $0.lowercased(), printed: $0, kind: kind) }
        }
    }

    /// Messages of strerror(3) and gai_strerror(3) of glibc 2.36 in English, German, French, Spanish, Japanese and Chinese
    /// (simplified, traditional), as printed in each locale. The first line of each entry also has those of musl, the BSDs,
    /// shells and Windows. The last ones are from Windows' FormatMessage in German, French, Spanish and Japanese.
    private static let table: [(RemoteTrouble, [String])] = [
        (
            .fileNotFound,
            [
                "No such file or directory", "Directory nonexistent", "nonexistent directory", "no such file", "file not found",
                "The system cannot find the file specified", "The system cannot find the path specified", "Stale file handle",
                "java.nio.file.NoSuchFileException",
                "Datei oder Verzeichnis nicht gefunden", "Veraltete Dateizugriffsnummer (file handle)",
                "Aucun fichier ou dossier de ce type", "Panne d'accès au fichier",
                "No existe el fichero o el directorio", "`handle' de fichero en desuso",
                "そのようなファイルやディレクトリはありません",
                "没有那个文件或目录", "过旧的文件控柄",
                "沒有此一檔案或目錄", "過舊的檔案控柄",
                "Das System kann die angegebene Datei nicht finden", "Das System kann den angegebenen Pfad nicht finden",
                "Le fichier spécifié est introuvable", "Le chemin d'accès spécifié est introuvable",
                "Le chemin d’accès spécifié est introuvable", "El sistema no puede encontrar el archivo especificado",
                "El sistema no puede encontrar la ruta especificada", "指定されたファイルが見つかりません", "指定されたパスが見つかりません",
            ]
        ),
        (
            .permissionDenied,
            [
                "Permission denied", "Access is denied", "Operation not permitted", "Not permitted", "Insufficient permission",
                "java.nio.file.AccessDeniedException",
                "Keine Berechtigung", "Die Operation ist nicht erlaubt",
                "Permission non accordée", "Opération non permise",
                "Permiso denegado", "Operación no permitida",
                "許可がありません", "許可されていない操作です",
                "权限不够", "不允许的操作",
                "拒絕不符權限的操作", "此項操作並不被允許",
                "Zugriff verweigert", "Accès refusé", "Acceso denegado", "アクセスが拒否されました", "System error 5 has occurred",
                "Systemfehler 5 aufgetreten", "Error de sistema 5", "システム エラー 5 が発生しました",
                "This program is blocked by group policy",
            ]
        ),
        (
            .noSpace,
            [
                "No space left on device", "There is not enough space on the disk", "not enough space on the disk",
                "out of disk space", "disk full", "No space left",
                "Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
                "Aucun espace disponible sur le périphérique",
                "No queda espacio en el dispositivo",
                "デバイスに空き領域がありません",
                "Es steht nicht genug Speicherplatz auf dem Datenträger zur Verfügung", "Espace insuffisant sur le disque",
                "Espacio en disco insuficiente", "ディスクに十分な空き領域がありません",
                "设备上没有空间",
                "裝置上已無多餘空間",
            ]
        ),
        (
            .quotaExceeded,
            [
                "Disk quota exceeded", "Disc quota exceeded", "Quota exceeded",
                "Der zugewiesene Plattenplatz (Quota) ist überschritten",
                "Débordement du quota d'espace disque",
                "Se ha excedido la cuota de disco",
                "ディスク使用量制限を超過しました",
                "超出磁盘限额",
                "磁碟配額已滿",
            ]
        ),
        (
            .readOnly,
            [
                "Read-only file system", "The media is write protected",
                "Das Dateisystem ist nur lesbar",
                "Système de fichiers accessible en lecture seulement",
                "Sistema de ficheros de sólo lectura",
                "読み込み専用ファイルシステムです",
                "只读文件系统",
                "唯讀的檔案系統",
            ]
        ),
        (
            .inputOutput,
            [
                "Input/output error", "I/O error",
                "Eingabe-/Ausgabefehler",
                "Erreur d'entrée/sortie",
                "Error de entrada/salida",
                "入力/出力エラーです",
                "输入/输出错误",
                "輸入/輸出錯誤",
            ]
        ),
        (
            .busy,
            [
                "Text file busy", "Device or resource busy", "Resource busy",
                "Das Programm kann nicht ausgeführt oder verändert werden (busy)",
                "Das Gerät oder die Ressource ist belegt",
                "Fichier texte occupé", "Périphérique ou ressource occupé",
                "El fichero de texto está ocupado", "Dispositivo o recurso ocupado",
                "テキストファイルがビジー状態です", "デバイスもしくはリソースがビジー状態です",
                "文本文件忙", "设备或资源忙",
                "文字檔忙錄中", "裝置或系統資源忙碌中",
                "The process cannot access the file because it is being used by another process",
                "Der Prozess kann nicht auf die Datei zugreifen, da sie von einem anderen Prozess verwendet wird",
                "Le processus ne peut pas accéder au fichier car ce fichier est utilisé par un autre processus",
                "El proceso no tiene acceso al archivo porque está siendo utilizado por otro proceso",
                "プロセスはファイルにアクセスできません。別のプロセスが使用中です",
            ]
        ),
        (
            .isDirectory,
            [
                "Is a directory", "cannot overwrite directory",
                "Ist ein Verzeichnis",
                "est un dossier",
                "Es un directorio",
                "ディレクトリです",
                "是一个目录",
                "是個目錄",
            ]
        ),
        (
            .notDirectory,
            [
                "Not a directory", "cannot overwrite non-directory", "java.nio.file.NotDirectoryException",
                "Ist kein Verzeichnis",
                "N'est pas un dossier",
                "No es un directorio",
                "ディレクトリではありません",
                "不是目录",
                "並不是一個目錄",
            ]
        ),
        (
            .tooLarge,
            [
                "File too large",
                "Die Datei ist zu groß",
                "Fichier trop gros",
                "Fichero demasiado grande",
                "ファイルが大きすぎます",
                "文件过大",
                "檔案太大",
            ]
        ),
        (
            .exists,
            [
                "File exists", "File already exists", "Directory not empty", "cannot overwrite existing file",
                "java.nio.file.FileAlreadyExistsException", "java.nio.file.DirectoryNotEmptyException",
                "Die Datei existiert bereits", "Das Verzeichnis ist nicht leer",
                "Le fichier existe", "Le dossier n'est pas vide",
                "El fichero ya existe", "El directorio no está vacío",
                "ファイルが存在します", "ディレクトリは空ではありません",
                "文件已存在", "目录非空",
                "檔案已存在", "目錄不是空的",
            ]
        ),
        (
            .badPath,
            [
                "Too many levels of symbolic links", "File name too long", "Symbolic link loop", "Filename too long",
                "Zu viele Ebenen aus symbolischen Links", "Der Dateiname ist zu lang",
                "Trop de niveaux de liens symboliques", "Nom de fichier trop long",
                "Demasiados niveles de enlaces simbólicos", "Nombre de fichero demasiado largo",
                "シンボリックリンクの階層が多すぎます", "ファイル名が長すぎます",
                "符号连接的层数过多", "文件名过长",
                "太多層級的符號連結檔", "檔名太長",
            ]
        ),
        (
            .refused,
            [
                "Connection refused",
                "Verbindungsaufbau abgelehnt",
                "Connexion refusée",
                "Conexión rehusada",
                "接続を拒否されました",
                "拒绝连接",
                "連線被拒絕",
            ]
        ),
        (
            .unreachable,
            [
                "No route to host", "Host is unreachable", "Host unreachable", "Network is unreachable",
                "Network unreachable", "Network is down", "Host is down",
                "Keine Route zum Zielrechner", "Das Netzwerk ist nicht erreichbar", "Das Netzwerk ist nicht aktiv",
                "Der Rechner ist nicht aktiv",
                "Aucun chemin d'accès pour atteindre l'hôte cible", "Le réseau n'est pas accessible",
                "Le réseau ne fonctionne pas", "L'hôte cible est arrêté ou en panne",
                "No existe ninguna ruta hasta el `host'", "La red es inaccesible", "La red no está activa",
                "El `host' no está operativo",
                "ホストへの経路がありません", "ネットワークに届きません", "ネットワークが落ちています", "ホストが落ちています",
                "没有到主机的路由", "网络不可达", "网络已关闭", "主机关闭",
                "找不到通往該主機的路由路徑", "無法接觸網路", "網路停擺", "遠端系統已停機了",
            ]
        ),
        (
            .timedOut,
            [
                "Connection timed out", "Operation timed out", "timed out", "Connect timed out", "Read timed out",
                "i/o timeout", "Connection timeout", "timeout waiting for daemon connection",
                "Die Wartezeit für die Verbindung ist abgelaufen",
                "Connexion terminée par expiration du délai d'attente",
                "Expiró el tiempo de conexión",
                "接続がタイムアウトしました",
                "连接超时",
                "連線超過時間",
            ]
        ),
        (
            .reset,
            [
                "Connection reset by peer", "Connection reset",
                "Die Verbindung wurde vom Kommunikationspartner zurückgesetzt",
                "Connexion ré-initialisée par le correspondant",
                "Conexión reinicializada por la máquina remota",
                "接続が相手からリセットされました",
                "连接被对方重设",
                "連線被對方重設",
            ]
        ),
        (
            .nameUnknown,
            [
                "Name or service not known", "Name does not resolve", "nodename nor servname provided, or not known",
                "no such host", "Unknown host", "Host not found", "java.net.UnknownHostException",
                "No address associated with hostname", "Temporary failure in name resolution",
                "Der Name oder der Dienst ist nicht bekannt", "Zu diesem Hostnamen gehört keine Adresse",
                "Temporärer Fehler bei der Namensauflösung",
                "Nom ou service inconnu", "Aucune adresse associée avec le nom de l'hôte",
                "Échec temporaire dans la résolution du nom",
                "Nombre o servicio desconocido", "No existe ninguna dirección asociada al nombre",
                "Fallo temporal en la resolución del nombre",
                "名前またはサービスが不明です", "ホスト名にアドレスが割り当てられていません", "名前解決に一時的に失敗しました",
                "未知的名称或服务", "没有与主机名关联的地址", "域名解析暂时失败",
                "名稱或服務未知", "沒有位址關聯至此主機名稱", "解析名稱時發生暫時性錯誤",
                "No such host is known", "DNS name does not exist", "Es ist kein solcher Host bekannt", "Hôte inconnu",
                "Host desconocido", "そのようなホストは不明です",
            ]
        ),
    ]

    /// Python's exception names for errno values, for exceptions with another text.
    private static let classes: [(RemoteTrouble, [String])] = [
        (.fileNotFound, ["FileNotFoundError"]), (.permissionDenied, ["PermissionError"]), (.isDirectory, ["IsADirectoryError"]),
        (.notDirectory, ["NotADirectoryError"]), (.exists, ["FileExistsError"]), (.refused, ["ConnectionRefusedError"]),
        (.reset, ["ConnectionResetError"]), (.timedOut, ["TimeoutError", "java.net.SocketTimeoutException"]),
        (.unreachable, ["java.net.NoRouteToHostException"]),
    ]

    /// Messages of particular programs, after their subject. Git's are included in its translations.
    private static let predicates: [(RemoteTrouble, [String])] = [
        (
            .fileNotFound,
            [
                "does not exist", "doesn't exist", "existiert nicht", "n'existe pas", "no existe", "は存在しません", "不存在", "not found",
            ]
        ),
        (
            .exists,
            [
                "already exists", "existiert bereits", "existe déjà", "ya existe", "は既に存在します", "已经存在", "已經存在",
            ]
        ),
        (.isDirectory, ["is a directory"]),
        (.notDirectory, ["is not a directory"]),
        (
            .permissionDenied,
            ["is denied", "is not writable", "is not readable", "wurde verweigert", "est refusé", "está denegado"]
        ),
        // .NET messages, as PowerShell prints them.
        (
            .busy,
            [
                "because it is being used by another process", "da sie von einem anderen Prozess verwendet wird",
                "car il est en cours d'utilisation par un autre processus", "porque está siendo utilizado en otro proceso",
            ]
        ),
    ]

    private static let openings: [(RemoteTrouble, [String])] = [
        (
            .nameUnknown,
            [
                "could not resolve host", "couldn't resolve host", "could not resolve proxy", "couldn't resolve proxy",
                "unable to resolve host address", "Temporary failure resolving", "Failed to resolve", "bad address",
                "unknown host",
                "could not translate host name", "getaddrinfo ENOTFOUND", "getaddrinfo EAI_AGAIN",
                "The remote name could not be resolved", "Der Remotename konnte nicht aufgelöst werden",
                "Le nom distant n'a pas pu être résolu", "No se puede resolver el nombre remoto",
                "リモート名を解決できませんでした", "Ping request could not find host", "Ping-Anforderung konnte Host",
                "La requête Ping n’a pas pu trouver l’hôte", "La requête Ping n'a pas pu trouver l'hôte",
                "La solicitud de ping no pudo encontrar el host", "ping 要求ではホスト",
            ]
        ),
        (.fileNotFound, ["Could not find file", "Could not find a part of the path"]),
        (.permissionDenied, ["Access to the path"]),
        (
            .notConnected,
            [
                "Couldn't connect to server", "Failed to connect to", "Cannot connect to the Docker daemon",
                "Could not connect to",
                "Unable to connect to",
            ]
        ),
    ]

    /// The names of errno values, as Node and other programs print them.
    private static let codes: [(RemoteTrouble, [String])] = [
        (.fileNotFound, ["ENOENT"]), (.permissionDenied, ["EACCES", "EPERM"]), (.noSpace, ["ENOSPC"]),
        (.quotaExceeded, ["EDQUOT"]),
        (.readOnly, ["EROFS"]), (.inputOutput, ["EIO"]), (.busy, ["EBUSY", "ETXTBSY"]), (.isDirectory, ["EISDIR"]),
        (.notDirectory, ["ENOTDIR"]), (.tooLarge, ["EFBIG"]), (.exists, ["EEXIST", "ENOTEMPTY"]),
        (.badPath, ["ELOOP", "ENAMETOOLONG"]), (.refused, ["ECONNREFUSED"]), (.unreachable, ["EHOSTUNREACH", "ENETUNREACH"]),
        (.timedOut, ["ETIMEDOUT"]), (.reset, ["ECONNRESET"]),
    ]
}
