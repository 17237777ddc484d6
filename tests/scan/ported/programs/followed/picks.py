KIND = "cuda"


def choose(fast):
    return KIND if fast else "cpu"


class Plan:
    def __init__(self, spot):
        self.spot = spot
        assert self.spot in ("cpu", "cuda")
