"""Hand this process's arguments, environment, folder and pipes to a server, pass signals on, and end as its command."""

import json
import os
import signal
import socket
import sys

PASSED_ON = (signal.SIGINT, signal.SIGTERM)


def main() -> None:
    _, address, module, *words = sys.argv
    folder = os.getcwd()  # noqa: PTH109 - importing pathlib would take longer than all else here
    given = {"module": module, "words": words, "folder": folder, "environ": dict(os.environ)}
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        socket.send_fds(server, [json.dumps(given).encode() + b"\n"], [0, 1, 2])
        with server.makefile() as told:
            command = int(told.readline())
            for number in PASSED_ON:
                signal.signal(number, lambda number, _: os.kill(command, number))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
            code = int(told.readline())
    if code < 0:
        for number in PASSED_ON:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


main()
