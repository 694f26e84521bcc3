"""Twisted Conch as a server, with the commands and files of the system's users."""

import os
import sys

from twisted.conch import checkers, unix
from twisted.conch.ssh import factory, keys
from twisted.cred import portal
from twisted.internet import reactor

# Twisted 26.10's own version expects the home directory in another type.
unix.SFTPServerForUnixConchUser._absPath = lambda self, path: os.path.join(self.avatar.getHomeDir(), os.fsdecode(path))


def main(port, host_key, authorized, user):
    key = keys.Key.fromFile(host_key)
    kind = key.sshType()
    with open(authorized, "rb") as file:
        known = [keys.Key.fromString(line) for line in file]
    server = factory.SSHFactory()
    server.publicKeys = {kind: key.public()}
    server.privateKeys = {kind: key}
    server.getPublicKeys = lambda: server.publicKeys
    server.getPrivateKeys = lambda: server.privateKeys
    server.portal = portal.Portal(unix.UnixSSHRealm())
    server.portal.registerChecker(checkers.SSHPublicKeyChecker(checkers.InMemorySSHKeyDB({user.encode(): known})))
    reactor.listenTCP(port, server, interface="127.0.0.1")
    reactor.run()


main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4])
