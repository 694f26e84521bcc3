// The floors below, as far as this one speaks of them: what uses this floor sees their values too.
@_exported public import SSHModel
