"""Kernels forked from a process that has torch loaded already: as fresh as any, and at once."""

import gc
import multiprocessing
import os
import signal
import time

from handbook.runner import PRELOAD


def forked(monkeypatch) -> None:
    """Let jupyter_client start such kernels, where there is a fork."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        started = "jupyter_client.provisioning.local_provisioner.launch_kernel"
        monkeypatch.setattr(started, lambda command, cwd, **_: _Kernel(command, cwd))


class _Kernel:
    """A forked kernel, as jupyter_client sees a process."""

    stdin = stdout = stderr = None

    def __init__(self, command: list[str], folder: str) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["ipykernel.kernelapp", *PRELOAD])
        self._process = context.Process(
            target=_serve, args=(command[command.index("-f") :], folder)
        )
        self._process.start()
        self.pid = self._process.pid
        while os.getpgid(self.pid) != self.pid:  # its group is what will be ended
            time.sleep(0.005)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _serve(arguments: list[str], folder: str) -> None:
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()
    os.chdir(folder)
    gc.freeze()  # or its collections would copy all that it shares
    IPKernelApp.launch_instance(arguments)
