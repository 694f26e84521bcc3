extension ErrorRecoveryOption.ID {
    /// Try the same operation again.
    public static let retry: Self = "retry"
    /// Give up the operation.
    public static let cancel: Self = "cancel"
    /// Close the message.
    public static let dismiss: Self = "dismiss"
    /// Connect again.
    public static let reconnect: Self = "reconnect"
    /// Open the app's own settings.
    public static let checkSettings: Self = "check-settings"
    /// Open the system settings.
    public static let openSettings: Self = "open-settings"
    /// Stop the running operation.
    public static let abort: Self = "abort"
    /// Wait until the running operation has ended.
    public static let waitForCompletion: Self = "wait"
    /// Choose a file.
    public static let browse: Self = "browse"
    /// Grant the permission and try again.
    public static let retryWithPermission: Self = "grant-permission"
    /// Continue without the tool.
    public static let skipTool: Self = "skip"
}

extension ErrorRecoveryOption {
    /// Try the same operation again.
    public static var retry: Self { common(.retry) }
    /// Give up the operation.
    public static var cancel: Self { common(.cancel) }
    /// Close the message.
    public static var dismiss: Self { common(.dismiss) }
    /// Connect again.
    public static var reconnect: Self { common(.reconnect) }
    /// Open the app's own settings.
    public static var checkSettings: Self { common(.checkSettings) }
    /// Open the system settings.
    public static var openSettings: Self { common(.openSettings) }
    /// Stop the running operation.
    public static var abort: Self { common(.abort) }
    /// Wait until the running operation has ended.
    public static var waitForCompletion: Self { common(.waitForCompletion) }
    /// Choose a file.
    public static var browse: Self { common(.browse) }
    /// Grant the permission and try again.
    public static var retryWithPermission: Self { common(.retryWithPermission) }
    /// Continue without the tool.
    public static var skipTool: Self { common(.skipTool) }

    /// The option with this identity, titled by the current ``ErrorText``.
    static func common(_ id: ID) -> Self {
        let row = commonRows[id]
        return Self(
            id: id, title: ErrorText.current.optionTitle(id) ?? id.rawValue, icon: row?.icon, style: row?.style ?? .secondary)
    }

    /// English title, symbol and style of the common options.
    static let commonRows: [ID: (title: String, icon: String?, style: Style)] = [
        .retry: ("Retry", "arrow.clockwise", .primary),
        .cancel: ("Cancel", "xmark", .secondary),
        .dismiss: ("OK", nil, .secondary),
        .reconnect: ("Reconnect", "arrow.triangle.2.circlepath", .primary),
        .checkSettings: ("Settings", "gearshape", .secondary),
        .openSettings: ("Open Settings", "gear", .secondary),
        .abort: ("Abort", "stop.circle", .destructive),
        .waitForCompletion: ("Wait", "hourglass", .primary),
        .browse: ("Browse", "folder", .primary),
        .retryWithPermission: ("Grant Permission", "checkmark.shield", .primary),
        .skipTool: ("Skip", "forward", .secondary),
    ]
}
