"""The scenarios by asyncssh."""

import asyncio
import sys

import asyncssh
from phase import Phase, Target


def connect(host=Target.host):
    return asyncssh.connect(
        host, Target.port, username=Target.user, client_keys=[Target.identity], known_hosts=Target.known_hosts,
        agent_path=None, config=None, login_timeout=300)


async def command():
    phase = Phase()
    async with connect() as connection:
        await connection.run("true", check=True)
    phase.report()


async def sequence(count):
    async with connect() as connection:
        phase = Phase()
        for _ in range(count):
            await connection.run("true", check=True)
        phase.report()


async def parallel(count, width):
    async with connect() as connection:
        phase = Phase()
        free = asyncio.Semaphore(width)

        async def one():
            async with free:
                await connection.run("true", check=True)

        await asyncio.gather(*(one() for _ in range(count)))
        phase.report()


async def read(count):
    async with connect() as connection:
        phase = Phase()
        async with connection.create_process(f"head -c {count} /dev/zero", encoding=None) as process:
            received = 0
            while piece := await process.stdout.read(1 << 16):
                received += len(piece)
            await process.wait(check=True)
        assert received == count
        phase.report()


async def write(count, piece):
    zeros = bytes(piece)
    async with connect() as connection:
        phase = Phase()
        async with connection.create_process("cat >/dev/null", encoding=None) as process:
            for _ in range(count // piece):
                process.stdin.write(zeros)
                await process.stdin.drain()
            process.stdin.write_eof()
            await process.wait(check=True)
        phase.report()


async def connections(count, text="true"):
    phase = Phase()

    async def one():
        connection = await connect()
        if text:
            await connection.run(text, check=True)
        return connection

    opened = await asyncio.gather(*(one() for _ in range(count)))
    each = phase.per_connection(count)
    if text:
        for connection in opened:
            connection.close()
        await asyncio.gather(*(connection.wait_closed() for connection in opened))
    phase.report(perConnectionKiB=each)


async def fleet(width):
    """A connection and a command on each of many hosts, so many at a time. Measured as a whole process."""
    free = asyncio.Semaphore(width)

    async def one(host):
        async with free, connect(host) as connection:
            await connection.run("true", check=True)

    await asyncio.gather(*(one(host) for host in Target.hosts()))


async def idle(count):
    await connections(count, text=None)


asyncio.run(globals()[sys.argv[1]](*map(int, sys.argv[2:])))
