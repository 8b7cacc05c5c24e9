"""Kernels forked from a process that has torch loaded already: as fresh as any, and at once."""

import gc
import multiprocessing
import os
import signal
import threading
import time

from handbook.runner import PRELOAD


def forked(monkeypatch) -> None:
    """Let jupyter_client start such kernels, where there is a fork."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        started = "jupyter_client.provisioning.local_provisioner.launch_kernel"
        monkeypatch.setattr(started, lambda command, cwd, **_: _Kernel(command, cwd))


_STARTING = threading.Lock()


class _Kernel:
    """A forked kernel, as jupyter_client sees a process. Whether it lives is asked of the system:
    multiprocessing loses the exit codes of children that several threads start and await."""

    stdin = stdout = stderr = None

    def __init__(self, command: list[str], folder: str) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["ipykernel.kernelapp", *PRELOAD])
        child = context.Process(target=_serve, args=(command[command.index("-f") :], folder))
        with _STARTING:
            child.start()
        self.pid = child.pid
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


def _serve(arguments: list[str], folder: str) -> None:
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()
    os.chdir(folder)
    gc.freeze()  # or its collections would copy all that it shares
    IPKernelApp.launch_instance(arguments)
