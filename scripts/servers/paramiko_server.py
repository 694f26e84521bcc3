"""paramiko as a server: commands by /bin/sh, files by its SFTP server and the methods below."""

import os
import socket
import subprocess
import sys
import threading

import paramiko


class Files(paramiko.SFTPServerInterface):
    @staticmethod
    def attempt(work):
        try:
            return work()
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)

    def stat(self, path):
        return self.attempt(lambda: paramiko.SFTPAttributes.from_stat(os.stat(path)))

    def lstat(self, path):
        return self.attempt(lambda: paramiko.SFTPAttributes.from_stat(os.lstat(path)))

    def list_folder(self, path):
        def entries():
            found = []
            for name in os.listdir(path):
                attributes = paramiko.SFTPAttributes.from_stat(os.lstat(os.path.join(path, name)))
                attributes.filename = name
                found.append(attributes)
            return found

        return self.attempt(entries)

    def open(self, path, flags, attributes):
        def opened():
            handle = paramiko.SFTPHandle(flags)
            descriptor = os.open(path, flags, getattr(attributes, "st_mode", None) or 0o666)
            mode = "r+b" if flags & os.O_RDWR else "wb" if flags & os.O_WRONLY else "rb"
            file = os.fdopen(descriptor, mode)
            handle.filename = path
            handle.readfile = handle.writefile = file
            handle.stat = lambda: paramiko.SFTPAttributes.from_stat(os.fstat(descriptor))
            handle.chattr = lambda new: self.chattr(path, new)
            return handle

        return self.attempt(opened)

    def remove(self, path):
        return self.attempt(lambda: os.remove(path) or paramiko.SFTP_OK)

    def rename(self, old, new):
        if os.path.exists(new):
            return paramiko.SFTP_FAILURE
        return self.attempt(lambda: os.rename(old, new) or paramiko.SFTP_OK)

    def posix_rename(self, old, new):
        return self.attempt(lambda: os.replace(old, new) or paramiko.SFTP_OK)

    def mkdir(self, path, attributes):
        return self.attempt(lambda: os.mkdir(path) or paramiko.SFTP_OK)

    def rmdir(self, path):
        return self.attempt(lambda: os.rmdir(path) or paramiko.SFTP_OK)

    def chattr(self, path, attributes):
        return self.attempt(lambda: paramiko.SFTPServer.set_file_attr(path, attributes) or paramiko.SFTP_OK)


class Server(paramiko.ServerInterface):
    def __init__(self, authorized):
        with open(authorized, encoding="ascii") as file:
            self.authorized = {line.split()[1] for line in file}

    def get_allowed_auths(self, username):
        return "publickey"

    def check_auth_publickey(self, username, key):
        known = key.get_base64() in self.authorized
        return paramiko.AUTH_SUCCESSFUL if known else paramiko.AUTH_FAILED

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, command):
        threading.Thread(target=self.execute, args=(channel, command), daemon=True).start()
        return True

    @staticmethod
    def execute(channel, command):
        done = subprocess.run(["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        channel.sendall(done.stdout)
        channel.sendall_stderr(done.stderr)
        channel.send_exit_status(done.returncode)
        channel.close()


def serve(client, key, authorized):
    transport = paramiko.Transport(client)
    transport.add_server_key(key)
    transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
    try:
        transport.start_server(server=Server(authorized))
    except (paramiko.SSHException, EOFError):
        transport.close()


def main(port, host_key, authorized):
    key = paramiko.Ed25519Key.from_private_key_file(host_key)
    listener = socket.create_server(("127.0.0.1", port))
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, key, authorized), daemon=True).start()


main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
