from pytest import Config

class WorkerController:
    config: Config
    workerinput: dict[str, str]
