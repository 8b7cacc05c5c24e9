"""Jupyter kernels in processes forked from the runner's fork server, which has imported torch."""

import os
import signal
import time
from pathlib import Path

from handbook import runner


def forked(monkeypatch) -> None:
    """Let jupyter_client start such kernels, if the system has a fork server."""
    if runner.CONTEXT.get_start_method() == "forkserver":
        runner.preload("import torch, numpy", "ipykernel.kernelapp")
        started = "jupyter_client.provisioning.local_provisioner.launch_kernel"
        monkeypatch.setattr(started, lambda command, cwd, **_: _Kernel(command, cwd))


class _Kernel:
    """A forked kernel with the methods of Popen that jupyter_client calls. Its state comes from the
    system: multiprocessing loses exit codes if several threads start and await processes."""

    stdin = stdout = stderr = None

    def __init__(self, command: list[str], folder: str) -> None:
        arguments = command[command.index("-f") :]
        self.pid = runner.start(_serve, arguments, folder=Path(folder)).pid
        while self.poll() is None and os.getpgid(self.pid) != self.pid:  # the group to be ended
            time.sleep(0.005)

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 1

    def wait(self) -> int | None:
        while self.poll() is None:
            time.sleep(0.005)
        return 1

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _serve(arguments: list[str]) -> None:
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(arguments)
