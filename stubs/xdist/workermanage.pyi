import pytest

class WorkerController:
    config: pytest.Config
    workerinput: dict[str, str]
