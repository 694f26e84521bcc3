"""asyncssh as a server: commands by /bin/sh, files by its own SFTP server."""

import asyncio
import sys

import asyncssh


async def command(process):
    child = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", process.command or "true", stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    await process.redirect(stdin=child.stdin, stdout=child.stdout, stderr=child.stderr)
    status = await child.wait()
    await process.stdout.drain()
    process.exit(status)


async def main(port, host_key, authorized):
    await asyncssh.listen(
        "127.0.0.1", port, server_host_keys=[host_key], authorized_client_keys=authorized, process_factory=command,
        sftp_factory=True, encoding=None)
    await asyncio.Event().wait()


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
