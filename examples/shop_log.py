"""A web shop, from logs of two visitors: what one of them leaves open, the other one has seen.

python -m examples.shop_log  # writes shop_log.png
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steel_verified import Components, Episode, NotLearned, learn_from
from steel_verified.plots import model_figure

PAGES = ("home", "shelf", "basket", "payment", "receipt")
CLICKS = ("home", "shelf", "buy")
LEADS_TO = {  # the page after each click; the receipt ends the visit
    "home": ("home", "shelf", "home"),
    "shelf": ("home", "shelf", "basket"),
    "basket": ("home", "shelf", "payment"),
    "payment": ("home", "payment", "receipt"),
}
ADS = 20  # bits that no click controls


def visits(seed: int, wanted: list[float], number: int) -> Iterator[Episode[NDArray[np.bool_]]]:
    """Record visits; `wanted` says how often the visitor chooses each click."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        pages, clicks = ["home"], list[int]()
        while pages[-1] != "receipt" and len(clicks) < 30:
            clicks.append(int(random.choice(3, p=wanted)))
            pages.append(LEADS_TO[pages[-1]][clicks[-1]])
        seen = np.array([shown(page) for page in pages])
        seen[:, len(PAGES) :] = random.random((len(pages), ADS)) < 0.3
        yield Episode(seen, clicks, terminated=pages[-1] == "receipt")


def shown(page: str) -> NDArray[np.bool_]:
    """What a page shows without ads."""
    return np.array([page == each for each in PAGES] + [False] * ADS)


def main(folder: Path = Path()) -> None:
    bits = Components(len(PAGES) + ADS)  # a classifier reads one bit of what is shown
    window_shopper = list(visits(1, [0.5, 0.5, 0.0], number=20))
    buyer = list(visits(2, [0.05, 0.25, 0.7], number=40))
    try:
        learn_from(window_shopper, bits, actions=3)
    except NotLearned as error:
        print(f"The first log alone: {error}.")
    learned = learn_from([*window_shopper, *buyer], bits, actions=3)
    print(f"Both logs: {learned}")
    way = learned.plan(to=shown("receipt"), start=shown("home"))
    print(f"From home to the receipt: {', '.join(CLICKS[click] for click in way)}.")
    model_figure(learned, actions=CLICKS).savefig(folder / "shop_log.png", dpi=150)


if __name__ == "__main__":
    main()
