// `import BridgeSSH` includes all public declarations of the targets that it depends on.
@_exported public import SSHConfig
@_exported public import SSHFileTransfer
@_exported public import SSHTranscripts
@_exported public import SSHTransport
@_exported public import SSHTrust
