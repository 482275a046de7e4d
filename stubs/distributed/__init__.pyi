from concurrent.futures import Executor
from types import TracebackType
from typing import Self

class LocalCluster:
    scheduler_address: str
    def __init__(
        self, *, n_workers: int, threads_per_worker: int, dashboard_address: str | None
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

class Client:
    def __init__(self, address: str, *, timeout: float, set_as_default: bool) -> None: ...
    def get_executor(self, *, pure: bool) -> Executor: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
