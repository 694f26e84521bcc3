// `import BridgeSSH` gives a library user every public declaration of the targets it depends on.
@_exported public import SSHConfig
@_exported public import SSHFileTransfer
@_exported public import SSHTranscripts
@_exported public import SSHTransport
@_exported public import SSHTrust
